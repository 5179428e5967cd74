#include "render/pictures/text_measure.h"

#include <ft2build.h>

#include <algorithm>
#include <unordered_map>

#include "render/text/label.h"
#include FT_FREETYPE_H
#include FT_OUTLINE_H

namespace cinderscope {
namespace {

constexpr char32_t kReplacement = 0xfffd, kBox = 0x25a1;

// Ideographs, kana, hangul and what is as wide: fonts that have them make them one em square wide.
bool is_wide(char32_t code) {
  return (code >= 0x1100 && code < 0x1160) || (code >= 0x2e80 && code < 0xa4d0) ||
         (code >= 0xac00 && code < 0xd7a4) || (code >= 0xf900 && code < 0xfb00) ||
         (code >= 0xff00 && code < 0xff61) || code >= 0x1f000;
}

}  // namespace

struct TextMeasure::Faces {
  FT_Library library = nullptr;
  std::array<FT_Face, 3> faces{};
  mutable std::array<std::unordered_map<char32_t, float>, 3> advances;

  FT_Face face(PictureFont font) const { return faces.at(static_cast<std::size_t>(font)); }
};

TextMeasure::TextMeasure(const PictureFonts& fonts) : faces_(std::make_unique<Faces>()) {
  if (FT_Init_FreeType(&faces_->library) != 0) return;
  for (const PictureFont font : {PictureFont::words, PictureFont::heads, PictureFont::numbers}) {
    const std::span<const std::byte> file = fonts.file(font);
    FT_New_Memory_Face(faces_->library, reinterpret_cast<const FT_Byte*>(file.data()),
                       static_cast<FT_Long>(file.size()), 0,
                       &faces_->faces.at(static_cast<std::size_t>(font)));
  }
}

TextMeasure::~TextMeasure() {
  for (FT_Face face : faces_->faces) {
    if (face != nullptr) FT_Done_Face(face);
  }
  if (faces_->library != nullptr) FT_Done_FreeType(faces_->library);
}

bool TextMeasure::has(PictureFont font, char32_t character) const {
  FT_Face face = faces_->face(font);
  return face != nullptr && FT_Get_Char_Index(face, character) != 0;
}

// Unhinted, so that a text is as wide at every size.
float TextMeasure::advance(PictureFont font, char32_t character) const {
  auto& known = faces_->advances.at(static_cast<std::size_t>(font));
  if (const auto found = known.find(character); found != known.end()) return found->second;
  FT_Face face = faces_->face(font);
  float em = 0.6f;
  if (is_wide(character)) {
    em = 1;
  } else if (face != nullptr && face->units_per_EM > 0) {
    FT_UInt glyph = FT_Get_Char_Index(face, character);
    if (glyph == 0) glyph = FT_Get_Char_Index(face, kBox);
    if (glyph != 0 && FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE) == 0) {
      em = static_cast<float>(face->glyph->metrics.horiAdvance) /
           static_cast<float>(face->units_per_EM);
    }
  }
  return known[character] = em;
}

float TextMeasure::width(PictureFont font, float size_px, std::string_view text) const {
  float em = 0;
  for (std::size_t at = 0; at < text.size();) em += advance(font, next_character(text, at));
  return em * size_px;
}

std::size_t TextMeasure::fit(PictureFont font, float size_px, std::string_view text,
                             float width_px) const {
  float em = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t before = at;
    em += advance(font, next_character(text, at));
    if (em * size_px > width_px) return before;
  }
  return text.size();
}

float TextMeasure::baseline_below_middle(PictureFont font, float size_px) const {
  FT_Face face = faces_->face(font);
  if (face == nullptr || face->units_per_EM == 0) return size_px * 0.36f;
  return static_cast<float>(face->ascender + face->descender) / 2 /
         static_cast<float>(face->units_per_EM) * size_px;
}

GlyphOutline TextMeasure::outline(PictureFont font, char32_t character) const {
  GlyphOutline out;
  FT_Face face = faces_->face(font);
  if (face == nullptr || face->units_per_EM == 0) return out;
  FT_UInt glyph = FT_Get_Char_Index(face, character);
  if (glyph == 0) {
    // The numbers' font has the box that stands for what no font has.
    if (font != PictureFont::numbers) return outline(PictureFont::numbers, character);
    glyph = FT_Get_Char_Index(face, kBox);
  }
  if (FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE) != 0) return out;
  if (face->glyph->format != FT_GLYPH_FORMAT_OUTLINE) return out;
  struct Sink {
    GlyphOutline* out;
    float unit;
    void add(GlyphOutline::Step::Kind kind, const FT_Vector* a, const FT_Vector* b = nullptr,
             const FT_Vector* c = nullptr) const {
      GlyphOutline::Step step{.kind = kind, .points = {}};
      std::size_t i = 0;
      for (const FT_Vector* each : {a, b, c}) {
        if (each == nullptr) break;
        step.points.at(i++) = {static_cast<float>(each->x) * unit,
                               -static_cast<float>(each->y) * unit};
      }
      out->steps.push_back(step);
    }
  } sink{&out, 1 / static_cast<float>(face->units_per_EM)};
  using Kind = GlyphOutline::Step::Kind;
  FT_Outline_Funcs calls{};
  calls.move_to = [](const FT_Vector* to, void* user) {
    static_cast<Sink*>(user)->add(Kind::move, to);
    return 0;
  };
  calls.line_to = [](const FT_Vector* to, void* user) {
    static_cast<Sink*>(user)->add(Kind::line, to);
    return 0;
  };
  calls.conic_to = [](const FT_Vector* by, const FT_Vector* to, void* user) {
    static_cast<Sink*>(user)->add(Kind::quadratic, by, to);
    return 0;
  };
  calls.cubic_to = [](const FT_Vector* a, const FT_Vector* b, const FT_Vector* to, void* user) {
    static_cast<Sink*>(user)->add(Kind::cubic, a, b, to);
    return 0;
  };
  FT_Outline_Decompose(&face->glyph->outline, &calls, &sink);
  return out;
}

char32_t next_character(std::string_view text, std::size_t& at) {
  const std::size_t bytes = std::min(character_bytes(text, at), text.size() - at);
  const auto byte = [&](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[at + i]));
  };
  char32_t code = byte(0);
  if (bytes == 1 && code >= 0x80) code = kReplacement;
  if (bytes == 2) code = (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f);
  if (bytes == 3) code = (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
  if (bytes == 4) {
    code =
        (byte(0) & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f);
  }
  at += bytes;
  return code;
}

bool runs_to_the_left(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = next_character(text, at);
    if ((code >= 0x0590 && code < 0x0900) || (code >= 0xfb1d && code < 0xfe00) ||
        (code >= 0xfe70 && code < 0xfeff) || (code >= 0x10800 && code < 0x11000)) {
      return true;
    }
    const bool letter = (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
    if (letter || (code >= 0xc0 && code < 0x2000) || (code >= 0x2c00 && code != kReplacement)) {
      return false;
    }
  }
  return false;
}

}  // namespace cinderscope
