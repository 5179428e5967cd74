#include "render/views/widgets/side_chip.h"

#include <cmath>
#include <string_view>

namespace cinderscope {

void draw_side_chip(ImDrawList& list, const Theme& theme, float x, float y, bool is_b,
                    float side_px) {
  const ThemeColours& colours = theme.colours;
  const float side = std::round(theme.px(side_px));
  const float left = std::round(x), top = std::round(y - side / 2);
  const float round = theme.px(4);
  Rgba letter = colours.dim;
  if (is_b) {
    list.AddRectFilled({left, top}, {left + side, top + side}, colours.text, round);
    letter = colours.background;
  } else {
    const float line = theme.px(1.5F);
    list.AddRect({left + line / 2, top + line / 2}, {left + side - line / 2, top + side - line / 2},
                 colours.dim, round, 0, line);
  }
  const std::string_view text = is_b ? "B" : "A";
  const ImFont& font = font_or_default(theme.heads);
  draw_text(list, font, std::round(left + (side - text_width(font, text)) / 2),
            top + side / 2 - theme.px(0.5F), letter, text);
}

}  // namespace cinderscope
