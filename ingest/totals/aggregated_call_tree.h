// The calls of a scope added up by their chain of callers, for the flame graph.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/base/large_pages.h"
#include "ingest/model/scope.h"
#include "ingest/model/slice_set.h"

namespace cinderscope {

// What the width of a box in a flame graph stands for.
enum class CallWeight : std::uint8_t {
  time,   // how long the calls lasted
  calls,  // how many there are, with all calls inside them
};

// The calls of one name that were made through the same chain of callers.
struct CallTreeNode {
  StringId name = kEmptyString;
  std::uint32_t caller = 0;                          // index of their caller's node
  std::uint32_t depth = 0;                           // 1: outermost
  std::uint32_t first_callee = 0, callee_count = 0;  // in AggregatedCallTree::callees
  std::uint64_t count = 0;
  // With all calls inside them, those that were left out, too; bottom up: as `count`.
  std::uint64_t subtree_calls = 0;
  std::int64_t total_ns = 0, self_ns = 0, longest_ns = 0;
  SliceRef longest;

  std::uint64_t weight(CallWeight by) const {
    return by == CallWeight::calls ? subtree_calls : static_cast<std::uint64_t>(total_ns);
  }
};

struct AggregatedCallTree {
  LargePageVector<CallTreeNode> nodes;  // [0] stands for all calls; callers come before callees
  std::vector<std::uint32_t> callees;   // of each node by time, the largest first
  std::vector<std::uint32_t> callees_by_calls;  // of each node by number of calls
  std::uint64_t left_out =
      0;                   // calls beyond the most nodes; they count as self time of their callers
  bool bottom_up = false;  // see reversed()
  bool whole = false;      // false: cancelled

  bool empty() const { return nodes.size() < 2; }
  // Nothing of a tree whose callees have no order.
  std::span<const std::uint32_t> callees_of(std::uint32_t node,
                                            CallWeight by = CallWeight::time) const {
    const CallTreeNode& of = nodes[node];
    const std::span all(by == CallWeight::calls ? callees_by_calls : callees);
    if (all.empty()) return {};
    return all.subspan(of.first_callee, of.callee_count);
  }
};

inline constexpr std::size_t kMaxCallTreeNodes = 2'000'000;  // some 170 MB

// Any thread. Goes through thread tracks, or the tracks that the scope names, whatever their kind;
// slices of async tracks have no callers, since unrelated ones share rows. Of a scope with a set
// only its slices count, below the nearest callers that are in the set as well. Calls are cut at
// the scope's edges. Child blocks count if they are loaded. Once there are `most` nodes, calls with
// other callers are only counted in `left_out`: of the chains that come early, and of those that
// go on at places all over the scope, most have nodes by then (call_tree_outline.h). `jobs` threads
// share the tracks, each with a tree of its own until the end.
AggregatedCallTree aggregate_calls(const SliceSet& slices, const Scope& scope,
                                   const std::atomic<bool>& cancelled,
                                   std::size_t most = kMaxCallTreeNodes, unsigned jobs = 1);
// The same without the order of callees, which takes as long again where there are many nodes: for
// those who make another tree of it.
AggregatedCallTree unordered_calls(const SliceSet& slices, const Scope& scope,
                                   const std::atomic<bool>& cancelled,
                                   std::size_t most = kMaxCallTreeNodes, unsigned jobs = 1);

// The tree bottom up: its first level has the names by self time, and below each stand its callers,
// with the self time (total_ns) and calls (count) of the name that they caused. Chains end after
// kMaxCallers.
inline constexpr std::uint32_t kMaxCallers = 100;
AggregatedCallTree reversed(const AggregatedCallTree& tree, const std::atomic<bool>& cancelled,
                            std::size_t most = kMaxCallTreeNodes);

// The calls of one function, whoever called it; [0] of both trees stands for them. Of recursive
// calls only the outermost count there; the others are among the callees.
struct FunctionTotals {
  AggregatedCallTree callees;  // calls inside, top down
  AggregatedCallTree callers;  // callers upwards; numbers are the function's own
};
FunctionTotals function_totals(const AggregatedCallTree& tree, StringId function,
                               const std::atomic<bool>& cancelled,
                               std::size_t most = kMaxCallTreeNodes);

}  // namespace cinderscope
