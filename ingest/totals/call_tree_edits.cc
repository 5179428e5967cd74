#include "ingest/totals/call_tree_edits.h"

#include <algorithm>

#include "ingest/base/saturating.h"
#include "ingest/totals/call_tree_nodes.h"

namespace cinderscope {

namespace {

constexpr CallPlace kDropped = {kNoNode}, kOutside = {kNoNode - 1};

bool has(const std::vector<StringId>& names, StringId name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Takes what was dropped below each node off its total and those of its callers.
void take_off(const std::vector<std::int64_t>& dropped_ns, AggregatedCallTree& out) {
  std::vector<std::int64_t> below_ns = dropped_ns;
  for (std::size_t i = out.nodes.size(); i-- > 1;) {
    CallTreeNode& node = out.nodes[i];
    node.total_ns = std::max(node.self_ns, saturating_difference(node.total_ns, below_ns[i]));
    below_ns[node.caller] = saturating_sum(below_ns[node.caller], below_ns[i]);
  }
}

}  // namespace

AggregatedCallTree edited(const AggregatedCallTree& tree, const CallTreeEdits& edits,
                          const std::atomic<bool>& cancelled, std::size_t most) {
  AggregatedCallTree out;
  const std::vector<std::uint64_t> left_out = left_out_below(tree);
  std::vector<std::uint64_t> left_out_now(1, 0);  // by node of `out`
  NodeFinder finder(out.nodes, most);
  // Of each node the one that it is added to.
  std::vector<CallPlace> places(tree.nodes.size(), kDropped);
  std::vector<std::int64_t> dropped_ns(1, 0);  // by node of `out`
  if (!places.empty()) places[0] = edits.focused.empty() ? CallPlace{} : kOutside;
  if (!places.empty() && edits.focused.empty()) out.left_out = left_out[0];
  for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
    if (i % 1024 == 0 && cancelled.load(std::memory_order_relaxed)) return out;
    const CallTreeNode& node = tree.nodes[i];
    CallPlace below = places[node.caller];
    if (below == kDropped) continue;
    if (has(edits.dropped, node.name)) {
      if (below != kOutside) {
        dropped_ns[below.node] = saturating_sum(dropped_ns[below.node], node.total_ns);
      }
      continue;
    }
    if (below == kOutside) {
      places[i] = kOutside;
      if (!has(edits.focused, node.name)) continue;
      below = {};
    }
    const bool folded = edits.folds_recursion && below.has_node && below.node != 0 &&
                        out.nodes[below.node].name == node.name;
    places[i] = folded ? below : finder.place_of(below, node.name);
    left_out_now.resize(out.nodes.size(), 0);
    const std::uint64_t left = left_out[i] + (places[i].has_node ? 0 : node.count);
    out.left_out += left;
    left_out_now[places[i].node] += left;
    if (places[i].has_node && !folded) {
      add(out.nodes[places[i].node], node);
    }
    dropped_ns.resize(out.nodes.size(), 0);
    CallTreeNode& at = out.nodes[places[i].node];
    at.self_ns = saturating_sum(at.self_ns, node.self_ns);
  }
  out.nodes.front().self_ns = 0;
  take_off(dropped_ns, out);
  for (std::size_t i = 0; i < left_out_now.size(); ++i) {
    out.nodes[i].subtree_calls = left_out_now[i];
  }
  add_up_nested(out);
  add_up_all(out);
  order_callees(out);
  out.whole = true;
  return out;
}

}  // namespace cinderscope
