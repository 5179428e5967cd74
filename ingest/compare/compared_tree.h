// The call trees of both sides as one, for the differential flame graph.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/compare/compared_sides.h"
#include "ingest/totals/aggregated_call_tree.h"

namespace cinderscope {

// The tree of a run with compared names: StringId{index in ComparedNames::names}. Callees that
// became one name are one node; callees have no order. reversed(), function_totals() and edited()
// take it as any other.
AggregatedCallTree with_compared_names(AggregatedCallTree tree,
                                       std::span<const std::uint32_t> compared_of_string,
                                       const std::atomic<bool>& cancelled,
                                       std::size_t most = kMaxCallTreeNodes);

// By StringId of a run's trace: the compared name; what does not occur, or is ignored, has none.
inline constexpr std::uint32_t kNoComparedName = UINT32_MAX;
std::vector<std::uint32_t> compared_of_strings(const ComparedRun& run);

// Adds another run's tree, so that a side of several runs is one tree of sums.
void add_run(AggregatedCallTree& to, const AggregatedCallTree& run,
             const std::atomic<bool>& cancelled, std::size_t most = kMaxCallTreeNodes);

struct NodeNumbers {  // sums over the runs of a side
  std::uint64_t count = 0, subtree_calls = 0;
  std::int64_t total_ns = 0, self_ns = 0, longest_ns = 0;
  SliceRef longest;
};

struct ComparedNode {
  std::uint32_t name = 0;                            // compared; of nodes[0] nothing
  std::uint32_t caller = 0, depth = 0;               // depth 1: outermost
  std::uint32_t first_callee = 0, callee_count = 0;  // in ComparedTree::callees
  OfSides<NodeNumbers> of;
};

enum class TreeWidth : std::uint8_t { mean, a, b };

struct ComparedTree {
  std::vector<ComparedNode> nodes;     // [0] stands for all calls; by depth, callees side by side
  std::vector<std::uint32_t> callees;  // of each node by mean time, equal ones by name
  std::vector<std::uint32_t> callees_by_calls;
  OfSides<double> runs = {1, 1};  // numbers are sums over so many
  std::uint64_t left_out = 0;
  bool bottom_up = false, whole = false;

  std::span<const std::uint32_t> callees_of(std::uint32_t node, CallWeight by) const;
  // Means over the runs.
  double weight(std::uint32_t node, Side side, CallWeight by) const;
  double self(std::uint32_t node, Side side, CallWeight by) const;
  // What widths show. Those of callees together never exceed their caller's.
  double width(std::uint32_t node, TreeWidth width, CallWeight by) const;
  // change_step() of the weights, or of self times; a node's `min` as in change_step().
  int step(std::uint32_t node, CallWeight by, bool by_self, double min) const;
  bool added(std::uint32_t node) const { return nodes[node].of[side_a].count == 0; }
  bool gone(std::uint32_t node) const { return nodes[node].of[side_b].count == 0; }
};

// Of two trees with compared names that were made the same way (both reversed, …). Neither orders
// nor what is left out, once there are `most` nodes, depend on which side is A. `whole` is false
// once cancelled.
ComparedTree merged_trees(const AggregatedCallTree& a, const AggregatedCallTree& b,
                          OfSides<double> runs, const ComparedNames& names,
                          const std::atomic<bool>& cancelled, std::size_t most = kMaxCallTreeNodes);

// Calls `write` with a line "main;draw;flush 31 33\n" for each chain of calls with self time (or
// calls) on a side, until that returns false: means over the runs, A before B, callees by name.
// What would end a name or a line within it is replaced. Chains are cut at `most_depth`; returns
// how many deeper nodes were added to those that are written.
std::uint64_t write_collapsed(const ComparedTree& tree, const std::vector<std::string>& labels,
                              CallWeight by, const std::function<bool(std::string_view)>& write,
                              std::uint32_t most_depth = 1000);

}  // namespace cinderscope
