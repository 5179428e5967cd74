// As views/compare/flame.cc has it.
#include "render/pictures/compared_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/base/change_colours.h"
#include "render/layout/compared_flame_layout.h"
#include "render/pictures/picture_lines.h"
#include "render/tables/change_text.h"
#include "render/text/label.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr float kHeadPx = 28, kLinePx = 19, kBoxPx = 18, kEdgePx = 3;

class ComparedDrawing {
 public:
  ComparedDrawing(const ComparedPicture& picture, PicturePen& pen, PicturePoint at, float width_px)
      : picture_(picture),
        pen_(pen),
        at_(at),
        width_px_(width_px),
        colours_(change_colours(pen.theme)),
        unit_{.axis = picture.axis, .is_count = picture.weight == CallWeight::calls} {}

  float draw(float most_height_px) {
    lay_out();
    float y = at_.y;
    head(y);
    y += std::round(pen_.px(kHeadPx));
    const float room_px = most_height_px > 0 ? std::max(most_height_px - (y - at_.y), 1.0f) : 0;
    const PictureLines lines{.count = layout_.lines.size(),
                             .step_px = std::round(pen_.px(kLinePx)),
                             .most_height_px = room_px,
                             .draw = [this](std::size_t line, float top) {
                               for (const ComparedBox& each : layout_.lines[line]) box(each, top);
                             }};
    return draw_lines(pen_, y, lines) - at_.y;
  }

 private:
  void lay_out() {
    fit_boxes(pen_, picture_.most_boxes, width_px_, [this](float merge_px) {
      lay_out_compared_flame(picture_.tree, 0, width_px_, pen_.px(merge_px), TreeWidth::mean,
                             picture_.weight, layout_);
      std::size_t boxes = 0;
      for (const auto& line : layout_.lines) boxes += line.size();
      return boxes;
    });
  }

  // What is compared, and what the colours mean.
  void head(float top) {
    const float y = top + pen_.px(10.0f), cell = pen_.px(14.0f);
    const float less_px = pen_.width(PictureFont::words, "less");
    const float more_px = pen_.width(PictureFont::words, "more");
    float x = at_.x + width_px_ - less_px - more_px - 7 * cell - pen_.px(12.0f);
    pen_.cut_text(PictureFont::words, at_.x, y, x - at_.x - pen_.px(20.0f), pen_.colours.dim,
                  picture_.head);
    x += pen_.text(PictureFont::words, x, y, pen_.colours.dim, "less") + pen_.px(6.0f);
    for (int step = -3; step <= 3; ++step, x += cell) {
      pen_.fill({x, std::round(y - pen_.px(5.0f)), cell, pen_.px(10.0f)}, colours_.fill(step));
    }
    pen_.text(PictureFont::words, x + pen_.px(6.0f), y, pen_.colours.dim, "more");
  }

  std::string name_of(std::uint32_t node) const {
    const std::uint32_t name = picture_.tree.nodes[node].name;
    if (node == 0 || name >= picture_.labels.size()) return "All calls";
    return picture_.labels[name].empty() ? "(no name)" : picture_.labels[name];
  }

  std::string change_of(std::uint32_t node) const {
    const ComparedTree& tree = picture_.tree;
    const double a = tree.weight(node, side_a, picture_.weight);
    const double b = tree.weight(node, side_b, picture_.weight);
    if (node == 0) return value_text(a, unit_) + " → " + value_text(b, unit_);
    if (tree.added(node)) return "new";
    if (tree.gone(node)) return "gone";
    if (a == 0) return b == 0 ? "" : "new";
    return change_text(b / a - 1);
  }

