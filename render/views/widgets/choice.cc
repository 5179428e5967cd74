#include "render/views/widgets/choice.h"

#include <cmath>

namespace cinderscope {
namespace {

constexpr float kHeightPx = 24, kPadPx = 10, kRadiusPx = 5;

float width_of(const Pen& pen, const Choice& choice) {
  return std::round(text_width(pen.words, choice.label) + 2 * pen.px(kPadPx));
}

}  // namespace

float choices_width(const Pen& pen, std::span<const Choice> choices) {
  float width = 0;
  for (const Choice& choice : choices) width += width_of(pen, choice);
  return width;
}

std::optional<std::size_t> draw_choices(const Pen& pen, const char* id, float x, float y,
                                        std::span<const Choice> choices, std::size_t chosen) {
  const float height = std::round(pen.px(kHeightPx)), top = std::round(y - height / 2);
  x = std::round(x);
  const Rect frame{x, top, choices_width(pen, choices), height};
  std::optional<std::size_t> clicked;
  ImGui::PushID(id);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const Choice& choice = choices[i];
    const Rect rect{x, top, width_of(pen, choice), height};
    const Press press = press_area(i, rect);
    if (i == chosen) {
      pen.list.AddRectFilled({rect.x, rect.y}, {right_of(rect), bottom_of(rect)}, pen.colours.line,
                             pen.px(kRadiusPx));
    }
    Rgba colour = i == chosen || press.hovered ? pen.colours.text : pen.colours.dim;
    if (!choice.enabled && i != chosen) colour = with_alpha(pen.colours.dim, 110);
    draw_text(pen.list, pen.words, rect.x + pen.px(kPadPx), y, colour, choice.label);
    if (press.hovered) hint(pen, choice.help);
    if (press.clicked && choice.enabled) clicked = i;
    x += rect.width;
  }
  ImGui::PopID();
  pen.list.AddRect({frame.x, frame.y}, {right_of(frame), bottom_of(frame)}, pen.colours.line,
                   pen.px(kRadiusPx));
  return clicked;
}

}  // namespace cinderscope
