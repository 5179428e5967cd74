// Builds the font atlas for a scale and for the scripts that names are written in.
#pragma once

#include <set>
#include <string_view>

#include "render/theme.h"

namespace cinderscope {

// Characters that were met in names and that the built-in fonts may not have. Grows only.
class WantedCharacters {
 public:
  // Notes the characters of `text` (UTF-8; stray bytes are skipped). True if there are new ones
  // that the atlas has to be built again for.
  bool note(std::string_view text);
  const std::set<char32_t>& characters() const { return characters_; }

 private:
  static constexpr std::size_t kMaxCharacters = 6000;  // what an atlas of 4096² holds with ease
  bool note_plain(std::string_view text);
  std::set<char32_t> characters_;
};

// Fills the current ImGui context's atlas and the fonts of `theme` for `theme.scale`. The renderer
// has to take the new texture afterwards. Fonts for other scripts come from the system, where
// fontconfig names one; without one such characters are drawn as boxes.
void build_fonts(Theme& theme, const WantedCharacters& wanted);

}  // namespace cinderscope