  void box(const ComparedBox& box, float y) {
    const ComparedTree& tree = picture_.tree;
    const float x0 = std::round(at_.x + box.x_px);
    const float x1 = std::max(std::round(at_.x + box.x_px + box.width_px) - 1, x0 + 1);
    const Rect rect{x0, y, x1 - x0, std::round(pen_.px(kBoxPx))};
    pen_.begin(PictureGroup::Kind::box, title(box));
    if (box.folded > 0) {
      pen_.fill(rect, blended(with_alpha(pen_.colours.dim, 70), pen_.paper));
      const std::string text = fmt::format("{} more", count_text(box.folded));
      if (pen_.width(PictureFont::words, text) + pen_.px(8.0f) < rect.width) {
        pen_.text(PictureFont::words, x0 + pen_.px(5.0f), middle_y(rect), pen_.colours.text, text);
      }
      pen_.end();
      return;
    }
    const bool all = box.node == 0;
    const int step = all ? 0 : tree.step(box.node, picture_.weight, false, picture_.min);
    const bool added = !all && tree.added(box.node), gone = !all && tree.gone(box.node);
    const Rgba colour = colours_.fill(step);
    pen_.fill(rect, colour);
    if (gone) {
      const Rgba line = pen_.theme == ThemeKind::dark ? rgb(0x111317, 140) : rgb(0xffffff, 204);
      pen_.hatch(rect, pen_.px(6.0f), pen_.px(2.0f), blended(line, colour));
    }
    // As long as half of the difference, to the scale of all widths.
    const double a = tree.weight(box.node, side_a, picture_.weight);
    const double b = tree.weight(box.node, side_b, picture_.weight);
    auto strip_px = static_cast<float>(std::abs(b - a) / 2 * layout_.px_per_weight);
    strip_px = added ? rect.width : std::min(strip_px, rect.width);
    if (!all && !gone && std::max(a, b) >= picture_.min && strip_px >= 1) {
      const float x = b > a ? right_of(rect) - strip_px : rect.x;
      const float edge = pen_.px(kEdgePx);
      pen_.fill({x, bottom_of(rect) - edge, strip_px, edge}, colours_.edge(b > a));
    }
    if (rect.width >= pen_.px(24.0f)) label(box, rect, colour);
    pen_.end();
  }

  void label(const ComparedBox& box, const Rect& rect, Rgba behind) {
    const float left = rect.x + pen_.px(5.0f), right = right_of(rect) - pen_.px(4.0f);
    const std::string name = name_of(box.node);
    if (!pen_.short_name(PictureFont::words, left, middle_y(rect), right - left, colours_.on_fill,
                         name)) {
      return;
    }
    const float x = left + pen_.width(PictureFont::words, drawable_name(name)) + pen_.px(10.0f);
    const std::string change = change_of(box.node);
    if (x + pen_.width(PictureFont::numbers, change) > right) return;
    pen_.text(PictureFont::numbers, x, middle_y(rect),
              blended(with_alpha(colours_.on_fill, 190), behind), change);
  }

  std::string title(const ComparedBox& box) const {
    if (!picture_.titles) return {};
    if (box.folded > 0) return fmt::format("{} names", count_text(box.folded));
    constexpr std::size_t kMostBytes = 300;
    const double a = picture_.tree.weight(box.node, side_a, picture_.weight);
    const double b = picture_.tree.weight(box.node, side_b, picture_.weight);
    std::string text = drawable(name_of(box.node).substr(0, kMostBytes));
    text += fmt::format("\nA {}, B {}, {}", value_text(a, unit_), value_text(b, unit_),
                        difference_text(b - a, unit_));
    if (a > 0 && b > 0) text += ", " + change_text(b / a - 1);
    return text;
  }

  const ComparedPicture& picture_;
  PicturePen& pen_;
  PicturePoint at_;
  float width_px_;
  const ChangeColours& colours_;
  ValueUnit unit_;
  ComparedFlameLayout layout_;
};

}  // namespace

float draw_compared_flame(const ComparedPicture& picture, PicturePen& pen, PicturePoint at,
                          float width_px, float most_height_px) {
  return ComparedDrawing(picture, pen, at, width_px).draw(most_height_px);
}

}  // namespace cinderscope
