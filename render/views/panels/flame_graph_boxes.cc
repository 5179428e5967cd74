// One line of the flame graph: its boxes and their labels.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/base/palette.h"
#include "render/layout/flame_graph_layout.h"
#include "render/views/panels/flame_graph_impl.h"

namespace cinderscope {
namespace {

constexpr float kBoxPx = 18;

}  // namespace

void FlameGraphView::Impl::draw_line(const FlameGraphFrame& frame, const Pen& pen, std::size_t line,
                                     const Rect& row) {
  const Palette& palette = palette_of(frame.theme.kind, frame.theme.colour_blind);
  const FlameLine& boxes = layout.lines[line];
  const bool caller = line < layout.zoomed_line && line >= layout.caller_lines;
  const float height = std::round(pen.px(kBoxPx));
  const bool points = pointed && !is_all(frame, pointed->total) && pointed->folded == 0;
  const StringId pointed_name = points ? total_at(frame, *pointed).name : kNoName;
  for (std::size_t i = 0; i < boxes.box_count; ++i) {
    const FlameBox& box = layout.boxes[boxes.first_box + i];
    const float x0 = std::round(row.x + box.x_px);
    const float x1 = std::max(std::round(row.x + box.x_px + box.width_px) - 1, x0 + 1);
    const Rect rect{x0, row.y, x1 - x0, height};
    const CallTreeNode& total = totals_of(frame, line < layout.caller_lines).nodes[box.total];
    const bool hovered = pointed && pointed->line == line && pointed->total == box.total;
    const bool all = is_all(frame, box.total);
    const std::uint32_t hash = frame.timeline.strings->hash(total.name);
    Rgba colour = hovered ? palette.hovered(hash) : palette.box(hash);
    Rgba text = pen.colours.on_box;
    if (all) {
      colour = hovered ? with_alpha(pen.colours.dim, 110) : with_alpha(pen.colours.dim, 60);
      text = pen.colours.text;
    } else if (box.folded > 0) {
      colour = with_alpha(pen.colours.dim, hovered ? 150 : 90);
      text = pen.colours.text;
    } else if (caller) {
      colour = with_alpha(colour, hovered ? 150 : 95);
      text = pen.colours.text;
    } else if (frame.found != nullptr && !(*frame.found)(total.name)) {
      colour = with_alpha(colour, hovered ? 120 : 60);
      text = pen.colours.dim;
    }
    fill(pen.list, rect, colour);
    if (!all && box.folded == 0 && is_negative(frame.timeline, total)) {
      const float line_px = pen.px(3);
      fill(pen.list, {rect.x, bottom_of(rect) - line_px, rect.width, line_px},
           with_alpha(text, 150));
    }
    const bool same_name = box.folded == 0 && !all && total.name == pointed_name;
    if (same_name) {
      pen.list.AddRect({rect.x + 0.5f, rect.y + 0.5f},
                       {right_of(rect) - 0.5f, bottom_of(rect) - 0.5f},
                       with_alpha(pen.colours.text, 150));
    }
    if (rect.width >= pen.px(24)) draw_label(frame, pen, box, total, rect, text);
  }
}

void FlameGraphView::Impl::draw_label(const FlameGraphFrame& frame, const Pen& pen,
                                      const FlameBox& box, const CallTreeNode& total,
                                      const Rect& rect, Rgba colour) {
  const float left = rect.x + pen.px(5), right = right_of(rect) - pen.px(4), y = middle_y(rect);
  const std::string time = weight_text(frame, total);
  const auto draw_time = [&](float x) {
    if (text_width(pen.numbers, time) > right - x) return;
    draw_text(pen.list, pen.numbers, x, y, with_alpha(colour, 158), time);
  };
  if (&total == &frame.totals->nodes.front() && frame.function == nullptr) {
    const float width = draw_text(pen.list, pen.words, left, y, colour, kAllCalls);
    return draw_time(left + width + pen.px(12));
  }
  if (box.folded > 0) {
    const bool callers = box.x_px == 0 && box.width_px >= width_px;
    const std::string text =
        fmt::format("{} {}", count_text(box.folded), callers ? "callers" : "more");
    if (text_width(pen.words, text) > right - left) return;
    draw_text(pen.list, pen.words, left, y, colour, text);
    return;
  }
  const LabelCache::Label& label = labels.of(frame.timeline, total.name, pen.words);
  if (label.width_px <= right - left) {
    draw_text(pen.list, pen.words, left, y, colour, label.text);
    return draw_time(left + label.width_px + pen.px(12));
  }
  const FitBytes fit = [&pen](std::string_view text, double room_px) {
    return text_fit(pen.words, text, static_cast<float>(room_px));
  };
  const std::string_view ellipsis = ellipsis_of(pen.words);
  const ShortLabel cut = shortened(label.text, label.telling, ellipsis,
                                   static_cast<double>(text_width(pen.words, ellipsis)),
                                   static_cast<double>(right - left), fit);
  float x = left;
  x += draw_text(pen.list, pen.words, x, y, colour, cut.lead);
  x += draw_text(pen.list, pen.words, x, y, colour, cut.text);
  draw_text(pen.list, pen.words, x, y, colour, cut.tail);
}

}  // namespace cinderscope
