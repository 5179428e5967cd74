// The call trees of both sides as one, for the differential flame graph.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "ingest/compare/compared_names.h"
#include "ingest/totals/aggregated_call_tree.h"

namespace cinderscope {

// The tree of a run with compared names: StringId{index in ComparedNames::names}. Callees that
// became one name are one node. reversed(), function_totals() and edited() take it as any other.
AggregatedCallTree with_compared_names(const AggregatedCallTree& tree,
                                       std::span<const std::uint32_t> compared_of_string,
                                       const std::atomic<bool>& cancelled,
                                       std::size_t most = kMaxCallTreeNodes);

// By StringId of a run: its compared name. `set` is what the run was measured from.
std::vector<std::uint32_t> compared_of_strings(const StringPool& strings,
                                               const ComparedNames& names,
                                               std::span<const std::string_view> side_names,
                                               Side side);

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
  std::vector<ComparedNode> nodes;     // [0] stands for all calls; callers come before callees
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
  bool added(std::uint32_t node) const { return nodes[node].of[kSideA].count == 0; }
  bool gone(std::uint32_t node) const { return nodes[node].of[kSideB].count == 0; }
};

// Of two trees with compared names that were made the same way (both reversed, …). Orders do not
// depend on which side is A. `whole` is false once cancelled.
ComparedTree merged_trees(const AggregatedCallTree& a, const AggregatedCallTree& b,
                          OfSides<double> runs, const ComparedNames& names,
                          const std::atomic<bool>& cancelled);

// "main;draw;flush 31 33" for each chain with self time on a side, in order of the text. Blanks,
// semicolons and line breaks in names are replaced.
std::string collapsed_text(const ComparedTree& tree, const ComparedNames& names, CallWeight by,
                           const std::vector<std::string>& labels);

}  // namespace cinderscope
