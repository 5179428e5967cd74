#include "ingest/totals/call_tree_nodes.h"

#include <algorithm>

#include "ingest/base/saturating.h"

namespace cinderscope {

void add(CallTreeNode& to, std::int64_t duration_ns, const SliceRef& slice) {
  if (to.count++ == 0 || duration_ns > to.longest_ns) {
    to.longest_ns = duration_ns;
    to.longest = slice;
  }
  to.total_ns = saturating_sum(to.total_ns, duration_ns);
}

void add(CallTreeNode& to, const CallTreeNode& calls) {
  to.count += calls.count;
  to.subtree_calls += calls.subtree_calls;
  to.total_ns = saturating_sum(to.total_ns, calls.total_ns);
  if (calls.longest_ns >= to.longest_ns) {
    to.longest_ns = calls.longest_ns;
    to.longest = calls.longest;
  }
}

void order_callees(AggregatedCallTree& out) {
  const std::size_t count = out.nodes.size();
  for (CallTreeNode& node : out.nodes) node.callee_count = 0;
  for (std::size_t i = 1; i < count; ++i) ++out.nodes[out.nodes[i].caller].callee_count;
  std::uint32_t first = 0;
  for (CallTreeNode& node : out.nodes) {
    node.first_callee = first;
    first += node.callee_count;
  }
  std::vector<std::uint32_t> next(count);
  for (std::size_t i = 0; i < count; ++i) next[i] = out.nodes[i].first_callee;
  out.callees.resize(count - 1);
  for (std::uint32_t i = 1; i < count; ++i) out.callees[next[out.nodes[i].caller]++] = i;
  out.callees_by_calls = out.callees;
  // What is compared lies side by side while it is sorted.
  struct Callee {
    std::uint64_t weight, count;
    std::uint32_t node;
  };
  std::vector<Callee> sorted;
  for (const CallTreeNode& node : out.nodes) {
    if (node.callee_count < 2) continue;
    const auto order = [&](std::vector<std::uint32_t>& callees, CallWeight by) {
      const auto begin = callees.begin() + node.first_callee;
      sorted.clear();
      for (auto at = begin; at != begin + node.callee_count; ++at) {
        sorted.push_back({out.nodes[*at].weight(by), out.nodes[*at].count, *at});
      }
      std::sort(sorted.begin(), sorted.end(), [](const Callee& a, const Callee& b) {
        if (a.weight != b.weight) return a.weight > b.weight;
        if (a.count != b.count) return a.count > b.count;
        return a.node < b.node;
      });
      std::transform(sorted.begin(), sorted.end(), begin, [](const Callee& at) { return at.node; });
    };
    order(out.callees, CallWeight::time);
    order(out.callees_by_calls, CallWeight::calls);
  }
}

void add_up_nested(AggregatedCallTree& out) {
  for (CallTreeNode& node : out.nodes) node.subtree_calls += node.count;
  for (std::size_t i = out.nodes.size(); i-- > 1;) {
    out.nodes[out.nodes[i].caller].subtree_calls += out.nodes[i].subtree_calls;
  }
}

std::vector<std::uint64_t> left_out_below(const AggregatedCallTree& tree) {
  std::vector<std::uint64_t> below(tree.nodes.size());
  if (tree.left_out == 0) return below;
  for (std::size_t i = 0; i < below.size(); ++i) {
    const CallTreeNode& node = tree.nodes[i];
    // What node 0 stands for are the calls of all others.
    below[i] += i == 0 ? node.subtree_calls : node.subtree_calls - node.count;
    if (i > 0) below[node.caller] -= node.subtree_calls;
  }
  return below;
}

void add_up_all(AggregatedCallTree& out) {
  CallTreeNode& all = out.nodes.front();
  for (std::size_t i = 1; i < out.nodes.size(); ++i) {
    const CallTreeNode& node = out.nodes[i];
    if (node.caller == 0) all.total_ns = saturating_sum(all.total_ns, node.total_ns);
    if (!out.bottom_up || node.caller == 0) all.count += node.count;
    if (node.longest_ns > all.longest_ns) {
      all.longest_ns = node.longest_ns;
      all.longest = node.longest;
    }
  }
  all.count += out.left_out;
  all.subtree_calls = all.count;
}

}  // namespace cinderscope
