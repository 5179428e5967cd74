#include "render/layout/flame_graph_layout.h"

#include <algorithm>

namespace cinderscope {
namespace {

void add_line(FlameGraphLayout& out, FlameBox box) {
  out.lines.push_back({out.boxes.size(), 1});
  out.boxes.push_back(box);
}

void add_callers(const AggregatedCallTree& totals, std::uint32_t zoomed, float width_px,
                 FlameGraphLayout& out) {
  if (zoomed == 0) return;
  add_line(out, {0, width_px, 0, 0});
  std::vector<std::uint32_t> callers;
  std::uint32_t caller = totals.nodes[zoomed].caller;
  for (; caller != 0 && callers.size() < kMaxCallerLines; caller = totals.nodes[caller].caller) {
    callers.push_back(caller);
  }
  if (caller != 0) add_line(out, {0, width_px, caller, totals.nodes[caller].depth});
  for (auto next = callers.rbegin(); next != callers.rend(); ++next) {
    add_line(out, {0, width_px, *next, 0});
  }
}

// Callees of `of` side by side within its box.
void add_callees(const AggregatedCallTree& totals, FlameBox of, float min_px, CallWeight weight,
                 FlameGraphLayout& out) {
  if (totals.nodes[of.total].total_ns == 0) weight = CallWeight::calls;
  const auto callees = totals.callees_of(of.total, weight);
  if (callees.empty()) return;
  const auto weight_of = [&](std::uint32_t total) {
    return static_cast<double>(totals.nodes[total].weight(weight));
  };
  double sum = 0;
  for (const std::uint32_t callee : callees) sum += weight_of(callee);
  // Calls that only partly overlap their caller may take more time than it does.
  const double all = std::max(sum, weight_of(of.total));
  if (!(all > 0)) return;
  const double px_each = static_cast<double>(of.width_px) / all;
  double before = 0;
  for (std::size_t i = 0; i < callees.size(); ++i) {
    const double own = weight_of(callees[i]);
    const float x_px = of.x_px + static_cast<float>(before * px_each);
    const auto width_px = static_cast<float>(own * px_each);
    if (width_px < min_px) {
      // By size: all that follow are thin as well.
      const auto rest_px = static_cast<float>((sum - before) * px_each);
      const auto folded = static_cast<std::uint32_t>(callees.size() - i);
      const float right_px = of.x_px + of.width_px;
      const float from_px = std::max(std::min(x_px, right_px - min_px), of.x_px);
      const float least_px = std::min(std::max(rest_px, min_px), right_px - from_px);
      out.boxes.push_back({from_px, least_px, callees[i], folded});
      return;
    }
    out.boxes.push_back({x_px, width_px, callees[i], 0});
    before += own;
  }
}

}  // namespace

void lay_out_flame_graph(const AggregatedCallTree& totals, std::uint32_t zoomed, float width_px,
                         float min_px, CallWeight weight, FlameGraphLayout& out) {
  out.boxes.clear();
  out.lines.clear();
  out.zoomed_line = out.caller_lines = 0;
  if (totals.nodes.empty() || width_px < min_px) return;
  if (zoomed >= totals.nodes.size()) zoomed = 0;
  add_callers(totals, zoomed, width_px, out);
  out.zoomed_line = out.lines.size();
  add_line(out, {0, width_px, zoomed, 0});
  for (;;) {
    const FlameLine above = out.lines.back();
    const std::size_t first = out.boxes.size();
    for (std::size_t i = 0; i < above.box_count; ++i) {
      const FlameBox box = out.boxes[above.first_box + i];
      if (box.folded == 0) add_callees(totals, box, min_px, weight, out);
    }
    if (out.boxes.size() == first) break;
    out.lines.push_back({first, out.boxes.size() - first});
  }
}

void lay_out_function(const FunctionTotals& totals, float width_px, float min_px, CallWeight weight,
                      FlameGraphLayout& out) {
  lay_out_flame_graph(totals.callees, 0, width_px, min_px, weight, out);
  FlameGraphLayout above;
  lay_out_flame_graph(totals.callers, 0, width_px, min_px, weight, above);
  if (above.lines.size() < 2 || out.lines.empty()) return;
  // The first line of `above` is the function itself.
  std::vector<FlameLine> lines;
  for (std::size_t i = above.lines.size(); i-- > 1;) {
    const FlameLine& line = above.lines[i];
    lines.push_back({out.boxes.size(), line.box_count});
    const auto first = above.boxes.begin() + static_cast<std::ptrdiff_t>(line.first_box);
    out.boxes.insert(out.boxes.end(), first, first + static_cast<std::ptrdiff_t>(line.box_count));
  }
  out.caller_lines = out.zoomed_line = lines.size();
  out.lines.insert(out.lines.begin(), lines.begin(), lines.end());
}

const FlameBox* flame_box_at(const FlameGraphLayout& layout, std::size_t line, float x_px) {
  if (line >= layout.lines.size()) return nullptr;
  const auto begin =
      layout.boxes.begin() + static_cast<std::ptrdiff_t>(layout.lines[line].first_box);
  const auto end = begin + static_cast<std::ptrdiff_t>(layout.lines[line].box_count);
  const auto after =
      std::partition_point(begin, end, [x_px](const FlameBox& box) { return box.x_px <= x_px; });
  if (after == begin) return nullptr;
  const FlameBox& box = *(after - 1);
  return x_px < box.x_px + box.width_px ? &box : nullptr;
}

}  // namespace cinderscope
