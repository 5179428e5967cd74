// Colours, sizes and fonts of the window: the tokens of the design, resolved for one theme and
// scale.
#pragma once

#include <cstdint>

struct ImFont;

namespace cinderscope {

using Rgba = std::uint32_t;  // as ImGui packs it: 0xAABBGGRR

constexpr Rgba rgb(std::uint32_t hex,
                   std::uint32_t alpha = 255) {  // 0xRRGGBB as designers write it
  return alpha << 24 | (hex & 0xff) << 16 | (hex & 0xff00) | (hex >> 16 & 0xff);
}
constexpr Rgba with_alpha(Rgba colour, std::uint32_t alpha) {
  return (colour & 0xffffff) | alpha << 24;
}

enum class ThemeKind : std::uint8_t { dark, light };

struct ThemeColours {
  Rgba background, panel, raised, line, grid, text, dim, accent, on_box;
};
const ThemeColours& theme_colours(ThemeKind kind);

// Passed to every view for one frame. Views write sizes at scale 1 and multiply them by `scale`.
struct Theme {
  ThemeKind kind = ThemeKind::dark;
  bool colour_blind = false;
  float scale = 1;
  ThemeColours colours{};
  ImFont* words = nullptr;    // Inter 13 px
  ImFont* heads = nullptr;    // Inter 600, 13 px
  ImFont* title = nullptr;    // Inter 600, 14 px
  ImFont* numbers = nullptr;  // JetBrains Mono 12.5 px
  ImFont* icons = nullptr;    // Fork Awesome 14 px
  ImFont* code = nullptr;     // JetBrains Mono 13 px
  ImFont* code_bold = nullptr;

  float px(float at_scale_1) const { return at_scale_1 * scale; }
};

}  // namespace cinderscope
