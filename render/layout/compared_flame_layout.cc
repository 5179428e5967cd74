#include "render/layout/compared_flame_layout.h"

#include <algorithm>

namespace cinderscope {

namespace {

// The callees of one box, below it.
void add_callees(const ComparedTree& tree, const ComparedBox& caller, double px_per_weight,
                 float min_px, TreeWidth width, CallWeight by, std::vector<ComparedBox>& line) {
  auto x_px = static_cast<double>(caller.x_px);
  ComparedBox rest;
  const auto end_rest = [&] {
    if (rest.folded == 1) rest.folded = 0;
    if (rest.width_px > 0) line.push_back(rest);
    rest = {};
  };
  for (const std::uint32_t node : tree.callees_of(caller.node, by)) {
    const double node_px = tree.width(node, width, by) * px_per_weight;
    if (node_px <= 0) continue;
    if (node_px >= static_cast<double>(min_px)) {
      end_rest();
      line.push_back({static_cast<float>(x_px), static_cast<float>(node_px), node, 0});
    } else {
      if (rest.folded == 0) {
        rest.x_px = static_cast<float>(x_px);
        rest.node = node;
      }
      ++rest.folded;
      rest.width_px += static_cast<float>(node_px);
    }
    x_px += node_px;
  }
  end_rest();
}

}  // namespace

void lay_out_compared_flame(const ComparedTree& tree, std::uint32_t zoomed, float width_px,
                            float min_px, TreeWidth width, CallWeight by,
                            ComparedFlameLayout& out) {
  out.lines.clear();
  out.zoomed_line = 0;
  out.px_per_weight = 0;
  if (tree.nodes.empty() || width_px <= 0) return;
  if (zoomed >= tree.nodes.size()) zoomed = 0;
  for (std::uint32_t node = zoomed;; node = tree.nodes[node].caller) {
    out.lines.push_back({{0, width_px, node, 0}});
    if (node == 0) break;
  }
  std::ranges::reverse(out.lines);
  out.zoomed_line = out.lines.size() - 1;
  const double whole = tree.width(zoomed, width, by);
  if (!(whole > 0)) return;
  out.px_per_weight = static_cast<double>(width_px) / whole;
  for (std::size_t line = out.zoomed_line; line < out.lines.size(); ++line) {
    std::vector<ComparedBox> below;
    for (const ComparedBox& box : out.lines[line]) {
      if (box.folded == 0) {
        add_callees(tree, box, out.px_per_weight, min_px, width, by, below);
      }
    }
    if (!below.empty()) out.lines.push_back(std::move(below));
  }
}

std::vector<std::uint32_t> path_of_node(const ComparedTree& tree, std::uint32_t node) {
  std::vector<std::uint32_t> names;
  for (; node != 0 && node < tree.nodes.size(); node = tree.nodes[node].caller) {
    names.push_back(tree.nodes[node].name);
  }
  std::ranges::reverse(names);
  return names;
}

std::uint32_t node_of_path(const ComparedTree& tree, const std::vector<std::uint32_t>& names) {
  std::uint32_t node = 0;
  for (const std::uint32_t name : names) {
    const auto callees = tree.callees_of(node, CallWeight::time);
    const auto found = std::ranges::find_if(
        callees, [&](std::uint32_t callee) { return tree.nodes[callee].name == name; });
    if (found == callees.end()) return 0;
    node = *found;
  }
  return node;
}

}  // namespace cinderscope
