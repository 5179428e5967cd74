// Draws the items of a picture with cairo; only of builds that have it.
#pragma once

#include <cairo.h>

#include <string>
#include <vector>

#include "render/pictures/cairo_faces.h"
#include "render/pictures/draw_list.h"
#include "render/pictures/text_measure.h"

namespace cinderscope {

class CairoBrush {
 public:
  // `outlines`: text as shapes; `on_pixels`: to pixels, else to a page.
  CairoBrush(cairo_t* cairo, const CairoFaces& faces, const TextMeasure& measure, bool outlines,
             bool on_pixels);

  // What lies between two heights: a page.
  void paint(const DrawList& list, float from_px, float to_px);

 private:
  void colour(Rgba value);
  void rectangle(const Rect& rect);
  void path(const std::vector<PicturePoint>& points);
  void add(const PictureBox& box);
  void add(const PictureOutline& outline);
  void add(const PicturePolygon& polygon);
  void add(const PictureLine& line);
  void add(const PictureText& text);
  void add(const PictureGroup& group);
  void add(const PictureEnd& end);
  void flush(cairo_font_face_t* face, const std::string& text);

  cairo_t* cairo_;
  const CairoFaces& faces_;
  const TextMeasure& measure_;
  bool outlines_, on_pixels_;
  bool as_shapes_ = false;  // the glyphs that wait
  std::vector<cairo_glyph_t> glyphs_;
  std::vector<int> lengths_;  // of their characters, in bytes
};

}  // namespace cinderscope
