// Characters that the system drew, as letters of a font atlas.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "app/desktop/system_fonts.h"

struct ImFont;
struct ImFontAtlas;

namespace cinderscope {

// Any thread, one at a time.
class DrawnGlyphs {
 public:
  // Before the atlas is built. `baseline_px` is below a line's top.
  void add(ImFontAtlas& atlas, ImFont& font, std::vector<DrawnCharacter> characters,
           float baseline_px);
  // Once it is, and before its texture is taken as RGBA.
  void paint(ImFontAtlas& atlas) const;

 private:
  std::vector<std::pair<int, DrawnCharacter>> pictures_;  // each with its place's number
};

}  // namespace cinderscope
