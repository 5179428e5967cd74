#include "app/window/drawn_glyphs.h"

#include <imgui.h>

#include <algorithm>
#include <cstddef>
#include <optional>

#include "render/views/widgets/imgui_versions.h"

namespace cinderscope {

void DrawnGlyphs::add(ImFontAtlas& atlas, ImFont& font, std::vector<DrawnCharacter> characters,
                      float baseline_px) {
  for (DrawnCharacter& drawn : characters) {
    const ImVec2 size(static_cast<float>(drawn.width), static_cast<float>(drawn.height));
    const ImVec2 offset(static_cast<float>(drawn.left),
                        baseline_px + static_cast<float>(drawn.top));
    const std::optional<int> picture = add_letter_picture(
        atlas, font, static_cast<ImWchar>(drawn.character), size, offset, drawn.advance_px);
    if (picture) pictures_.emplace_back(*picture, std::move(drawn));
  }
}

void DrawnGlyphs::paint(ImFontAtlas& atlas) const {
  if (pictures_.empty()) return;
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsAlpha8(&pixels, &width, &height);
  for (const auto& [picture, drawn] : pictures_) {
    const ImVec2 place = place_of_picture(atlas, picture);
    for (int row = 0; row < drawn.height; ++row) {
      const auto from = drawn.alpha.begin() + std::ptrdiff_t{row} * drawn.width;
      const std::ptrdiff_t line = static_cast<std::ptrdiff_t>(place.y) + row;
      std::copy(from, from + drawn.width,
                pixels + line * width + static_cast<std::ptrdiff_t>(place.x));
    }
  }
}

}  // namespace cinderscope
