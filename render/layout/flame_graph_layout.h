// Where the boxes of a flame graph stand: a line for each depth, widths by time or calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ingest/totals/aggregated_call_tree.h"

namespace cinderscope {

struct FlameBox {
  float x_px = 0, width_px = 0;
  std::uint32_t total = 0;   // index into AggregatedCallTree::totals; of folded ones the largest
  std::uint32_t folded = 0;  // 0: one total; n: n neighbours too thin to draw apart
};

struct FlameLine {
  std::size_t first_box = 0, box_count = 0;
};

// Callers that are shown above what is zoomed to, beside all calls in the first line; those between
// are one folded box.
inline constexpr std::uint32_t kMaxCallerLines = 8;

struct FlameGraphLayout {
  std::vector<FlameBox> boxes;   // of a line from left to right
  std::vector<FlameLine> lines;  // from the top, the first is all calls
  std::size_t zoomed_line = 0;   // the lines before it are callers of what is zoomed to
  std::size_t caller_lines =
      0;  // the first ones, whose totals are those of FunctionTotals::callers
};

// Replaces the content of `out`. `zoomed` (0: all) gets all of the width, its callers above it as
// well. Callees stand from the left, the largest first; those thinner than `min_px` are folded.
// What has no length at all is weighed by calls. Costs what is shown and the callees of that.
void lay_out_flame_graph(const AggregatedCallTree& totals, std::uint32_t zoomed, float width_px,
                         float min_px, CallWeight weight, FlameGraphLayout& out);

// One function: what it called below, what called it above it, the nearest callers lowest.
void lay_out_function(const FunctionTotals& totals, float width_px, float min_px, CallWeight weight,
                      FlameGraphLayout& out);

// The box at a place of a line; null where there is none.
const FlameBox* flame_box_at(const FlameGraphLayout& layout, std::size_t line, float x_px);

}  // namespace cinderscope
