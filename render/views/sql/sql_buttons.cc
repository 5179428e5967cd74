#include "render/views/sql/sql_buttons.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cinderscope {
namespace {

constexpr float kButtonPx = 26, kPadPx = 11, kGapPx = 9, kBoxPx = 14, kBoxGapPx = 7;

}  // namespace

float sql_button_width(const Pen& pen, const SqlButton& button) {
  const float keys_px =
      button.keys.empty() ? 0 : text_width(pen.numbers, button.keys) + pen.px(kGapPx);
  return std::round(text_width(pen.words, button.label) + keys_px + 2 * pen.px(kPadPx));
}

bool sql_button(const Pen& pen, const char* id, float x, float y, const SqlButton& button) {
  const Rect rect{std::round(x), std::round(y), sql_button_width(pen, button),
                  std::round(pen.px(kButtonPx))};
  const Press press = press_area(id, rect);
  const ImVec2 corner{rect.x, rect.y}, opposite{right_of(rect), bottom_of(rect)};
  pen.list.AddRectFilled(corner, opposite, pen.colours.raised, pen.px(6));
  pen.list.AddRect(corner, opposite, press.hovered ? pen.colours.dim : pen.colours.line, pen.px(6));
  const float text_x = rect.x + pen.px(kPadPx);
  const float text_px =
      draw_text(pen.list, pen.words, text_x, middle_y(rect), pen.colours.text, button.label);
  if (!button.keys.empty()) {
    draw_text(pen.list, pen.numbers, text_x + text_px + pen.px(kGapPx), middle_y(rect),
              pen.colours.dim, button.keys);
  }
  if (press.hovered && !button.help.empty()) hint(pen, button.help);
  return press.clicked;
}

float check_box_width(const Pen& pen, std::string_view label) {
  return std::round(pen.px(kBoxPx + kBoxGapPx) + text_width(pen.words, label));
}

bool check_box(const Pen& pen, const char* id, float x, const Rect& line, std::string_view label,
               bool on, std::string_view help) {
  const Rect rect{x, line.y, check_box_width(pen, label), line.height};
  const Press press = press_area(id, rect);
  const float side = std::round(pen.px(kBoxPx)), top = std::round(middle_y(rect) - side / 2);
  const Rgba frame = press.hovered ? pen.colours.text : pen.colours.dim;
  pen.list.AddRect({x, top}, {x + side, top + side}, frame, pen.px(3));
  if (on) {
    const std::array<ImVec2, 3> tick = {ImVec2{x + side * 0.23F, top + side * 0.51F},
                                        ImVec2{x + side * 0.43F, top + side * 0.71F},
                                        ImVec2{x + side * 0.77F, top + side * 0.31F}};
    pen.list.AddPolyline(tick.data(), static_cast<int>(tick.size()), pen.colours.text, 0,
                         pen.px(1.6F));
  }
  draw_text(pen.list, pen.words, x + side + pen.px(kBoxGapPx), middle_y(rect), pen.colours.text,
            label);
  if (press.hovered && !help.empty()) hint(pen, help);
  return press.clicked;
}

float draw_mixed(const Pen& pen, float x, float y, float room_px, Rgba colour,
                 std::string_view text) {
  const float begin = x;
  bool number = false;
  while (!text.empty() && x - begin < room_px) {
    const std::size_t end = std::min(text.find('`'), text.size());
    const ImFont& font = number ? pen.numbers : pen.words;
    const std::string_view part = text.substr(0, end);
    const float left = room_px - (x - begin);
    const float width = text_width(font, part);
    if (!part.empty()) draw_cut_text(pen.list, font, x, y, std::min(width + 1, left), colour, part);
    x += width;
    text.remove_prefix(std::min(end + 1, text.size()));
    number = !number;
  }
  return x - begin;
}

float mixed_width(const Pen& pen, std::string_view text) {
  float width = 0;
  for (bool number = false; !text.empty(); number = !number) {
    const std::size_t end = std::min(text.find('`'), text.size());
    width += text_width(number ? pen.numbers : pen.words, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return width;
}

}  // namespace cinderscope
