// Builds the font atlas for a scale and for the scripts that names are written in.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string_view>

#include "render/base/theme.h"

struct ImFontAtlas;

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

enum class FontCoverage : std::uint8_t {
  // Latin letters, and the signs and icons of the program's own texts: built in some milliseconds,
  // so that the first picture does not wait.
  first_picture,
  // Every script and sign that the built-in fonts have, and all characters that were met. Takes a
  // tenth of a second and more.
  whole,
};

struct FreeAtlas {
  void operator()(ImFontAtlas* atlas) const;
};
using FontAtlas = std::unique_ptr<ImFontAtlas, FreeAtlas>;
FontAtlas empty_atlas();

// An atlas with its texture in memory, and the fonts in it.
struct BuiltFonts {
  FontAtlas atlas;
  ImFont *words = nullptr, *heads = nullptr, *title = nullptr, *numbers = nullptr;
  ImFont *icons = nullptr, *code = nullptr, *code_bold = nullptr;
  float scale = 1;  // that they were made for
};

// Any thread, one at a time. Fonts for `wanted` come from the system, where fontconfig names one;
// without one, or with less coverage, such characters are drawn as boxes.
BuiltFonts build_fonts(float scale, FontCoverage coverage, const WantedCharacters& wanted);

// Makes the theme draw with them; they must live for as long as it does that.
void use_fonts(const BuiltFonts& fonts, Theme& theme);

}  // namespace cinderscope
