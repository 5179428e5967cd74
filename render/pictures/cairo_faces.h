// The fonts of a picture for cairo; only of builds that have it.
#pragma once

#include <optional>
#include <vector>

#include "render/pictures/cairo_painter.h"

// Of cairo and FreeType.
struct _cairo_font_face;  // NOLINT(bugprone-reserved-identifier)
struct FT_FaceRec_;

namespace cinderscope {

// One thread at a time: FreeType's library is shared. cairo keeps fonts for a while after their
// last use, and frees the faces with them.
class CairoFaces {
 public:
  explicit CairoFaces(const CairoFonts& fonts);
  ~CairoFaces();
  CairoFaces(const CairoFaces&) = delete;
  CairoFaces& operator=(const CairoFaces&) = delete;

  struct Glyph {
    _cairo_font_face* face;
    unsigned long index;
    bool has_outline;              // else a picture
    std::optional<float> advance;  // in em squares; of fonts that are not built in
  };
  // Of the font, else of another one that has it, else a box.
  Glyph glyph(PictureFont font, char32_t code) const;

 private:
  static constexpr std::size_t kBuiltIn = 3;
  struct Face {
    FT_FaceRec_* free_type = nullptr;
    _cairo_font_face* cairo = nullptr;
    std::vector<char32_t> characters;
  };
  void add(FT_FaceRec_* face, std::vector<char32_t> characters);

  std::vector<Face> faces_;
};

}  // namespace cinderscope
