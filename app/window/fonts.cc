#include "app/window/fonts.h"

#include <ft2build.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "app/desktop/system_fonts.h"
#include "app/picture/font_data.h"
#include "app/window/drawn_glyphs.h"
#include "render/text/label.h"
#include "render/text/visual_text.h"
#include "render/views/widgets/imgui_versions.h"
#include FT_FREETYPE_H

namespace cinderscope {
namespace {

// What Inter and JetBrains Mono cover and names often need: Latin, Greek, Cyrillic, punctuation,
// letter-like signs, arrows, mathematics, shapes.
constexpr ImWchar kBuiltInRanges[] = {0x20,   0x24f,  0x2b0,  0x2ff,  0x370,  0x3ff,  0x400,
                                      0x52f,  0x1e00, 0x1eff, 0x2000, 0x206f, 0x20a0, 0x20bf,
                                      0x2100, 0x218f, 0x2190, 0x21ff, 0x2200, 0x22ff, 0x2300,
                                      0x23ff, 0x25a0, 0x25ff, 0xfffd, 0xfffd, 0};
constexpr ImWchar kKeywordRanges[] = {0x20, 0x7e, 0};
constexpr ImWchar kIconRanges[] = {0xf000, 0xf3ff, 0};
// Latin-1, and what the program itself writes beyond that.
constexpr ImWchar kFirstRanges[] = {0x20,   0x7e,   0xa0,   0xff,   0x3bc,  0x3bc, 0x2010,
                                    0x2026, 0x2190, 0x2193, 0xfffd, 0xfffd, 0};
// The icons of bars, gutter and tables. One that is missing here comes with the whole font.
constexpr ImWchar kFirstIconRanges[] = {
    0xf00c, 0xf00d, 0xf017, 0xf017, 0xf042, 0xf042, 0xf046, 0xf046, 0xf05b, 0xf05b, 0xf060,
    0xf061, 0xf065, 0xf066, 0xf070, 0xf071, 0xf07c, 0xf07c, 0xf08d, 0xf08d, 0xf0b0, 0xf0b0,
    0xf0c5, 0xf0c7, 0xf0d7, 0xf0da, 0xf0e2, 0xf0e2, 0xf128, 0xf128, 0};

bool is_built_in(char32_t character) {
  for (std::size_t i = 0; kBuiltInRanges[i] != 0; i += 2) {
    if (character >= kBuiltInRanges[i] && character <= kBuiltInRanges[i + 1]) return true;
  }
  return character < 0x20;
}

char32_t decode(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  switch (bytes.size()) {
    case 2:
      return (byte(0) & 0x1fu) << 6 | (byte(1) & 0x3fu);
    case 3:
      return (byte(0) & 0x0fu) << 12 | (byte(1) & 0x3fu) << 6 | (byte(2) & 0x3fu);
    case 4:
      return (byte(0) & 0x07u) << 18 | (byte(1) & 0x3fu) << 12 | (byte(2) & 0x3fu) << 6 |
             (byte(3) & 0x3fu);
    default:
      return 0;
  }
}

// How far above and below the baseline a font's letters reach, in em squares.
struct FontReach {
  float ascent = 1, descent = 0;
};
FontReach reach_of(std::span<const std::byte> file) {
  FT_Library library = nullptr;
  FT_Face face = nullptr;
  FontReach reach;
  if (FT_Init_FreeType(&library) != 0) return reach;
  if (FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(file.data()),
                         static_cast<FT_Long>(file.size()), 0, &face) == 0) {
    if (face->units_per_EM > 0) {
      const auto em = static_cast<float>(face->units_per_EM);
      reach = {static_cast<float>(face->ascender) / em, -static_cast<float>(face->descender) / em};
    }
    FT_Done_Face(face);
  }
  FT_Done_FreeType(library);
  return reach;
}

// ImGui sizes a font by ascender to descender, designers by the em square.
float size_from_em(std::span<const std::byte> file, float em_px) {
  const FontReach reach = reach_of(file);
  return em_px * (reach.ascent + reach.descent);
}

ImFont* add_font(ImFontAtlas& atlas, std::span<const std::byte> file, float em_px,
                 const ImWchar* ranges, bool merge = false) {
  ImFontConfig config;
  config.MergeMode = merge;
  config.FontDataOwnedByAtlas = false;
  config.OversampleH = 1;
  config.PixelSnapH = true;
  hint_lightly(config);
  // The atlas only reads the file; its interface lacks the const.
  void* data = const_cast<std::byte*>(file.data());
  return atlas.AddFontFromMemoryTTF(data, static_cast<int>(file.size()), size_from_em(file, em_px),
                                    &config, ranges);
}

struct FallbackFont {
  SystemFont font;
  std::vector<ImWchar> ranges;  // pairs, ends with 0
};

std::vector<FallbackFont> fallback_fonts(const std::set<char32_t>& characters) {
  std::vector<FallbackFont> fallbacks;
  for (SystemFont& font : system_fonts_with(characters)) {
    FallbackFont& fallback = fallbacks.emplace_back();
    for (const char32_t character : font.characters) {
      fallback.ranges.insert(fallback.ranges.end(), 2, static_cast<ImWchar>(character));
    }
    fallback.ranges.push_back(0);
    fallback.font = std::move(font);
  }
  return fallbacks;
}

// Merged into the font added last. `fonts` has to live until the atlas is built.
void merge_fallbacks(ImFontAtlas& atlas, const std::vector<FallbackFont>& fonts, float em_px) {
  for (const auto& [font, ranges] : fonts) {
    ImFontConfig config;
    config.MergeMode = true;
    config.OversampleH = 1;
    config.PixelSnapH = true;
    config.FontNo = font.face & 0xffff;
    hint_lightly(config);
    atlas.AddFontFromFileTTF(font.path.c_str(), em_px * 1.2f, &config, ranges.data());
  }
}

// Inter lacks U+FFFD, which stands for bytes that are no text, and the box.
void merge_replacement(ImFontAtlas& atlas, float em_px) {
  static constexpr ImWchar kReplacementRange[] = {0x25a1, 0x25a1, 0xfffd, 0xfffd, 0};
  add_font(atlas, numbers_font_file(), em_px, kReplacementRange, true);
}

}  // namespace

