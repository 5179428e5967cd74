// The boxes of a flame graph: a line for each depth, widths by time or by calls. Sizes are in
// window pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ingest/model/measure/negative_weight.h"
#include "ingest/model/timeline.h"
#include "ingest/totals/aggregated_call_tree.h"

namespace cinderscope {

struct FlameBox {
  float x_px = 0, width_px = 0;  // from the graph's left edge
  std::uint32_t total = 0;   // index into AggregatedCallTree::totals; of a folded box the largest
  std::uint32_t folded = 0;  // 0: one node; n: n neighbours that are too thin to draw apart
};

struct FlameLine {
  std::size_t first_box = 0, box_count = 0;
};

// The most callers above the zoomed box, the line of all calls not counted. Callers further out are
// one folded box.
inline constexpr std::uint32_t kMaxCallerLines = 8;

struct FlameGraphLayout {
  std::vector<FlameBox> boxes;   // line after line, each from left to right
  std::vector<FlameLine> lines;  // from top to bottom; the first one is all calls
  std::size_t zoomed_line = 0;   // the line of the zoomed box; the lines before it are its callers
  // Lines at the top whose boxes index FunctionTotals::callers instead of the callees.
  std::size_t caller_lines = 0;
};

// Replaces the content of `out`. The node `zoomed` (0: all calls) and its callers above it get the
// whole width. Callees start at the left, the largest first; those thinner than `min_px` are folded
// into one box. Callees of a node without any time are weighed by calls. The cost depends on the
// boxes shown and their callees. Any thread.
void lay_out_flame_graph(const AggregatedCallTree& totals, std::uint32_t zoomed, float width_px,
                         float min_px, CallWeight weight, FlameGraphLayout& out);

// The sandwich of one function: its callees below it, its callers above it, the nearest lowest.
void lay_out_function(const FunctionTotals& totals, float width_px, float min_px, CallWeight weight,
                      FlameGraphLayout& out);

// The box at `x_px` of a line, part of `layout`; null if there is none.
const FlameBox* flame_box_at(const FlameGraphLayout& layout, std::size_t line, float x_px);

// Whether its weight is below zero. Only where a node is one slice: of several the sign of one says
// nothing. Any thread.
inline bool is_negative(const Timeline& timeline, const CallTreeNode& node) {
  if (timeline.weights.empty() || node.count != 1) return false;
  return (slice_at(timeline, node.longest).flags & kNegative) != 0;
}

}  // namespace cinderscope
