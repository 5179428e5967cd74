// The boxes of a differential flame graph: a line for each depth, widths of both sides together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ingest/compare/compared_tree.h"

namespace cinderscope {

struct ComparedBox {
  float x_px = 0, width_px = 0;  // from the graph's left edge
  std::uint32_t node = 0;        // of a rest box the widest
  std::uint32_t folded = 0;      // 0: one node; n: n neighbours that are too thin to draw apart
};

struct ComparedFlameLayout {
  std::vector<std::vector<ComparedBox>> lines;  // from top to bottom; the first is all calls
  std::size_t zoomed_line = 0;                  // lines before it are callers of the zoomed node
  double px_per_weight = 0;                     // of all widths: strips are drawn to it, too
};

// Replaces the content of `out`. The node `zoomed` (0: all) and its callers have the whole width.
// Neighbours thinner than `min_px` are one rest box. Any thread; the cost depends on what is drawn.
void lay_out_compared_flame(const ComparedTree& tree, std::uint32_t zoomed, float width_px,
                            float min_px, TreeWidth width, CallWeight by, ComparedFlameLayout& out);

// The node of the same chain of names; 0 if there is none.
std::uint32_t node_of_path(const ComparedTree& tree, const std::vector<std::uint32_t>& names);
std::vector<std::uint32_t> path_of_node(const ComparedTree& tree, std::uint32_t node);

}  // namespace cinderscope