void FreeAtlas::operator()(ImFontAtlas* atlas) const {
  delete atlas;
}

FontAtlas empty_atlas() {
  return FontAtlas(new ImFontAtlas);
}

bool WantedCharacters::note(std::string_view text) {
  bool grown = note_plain(text);
  if (!needs_visual(text)) return grown;
  grown |= note_plain(visual_text(text));
  // Letters of Arabic take other forms where a text is cut: all of them, they are not many.
  constexpr char32_t kArabic = 0x0600, kArabicEnd = 0x0700, kForms = 0xfe70, kFormsEnd = 0xfefd;
  const auto arabic = characters_.lower_bound(kArabic);
  if (arabic != characters_.end() && *arabic < kArabicEnd) {
    for (char32_t form = kForms; form < kFormsEnd; ++form) {
      if (characters_.size() < kMaxCharacters) grown |= characters_.insert(form).second;
    }
  }
  return grown;
}

bool WantedCharacters::note_plain(std::string_view text) {
  bool grown = false;
  for (std::size_t at = 0; at < text.size() && characters_.size() < kMaxCharacters;) {
    const std::size_t bytes = character_bytes(text, at);
    if (bytes > 1) {
      const char32_t character = decode(text.substr(at, bytes));
      // ImGui's characters may have 16 bits only; what lies beyond is drawn as a box.
      constexpr auto kLast = static_cast<char32_t>(IM_UNICODE_CODEPOINT_MAX);
      if (character <= kLast && !is_built_in(character)) {
        grown |= characters_.insert(character).second;
      }
    }
    at += std::max<std::size_t>(bytes, 1);
  }
  return grown;
}

// ImGui counts its allocations in the current context without a lock, for its own metrics window
// only: that the count may be off is all that comes of building beside the window's thread.
BuiltFonts build_fonts(float scale, FontCoverage coverage, const WantedCharacters& wanted) {
  BuiltFonts built;
  built.atlas = empty_atlas();
  built.scale = scale;
  ImFontAtlas& atlas = *built.atlas;
  use_freetype(atlas);
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
  atlas.TexGlyphPadding = 1;
  const bool whole = coverage == FontCoverage::whole;
  std::vector<FallbackFont> fallbacks;
  DrawnGlyphs drawn;
  const bool wants_more = whole && !wanted.characters().empty();
  if (wants_more) fallbacks = fallback_fonts(wanted.characters());

  const ImWchar* const ranges = whole ? kBuiltInRanges : kFirstRanges;
  enum class Strength : std::uint8_t { plain, bold };
  const auto add_others = [&](ImFont* font, std::span<const std::byte> file, float em_px,
                              Strength strength) {
    merge_fallbacks(atlas, fallbacks, em_px);
    if (!wants_more) return font;
    drawn.add(atlas, *font,
              drawn_characters(wanted.characters(), em_px, strength == Strength::bold),
              std::ceil(reach_of(file).ascent * em_px));
    return font;
  };
  const auto add_words = [&](std::span<const std::byte> file, float em_px, Strength strength) {
    ImFont* font = add_font(atlas, file, em_px, ranges);
    merge_replacement(atlas, em_px);
    return add_others(font, file, em_px, strength);
  };
  const auto add_numbers = [&](float em_px) {
    return add_others(add_font(atlas, numbers_font_file(), em_px, ranges), numbers_font_file(),
                      em_px, Strength::plain);
  };
  built.words = add_words(words_font_file(), 13 * scale, Strength::plain);
  built.heads = add_words(heads_font_file(), 13 * scale, Strength::bold);
  built.title = add_words(heads_font_file(), 14 * scale, Strength::bold);
  built.numbers = add_numbers(12.5f * scale);
  built.code = add_numbers(13 * scale);
  built.code_bold = add_font(atlas, bold_font_file(), 13 * scale, kKeywordRanges);
  built.icons =
      add_font(atlas, icons_font_file(), 14 * scale, whole ? kIconRanges : kFirstIconRanges);
  // A box for each character that no font has; ImGui's own choice would be U+FFFD, which says that
  // the bytes are wrong.
  for (ImFont* font : {built.words, built.heads, built.title, built.numbers, built.code}) {
    font->FallbackChar = 0x25a1;
  }
  atlas.Build();
  drawn.paint(atlas);
  unsigned char* pixels = nullptr;
  int width = 0;
  int height = 0;
  atlas.GetTexDataAsRGBA32(&pixels, &width, &height);  // as the renderer wants it
  return built;
}

void use_fonts(const BuiltFonts& fonts, Theme& theme) {
  theme.words = fonts.words;
  theme.heads = fonts.heads;
  theme.title = fonts.title;
  theme.numbers = fonts.numbers;
  theme.icons = fonts.icons;
  theme.code = fonts.code;
  theme.code_bold = fonts.code_bold;
}

}  // namespace cinderscope
