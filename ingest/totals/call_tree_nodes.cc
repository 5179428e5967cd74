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

// Callees of each node together, the largest first.
void order_callees(AggregatedCallTree& out) {
  const std::size_t count = out.nodes.size();
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
  for (const CallTreeNode& node : out.nodes) {
    const auto order = [&](std::vector<std::uint32_t>& callees, CallWeight by) {
      const auto begin = callees.begin() + node.first_callee;
      std::sort(begin, begin + node.callee_count, [&](std::uint32_t a, std::uint32_t b) {
        const CallTreeNode &one = out.nodes[a], &other = out.nodes[b];
        if (one.weight(by) != other.weight(by)) return one.weight(by) > other.weight(by);
        if (one.count != other.count) return one.count > other.count;
        return a < b;
      });
    };
    order(out.callees, CallWeight::time);
    order(out.callees_by_calls, CallWeight::calls);
  }
}

void add_up_nested(AggregatedCallTree& out) {
  for (CallTreeNode& node : out.nodes) node.subtree_calls = node.count;
  for (std::size_t i = out.nodes.size(); i-- > 1;) {
    out.nodes[out.nodes[i].caller].subtree_calls += out.nodes[i].subtree_calls;
  }
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
