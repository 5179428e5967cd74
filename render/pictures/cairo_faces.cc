#ifdef CINDERSCOPE_CAIRO

#include "render/pictures/cairo_faces.h"

#include <cairo-ft.h>
#include <ft2build.h>

#include <algorithm>
#include <utility>
#include FT_FREETYPE_H

namespace cinderscope {
namespace {

FT_Library library() {
  static FT_Library library = [] {
    FT_Library made = nullptr;
    return FT_Init_FreeType(&made) == 0 ? made : nullptr;
  }();
  return library;
}

FT_UInt index_of(FT_Face face, char32_t code) {
  return face == nullptr ? 0 : FT_Get_Char_Index(face, code);
}

// None where a font has pictures of glyphs in place of outlines.
std::optional<float> advance_of(FT_Face face, FT_UInt index) {
  if (face->units_per_EM == 0 || FT_Load_Glyph(face, index, FT_LOAD_NO_SCALE) != 0) return {};
  return static_cast<float>(face->glyph->metrics.horiAdvance) /
         static_cast<float>(face->units_per_EM);
}

}  // namespace

CairoFaces::CairoFaces(const CairoFonts& fonts) {
  for (const PictureFont font : {PictureFont::words, PictureFont::heads, PictureFont::numbers}) {
    const auto file = fonts.built_in.file(font);
    FT_Face face = nullptr;
    FT_New_Memory_Face(library(), reinterpret_cast<const FT_Byte*>(file.data()),
                       static_cast<FT_Long>(file.size()), 0, &face);
    add(face, {});
  }
  for (const OtherFont& other : fonts.others) {
    FT_Face face = nullptr;
    FT_New_Face(library(), other.path.c_str(), other.face & 0xffff, &face);
    if (face != nullptr) add(face, other.characters);
  }
}

CairoFaces::~CairoFaces() {
  for (Face& face : faces_) cairo_font_face_destroy(face.cairo);
}

CairoFaces::Glyph CairoFaces::glyph(PictureFont font, char32_t code) const {
  const Face& wanted = faces_[static_cast<std::size_t>(font)];
  if (const FT_UInt index = index_of(wanted.free_type, code)) {
    return {wanted.cairo, index, true, {}};
  }
  const Face& numbers = faces_[static_cast<std::size_t>(PictureFont::numbers)];
  if (const FT_UInt index = index_of(numbers.free_type, code)) {
    return {numbers.cairo, index, true, {}};
  }
  for (std::size_t i = kBuiltIn; i < faces_.size(); ++i) {
    if (!std::ranges::binary_search(faces_[i].characters, code)) continue;
    FT_Face face = faces_[i].free_type;
    if (const FT_UInt index = index_of(face, code)) {
      return {faces_[i].cairo, index, FT_IS_SCALABLE(face) && !FT_HAS_COLOR(face),
              advance_of(face, index)};
    }
  }
  return {numbers.cairo, index_of(numbers.free_type, 0x25a1), true, {}};
}

void CairoFaces::add(FT_Face face, std::vector<char32_t> characters) {
  cairo_font_face_t* cairo = nullptr;
  if (face != nullptr) {
    static const cairo_user_data_key_t key{};
    cairo = cairo_ft_font_face_create_for_ft_face(face, FT_LOAD_NO_HINTING);
    const auto free_face = [](void* of) { FT_Done_Face(static_cast<FT_Face>(of)); };
    cairo_font_face_set_user_data(cairo, &key, face, free_face);
  }
  faces_.push_back({face, cairo, std::move(characters)});
}

}  // namespace cinderscope

#endif
