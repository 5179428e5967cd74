#ifdef CINDERSCOPE_CAIRO

#include "render/pictures/cairo_brush.h"

#include <cairo.h>

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "render/text/visual_text.h"

namespace cinderscope {
namespace {

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

CairoBrush::CairoBrush(cairo_t* cairo, const CairoFaces& faces, const TextMeasure& measure,
                       bool outlines, bool on_pixels)
    : cairo_(cairo), faces_(faces), measure_(measure), outlines_(outlines), on_pixels_(on_pixels) {
  // Unhinted: the same shapes and places at every scale.
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(cairo_, options);
  cairo_font_options_destroy(options);
}

// What lies between two heights: a page.
void CairoBrush::paint(const DrawList& list, float from_px, float to_px) {
  if (list.background >> 24 != 0) {
    add(PictureBox{{0, from_px, list.width_px, to_px - from_px}, list.background});
  }
  for (const PictureItem& item : list.items) {
    std::visit([this](const auto& each) { add(each); }, item);
  }
}

void CairoBrush::colour(Rgba value) {
  cairo_set_source_rgba(
      cairo_, static_cast<double>(value & 0xff) / 255, static_cast<double>(value >> 8 & 0xff) / 255,
      static_cast<double>(value >> 16 & 0xff) / 255, static_cast<double>(value >> 24) / 255);
}

void CairoBrush::rectangle(const Rect& rect) {
  cairo_rectangle(cairo_, static_cast<double>(rect.x), static_cast<double>(rect.y),
                  static_cast<double>(rect.width), static_cast<double>(rect.height));
}

void CairoBrush::path(const std::vector<PicturePoint>& points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto x = static_cast<double>(points[i].x), y = static_cast<double>(points[i].y);
    if (i == 0) {
      cairo_move_to(cairo_, x, y);
    } else {
      cairo_line_to(cairo_, x, y);
    }
  }
}

void CairoBrush::add(const PictureBox& box) {
  colour(box.colour);
  // Neighbours that share an edge leave no seam.
  cairo_set_antialias(cairo_, on_pixels_ ? CAIRO_ANTIALIAS_NONE : CAIRO_ANTIALIAS_DEFAULT);
  rectangle(box.rect);
  cairo_fill(cairo_);
  cairo_set_antialias(cairo_, CAIRO_ANTIALIAS_DEFAULT);
}

void CairoBrush::add(const PictureOutline& outline) {
  colour(outline.colour);
  cairo_set_line_width(cairo_, static_cast<double>(outline.width_px));
  rectangle(outline.rect);
  cairo_stroke(cairo_);
}

void CairoBrush::add(const PicturePolygon& polygon) {
  colour(polygon.colour);
  path(polygon.points);
  cairo_close_path(cairo_);
  cairo_fill(cairo_);
}

void CairoBrush::add(const PictureLine& line) {
  if (line.points.empty()) return;
  colour(line.colour);
  cairo_set_line_width(cairo_, static_cast<double>(line.width_px));
  if (line.curved && line.points.size() == 4) {
    const auto x = [&](std::size_t i) { return static_cast<double>(line.points[i].x); };
    const auto y = [&](std::size_t i) { return static_cast<double>(line.points[i].y); };
    cairo_move_to(cairo_, x(0), y(0));
    cairo_curve_to(cairo_, x(1), y(1), x(2), y(2), x(3), y(3));
  } else {
    path(line.points);
  }
  cairo_stroke(cairo_);
}

void CairoBrush::add(const PictureText& text) {
  colour(text.colour);
  cairo_set_font_size(cairo_, static_cast<double>(text.size_px));
  const std::string shown = needs_visual(text.text) ? visual_text(text.text) : text.text;
  // Other fonts are as wide as they are, but stay within the room that was measured.
  struct Placed {
    CairoFaces::Glyph glyph;
    std::size_t begin, end;  // bytes of its character
    float advance_px;
  };
  std::vector<Placed> placed;
  float natural_px = 0;
  for (std::size_t at = 0; at < shown.size();) {
    const std::size_t before = at;
    const char32_t code = next_character(shown, at);
    const CairoFaces::Glyph glyph = faces_.glyph(text.font, code);
    const float em = glyph.advance.value_or(measure_.advance(text.font, code));
    placed.push_back({glyph, before, at, em * text.size_px});
    natural_px += placed.back().advance_px;
  }
  const float squeeze = natural_px > text.width_px ? text.width_px / natural_px : 1;
  const bool to_the_left = runs_to_the_left(text.text);
  auto x =
      static_cast<double>(text.x + (to_the_left ? text.width_px - natural_px * squeeze : 0.0f));
  glyphs_.clear();
  lengths_.clear();
  cairo_font_face_t* face = nullptr;
  std::size_t run = 0;  // where the glyphs of this face begin in the text
  for (const Placed& each : placed) {
    if (each.glyph.face != face) {
      flush(face, shown.substr(run, each.begin - run));
      face = each.glyph.face;
      // cairo puts glyphs on whole pixels, and so letters apart as no other program has them.
      as_shapes_ = outlines_ || (on_pixels_ && each.glyph.has_outline);
      run = each.begin;
    }
    glyphs_.push_back({each.glyph.index, x, static_cast<double>(text.baseline_px)});
    lengths_.push_back(static_cast<int>(each.end - each.begin));
    x += static_cast<double>(each.advance_px * squeeze);
  }
  flush(face, shown.substr(std::min(run, shown.size())));
}

void CairoBrush::flush(cairo_font_face_t* face, const std::string& text) {
  if (face != nullptr && !glyphs_.empty()) {
    cairo_set_font_face(cairo_, face);
    const auto count = static_cast<int>(glyphs_.size());
    if (as_shapes_) {
      cairo_glyph_path(cairo_, glyphs_.data(), count);
      cairo_fill(cairo_);
    } else {
      std::vector<cairo_text_cluster_t> clusters;
      for (const int bytes : lengths_) clusters.push_back({bytes, 1});
      cairo_show_text_glyphs(cairo_, text.data(), static_cast<int>(text.size()), glyphs_.data(),
                             count, clusters.data(), count, {});
    }
  }
  glyphs_.clear();
  lengths_.clear();
}

void CairoBrush::add(const PictureGroup& group) {
  cairo_save(cairo_);
  if (group.kind != PictureGroup::Kind::clip) return;
  rectangle(group.rect);
  cairo_clip(cairo_);
}

void CairoBrush::add(const PictureEnd& /*end*/) {
  cairo_restore(cairo_);
}

}  // namespace

void paint_items(_cairo* cairo, const DrawList& list, const CairoFaces& faces,
                 const TextMeasure& measure, const BrushOptions& options) {
  CairoBrush(cairo, faces, measure, options.outlines, options.on_pixels)
      .paint(list, options.from_px, options.to_px);
}

}  // namespace cinderscope

#endif
