#include "render/views/compare/compare_head.h"

#include <algorithm>
#include <cmath>

#include "render/base/change_colours.h"
#include "render/views/widgets/side_chip.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

namespace {

constexpr float kPadPx = 14, kGapPx = 10, kMenuPx = 26, kMenuPadPx = 9;
constexpr float kWidestNamePx = 260, kWidestValuePx = 300, kNarrowestNamePx = 60;
constexpr std::string_view kSwap = "\uf0ec";  // arrows to the right and to the left

float menu_width(const Pen& pen, const HeadMenu& menu, float most_value_px) {
  return text_width(pen.words, menu.label) + pen.px(6) +
         std::min(text_width(pen.words, menu.value), most_value_px) + pen.px(7 + 9) +
         2 * pen.px(kMenuPadPx);
}

void draw_menu(const Pen& pen, const HeadMenu& menu, const Rect& rect, float most_value_px,
               Actions& actions) {
  const Press press = press_area(menu.target.c_str(), rect);
  const ImVec2 corner{rect.x, rect.y}, opposite{right_of(rect), bottom_of(rect)};
  pen.list.AddRectFilled(corner, opposite,
                         press.hovered ? pen.colours.raised : pen.colours.background, pen.px(6));
  pen.list.AddRect(corner, opposite, pen.colours.line, pen.px(6));
  float x = rect.x + pen.px(kMenuPadPx);
  const float y = middle_y(rect);
  x += draw_text(pen.list, pen.words, x, y, pen.colours.dim, menu.label) + pen.px(6);
  const float value_px = std::min(text_width(pen.words, menu.value), most_value_px);
  draw_cut_text(pen.list, pen.words, x, y, value_px + 1, pen.colours.text, menu.value);
  const float side = pen.px(3.5F);
  const float arrow_x = right_of(rect) - pen.px(kMenuPadPx) - side;
  pen.list.AddLine({arrow_x - side, y - side / 2}, {arrow_x, y + side / 2}, pen.colours.dim,
                   pen.px(1.2F));
  pen.list.AddLine({arrow_x, y + side / 2}, {arrow_x + side, y - side / 2}, pen.colours.dim,
                   pen.px(1.2F));
  if (press.hovered) {
    const bool cut = value_px < text_width(pen.words, menu.value);
    hint(pen, cut ? menu.value + "\n" + menu.help : menu.help);
  }
  if (press.clicked) run_command(actions, "context-menu", menu.target);
}

// Returns where it ends.
float draw_side(const Pen& pen, const HeadSide& side, bool is_b, float x, float y, float room_px) {
  const Rect chip{x, y - pen.px(kSideChipPx) / 2, pen.px(kSideChipPx), pen.px(kSideChipPx)};
  draw_side_chip(pen.list, pen.theme, x, y, is_b);
  x += chip.width + pen.px(kGapPx);
  const float runs_px = side.runs.empty() ? 0 : text_width(pen.numbers, side.runs) + pen.px(6);
  const float name_px =
      std::min(text_width(pen.words, side.name), std::max(room_px - chip.width - runs_px, 1.0F));
  draw_cut_text(pen.list, pen.words, x, y, name_px + 1, pen.colours.text, side.name);
  const Press press = press_area(is_b ? "side b" : "side a", {x, chip.y, name_px, chip.height});
  if (press.hovered) hint(pen, side.path);
  x += name_px;
  if (runs_px > 0) {
    x += pen.px(6);
    x += draw_text(pen.list, pen.numbers, x, y, pen.colours.dim, side.runs);
  }
  return x;
}

}  // namespace

void draw_compare_head(const CompareHeadFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  fill(pen.list, area, pen.colours.panel);
  horizontal_line(pen.list, area.x, right_of(area), bottom_of(area) - 1, pen.colours.line);
  const float y = std::round(middle_y(area));
  ImGui::PushID("compare head");

  // From the right: the difference; then the lists, whose values are cut where room is short.
  float right = right_of(area) - pen.px(kPadPx);
  if (frame.difference.empty()) {
    const float width = std::min(text_width(pen.words, frame.note), area.width / 3);
    draw_cut_text(pen.list, pen.words, right - width, y, width + 1, pen.colours.dim, frame.note);
    right -= width;
  } else {
    const ChangeColours& change = change_colours(frame.theme.kind);
    const Rgba colour = frame.direction == 0 ? pen.colours.dim : change.text(frame.direction > 0);
    right -= draw_text(pen.list, pen.numbers, right, y, colour, frame.change, Align::right);
    right -= pen.px(8);
    right -= draw_text(pen.list, pen.numbers, right, y, pen.colours.text, frame.difference,
                       Align::right);
    right -= pen.px(8);
    right -= draw_text(pen.list, pen.words, right, y, pen.colours.dim, "B takes", Align::right);
  }
  right -= pen.px(kPadPx);

  float value_px = pen.px(kWidestValuePx), name_px = pen.px(kWidestNamePx);
  const float swap_px = pen.px(24);
  const auto needed = [&] {
    float width = pen.px(kPadPx) + swap_px + pen.px(5 * kGapPx);
    for (const HeadSide& side : frame.sides) {
      width += pen.px(kSideChipPx + kGapPx) + std::min(text_width(pen.words, side.name), name_px);
      if (!side.runs.empty()) width += text_width(pen.numbers, side.runs) + pen.px(6);
    }
    for (const HeadMenu& menu : frame.menus) width += menu_width(pen, menu, value_px) + pen.px(8);
    return width;
  };
  while (area.x + needed() > right && value_px > pen.px(kNarrowestNamePx)) value_px *= 0.8F;
  while (area.x + needed() > right && name_px > pen.px(kNarrowestNamePx)) name_px *= 0.8F;

  float x = area.x + pen.px(kPadPx);
  const float room_px = name_px + pen.px(kSideChipPx) + pen.px(100);
  x = draw_side(pen, frame.sides[side_a], false, x, y, room_px) + pen.px(kGapPx);
  const Rect swap{x, y - swap_px / 2, swap_px, swap_px};
  if (icon_button(pen, "swap", swap,
                  {kSwap, with_keys("Swap A and B", frame.keys_of, "compare-swap")})) {
    run_command(actions, "compare-swap");
  }
  x += swap_px + pen.px(kGapPx);
  x = draw_side(pen, frame.sides[side_b], true, x, y, room_px) + pen.px(kGapPx + 6);
  vertical_line(pen.list, x, y - pen.px(10), y + pen.px(10), pen.colours.line);
  x += pen.px(kGapPx + 6);
  const float height = std::round(pen.px(kMenuPx));
  for (const HeadMenu& menu : frame.menus) {
    const float width = std::round(menu_width(pen, menu, value_px));
    if (x + width > right) break;
    draw_menu(pen, menu, {std::round(x), std::round(y - height / 2), width, height}, value_px,
              actions);
    x += width + pen.px(8);
  }
  ImGui::PopID();
}

}  // namespace cinderscope
