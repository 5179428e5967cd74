#include "app/desktop/system_fonts.h"

#include <fontconfig/fontconfig.h>

#include <memory>
#include <utility>

namespace cinderscope {
namespace {

constexpr std::size_t kMostFonts = 8;

template <class T, void (*Free)(T*)>
struct Freed {
  void operator()(T* value) const { Free(value); }
};
using CharSet = std::unique_ptr<FcCharSet, Freed<FcCharSet, FcCharSetDestroy>>;
using Pattern = std::unique_ptr<FcPattern, Freed<FcPattern, FcPatternDestroy>>;
using FontSet = std::unique_ptr<FcFontSet, Freed<FcFontSet, FcFontSetDestroy>>;

// Scalable fonts without serifs, those with most of `characters` first.
FontSet sorted_fonts(const std::set<char32_t>& characters) {
  const CharSet wanted(FcCharSetCreate());
  for (const char32_t character : characters) FcCharSetAddChar(wanted.get(), character);
  const Pattern pattern(FcPatternCreate());
  FcPatternAddCharSet(pattern.get(), FC_CHARSET, wanted.get());
  FcPatternAddString(pattern.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>("sans-serif"));
  FcPatternAddBool(pattern.get(), FC_SCALABLE, FcTrue);
  FcConfigSubstitute(nullptr, pattern.get(), FcMatchPattern);
  FcDefaultSubstitute(pattern.get());
  FcResult result = FcResultMatch;
  return FontSet(FcFontSort(nullptr, pattern.get(), FcTrue, nullptr, &result));
}

}  // namespace

std::vector<SystemFont> system_fonts_with(const std::set<char32_t>& characters) {
  std::vector<SystemFont> fonts;
  const FontSet sorted = sorted_fonts(characters);
  if (!sorted) return fonts;
  std::set<char32_t> left = characters;
  for (int i = 0; i < sorted->nfont && !left.empty() && fonts.size() < kMostFonts; ++i) {
    FcChar8* path = nullptr;
    FcCharSet* covered = nullptr;
    FcPattern* candidate = sorted->fonts[i];
    if (FcPatternGetString(candidate, FC_FILE, 0, &path) != FcResultMatch) continue;
    if (FcPatternGetCharSet(candidate, FC_CHARSET, 0, &covered) != FcResultMatch) continue;
    SystemFont font{.path = reinterpret_cast<const char*>(path)};
    FcPatternGetInteger(candidate, FC_INDEX, 0, &font.face);
    for (const char32_t character : left) {
      if (FcCharSetHasChar(covered, character) == FcTrue) font.characters.push_back(character);
    }
    for (const char32_t character : font.characters) left.erase(character);
    if (!font.characters.empty()) fonts.push_back(std::move(font));
  }
  return fonts;
}

std::vector<DrawnCharacter> drawn_characters(const std::set<char32_t>&, float, bool) {
  return {};
}

}  // namespace cinderscope
