// A flame graph as views/panels/flame_graph_boxes.cc has it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ingest/model/measure/sample_runs.h"
#include "render/layout/flame_graph_layout.h"
#include "render/pictures/panel_picture.h"
#include "render/pictures/picture_lines.h"
#include "render/text/label.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr float kFlameHeadPx = 26, kFlameLinePx = 19, kFlameBoxPx = 18;
constexpr std::string_view kAllCalls = "All calls";

class FlameDrawing {
 public:
  FlameDrawing(const FlamePicture& picture, PicturePen& pen, PicturePoint at, float width_px)
      : picture_(picture), pen_(pen), at_(at), width_px_(width_px) {}

  float draw(float most_height_px) {
    lay_out();
    float y = at_.y;
    if (!picture_.head.empty()) {
      pen_.cut_text(PictureFont::words, at_.x, y + pen_.px(10.0f), width_px_, pen_.colours.dim,
                    picture_.head);
      y += std::round(pen_.px(kFlameHeadPx));
    }
    const float room_px = most_height_px > 0 ? std::max(most_height_px - (y - at_.y), 1.0f) : 0;
    const PictureLines lines{.count = layout_.lines.size(),
                             .step_px = std::round(pen_.px(kFlameLinePx)),
                             .most_height_px = room_px,
                             .draw = [this](std::size_t line, float top) { draw_line(line, top); }};
    return draw_lines(pen_, y, lines) - at_.y;
  }

 private:
  void lay_out() {
    fit_boxes(pen_, picture_.most_boxes, width_px_, [this](float merge_px) {
      if (picture_.function != nullptr && picture_.zoomed == 0) {
        lay_out_function(*picture_.function, width_px_, pen_.px(merge_px), picture_.weight,
                         layout_);
      } else {
        lay_out_flame_graph(picture_.tree, picture_.zoomed, width_px_, pen_.px(merge_px),
                            picture_.weight, layout_);
      }
      return layout_.boxes.size();
    });
  }

  const AggregatedCallTree& tree_of(std::size_t line) const {
    return line < layout_.caller_lines ? picture_.function->callers : picture_.tree;
  }

  void draw_line(std::size_t line, float y) {
    const FlameLine& boxes = layout_.lines[line];
    const bool caller = line < layout_.zoomed_line && line >= layout_.caller_lines;
    for (std::size_t i = 0; i < boxes.box_count; ++i) {
      const FlameBox& box = layout_.boxes[boxes.first_box + i];
      const CallTreeNode& node = tree_of(line).nodes[box.total];
      const bool all = box.total == 0 && picture_.function == nullptr;
      const float x0 = std::round(at_.x + box.x_px);
      const float x1 = std::max(std::round(at_.x + box.x_px + box.width_px) - 1, x0 + 1);
      const Rect rect{x0, y, x1 - x0, std::round(pen_.px(kFlameBoxPx))};
      Rgba colour = pen_.palette.box(picture_.timeline.strings->hash(node.name));
      Rgba text = pen_.colours.on_box;
      if (all || box.folded > 0) {
        colour = blended(with_alpha(pen_.colours.dim, all ? 60 : 90), pen_.paper);
        text = pen_.colours.text;
      } else if (caller) {
        colour = blended(with_alpha(colour, 95), pen_.paper);
        text = pen_.colours.text;
      }
      pen_.begin(PictureGroup::Kind::box, title(node, box, all));
      pen_.fill(rect, colour);
      if (!all && box.folded == 0 && is_negative(picture_.timeline, node)) {
        const float line_px = pen_.px(3.0f);
        pen_.fill({rect.x, bottom_of(rect) - line_px, rect.width, line_px},
                  blended(with_alpha(text, 150), colour));
      }
      if (rect.width >= pen_.px(24.0f)) label(node, box, all, rect, text, colour);
      pen_.end();
    }
  }

  std::string weight_text(const CallTreeNode& node) const {
    return picture_.weight == CallWeight::calls
               ? count_text(node.subtree_calls)
               : duration_text(node.total_ns, picture_.timeline.axis);
  }

  void label(const CallTreeNode& node, const FlameBox& box, bool all, const Rect& rect, Rgba text,
             Rgba behind) {
    const float left = rect.x + pen_.px(5.0f), right = right_of(rect) - pen_.px(4.0f);
    const float y = middle_y(rect);
    std::string name = drawable_name(display_label(picture_.timeline, node.name));
    if (all) name = kAllCalls;
    if (box.folded > 0) {
      const bool callers = box.x_px == 0 && box.width_px >= width_px_;
      name = fmt::format("{} {}", count_text(box.folded), callers ? "callers" : "more");
      if (pen_.width(PictureFont::words, name) > right - left) return;
      pen_.text(PictureFont::words, left, y, text, name);
      return;
    }
    if (!pen_.short_name(PictureFont::words, left, y, right - left, text, name)) return;
    const float x = left + pen_.width(PictureFont::words, name) + pen_.px(12.0f);
    const std::string weight = weight_text(node);
    if (pen_.width(PictureFont::numbers, weight) > right - x) return;
    pen_.text(PictureFont::numbers, x, y, blended(with_alpha(text, 158), behind), weight);
  }

  std::string title(const CallTreeNode& node, const FlameBox& box, bool all) const {
    if (!picture_.titles) return {};
    if (box.folded > 0) return fmt::format("{} names", count_text(box.folded));
    constexpr std::size_t kMostBytes = 300;
    std::string text =
        all ? std::string(kAllCalls)
            : drawable(display_label(picture_.timeline, node.name).substr(0, kMostBytes));
    const TimeAxis axis = picture_.timeline.axis;
    const std::string_view word = counts_runs(picture_.timeline) ? "run" : "call";
    text += fmt::format("\n{} {}{}, {}", count_text(node.count), word, node.count == 1 ? "" : "s",
                        duration_text(node.total_ns, axis));
    if (!all) text += ", self " + duration_text(node.self_ns, axis);
    const CallTreeNode& whole = picture_.tree.nodes.front();
    const auto weight = static_cast<double>(whole.weight(picture_.weight));
    if (weight > 0 && !all) {
      text += fmt::format("\n{:.1f} %",
                          static_cast<double>(node.weight(picture_.weight)) / weight * 100);
    }
    return text;
  }

  const FlamePicture& picture_;
  PicturePen& pen_;
  PicturePoint at_;
  float width_px_;
  FlameGraphLayout layout_;
};

}  // namespace

float draw_flame_graph(const FlamePicture& picture, PicturePen& pen, PicturePoint at,
                       float width_px, float most_height_px) {
  return FlameDrawing(picture, pen, at, width_px).draw(most_height_px);
}

}  // namespace cinderscope
