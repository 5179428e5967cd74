#include "render/pictures/cairo_painter.h"

#include <fmt/format.h>

#include "render/text/time_text.h"

#ifdef CINDERSCOPE_CAIRO

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

#include "render/text/visual_text.h"

namespace cinderscope {
namespace {

constexpr double kMostSidePx = 32'767, kMostPixels = 400e6, kMostSidePt = 14'400;
constexpr double kPtPerPx = 0.75;

struct FreeSurface {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct FreeCairo {
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
};
using Surface = std::unique_ptr<cairo_surface_t, FreeSurface>;
using Cairo = std::unique_ptr<cairo_t, FreeCairo>;

// One picture at a time: FreeType's library is not to be used by two threads.
std::mutex& painting() {
  static std::mutex mutex;
  return mutex;
}

FT_Library library() {
  static FT_Library library = [] {
    FT_Library made = nullptr;
    return FT_Init_FreeType(&made) == 0 ? made : nullptr;
  }();
  return library;
}

// cairo keeps fonts for a while after their last use, and frees the faces with them.
class Faces {
 public:
  explicit Faces(const CairoFonts& fonts) {
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
  ~Faces() {
    for (Face& face : faces_) cairo_font_face_destroy(face.cairo);
  }
  Faces(const Faces&) = delete;
  Faces& operator=(const Faces&) = delete;

  struct Glyph {
    cairo_font_face_t* face;
    unsigned long index;
    std::optional<float> advance;  // in em squares; of fonts that are not built in
  };
  // Of the font, else of another one that has it, else a box.
  Glyph glyph(PictureFont font, char32_t code) const {
    const Face& wanted = faces_[static_cast<std::size_t>(font)];
    if (const FT_UInt index = of(wanted, code)) return {wanted.cairo, index, {}};
    const Face& numbers = faces_[static_cast<std::size_t>(PictureFont::numbers)];
    if (const FT_UInt index = of(numbers, code)) return {numbers.cairo, index, {}};
    for (std::size_t i = kBuiltIn; i < faces_.size(); ++i) {
      if (!std::ranges::binary_search(faces_[i].characters, code)) continue;
      if (const FT_UInt index = of(faces_[i], code)) {
        return {faces_[i].cairo, index, advance_of(faces_[i], index)};
      }
    }
    return {numbers.cairo, of(numbers, 0x25a1), {}};
  }

 private:
  static constexpr std::size_t kBuiltIn = 3;
  struct Face {
    FT_Face free_type = nullptr;
    cairo_font_face_t* cairo = nullptr;
    std::vector<char32_t> characters;
  };
  static FT_UInt of(const Face& face, char32_t code) {
    return face.free_type == nullptr ? 0 : FT_Get_Char_Index(face.free_type, code);
  }
  // None where a font has pictures of glyphs in place of outlines.
  static std::optional<float> advance_of(const Face& face, FT_UInt index) {
    FT_Face of = face.free_type;
    if (of->units_per_EM == 0 || FT_Load_Glyph(of, index, FT_LOAD_NO_SCALE) != 0) return {};
    return static_cast<float>(of->glyph->metrics.horiAdvance) /
           static_cast<float>(of->units_per_EM);
  }
  void add(FT_Face face, std::vector<char32_t> characters) {
    cairo_font_face_t* cairo = nullptr;
    if (face != nullptr) {
      static const cairo_user_data_key_t key{};
      cairo = cairo_ft_font_face_create_for_ft_face(face, FT_LOAD_NO_HINTING);
      const auto free_face = [](void* of) { FT_Done_Face(static_cast<FT_Face>(of)); };
      cairo_font_face_set_user_data(cairo, &key, face, free_face);
    }
    faces_.push_back({face, cairo, std::move(characters)});
  }

  std::vector<Face> faces_;
};

class CairoPainter {
 public:
  CairoPainter(cairo_t* cairo, const Faces& faces, const TextMeasure& measure, bool outlines,
               bool on_pixels)
      : cairo_(cairo),
        faces_(faces),
        measure_(measure),
        outlines_(outlines),
        on_pixels_(on_pixels) {
    // Unhinted: the same shapes and places at every scale.
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cairo_, options);
    cairo_font_options_destroy(options);
  }

  // What lies between two heights: a page.
  void paint(const DrawList& list, float from_px, float to_px) {
    if (list.background >> 24 != 0) {
      add(PictureBox{{0, from_px, list.width_px, to_px - from_px}, list.background});
    }
    for (const PictureItem& item : list.items) {
      std::visit([this](const auto& each) { add(each); }, item);
    }
  }

 private:
  void colour(Rgba value) {
    cairo_set_source_rgba(cairo_, static_cast<double>(value & 0xff) / 255,
                          static_cast<double>(value >> 8 & 0xff) / 255,
                          static_cast<double>(value >> 16 & 0xff) / 255,
                          static_cast<double>(value >> 24) / 255);
  }
  void rectangle(const Rect& rect) {
    cairo_rectangle(cairo_, static_cast<double>(rect.x), static_cast<double>(rect.y),
                    static_cast<double>(rect.width), static_cast<double>(rect.height));
  }
  void path(const std::vector<PicturePoint>& points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto x = static_cast<double>(points[i].x), y = static_cast<double>(points[i].y);
      if (i == 0) {
        cairo_move_to(cairo_, x, y);
      } else {
        cairo_line_to(cairo_, x, y);
      }
    }
  }

  void add(const PictureBox& box) {
    colour(box.colour);
    // Neighbours that share an edge leave no seam.
    cairo_set_antialias(cairo_, on_pixels_ ? CAIRO_ANTIALIAS_NONE : CAIRO_ANTIALIAS_DEFAULT);
    rectangle(box.rect);
    cairo_fill(cairo_);
    cairo_set_antialias(cairo_, CAIRO_ANTIALIAS_DEFAULT);
  }
  void add(const PictureOutline& outline) {
    colour(outline.colour);
    cairo_set_line_width(cairo_, static_cast<double>(outline.width_px));
    rectangle(outline.rect);
    cairo_stroke(cairo_);
  }
  void add(const PicturePolygon& polygon) {
    colour(polygon.colour);
    path(polygon.points);
    cairo_close_path(cairo_);
    cairo_fill(cairo_);
  }
  void add(const PictureLine& line) {
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

  void add(const PictureText& text) {
    colour(text.colour);
    cairo_set_font_size(cairo_, static_cast<double>(text.size_px));
    const std::string shown = needs_visual(text.text) ? visual_text(text.text) : text.text;
    // Other fonts are as wide as they are, but stay within the room that was measured.
    struct Placed {
      Faces::Glyph glyph;
      std::size_t begin, end;  // bytes of its character
      float advance_px;
    };
    std::vector<Placed> placed;
    float natural_px = 0;
    for (std::size_t at = 0; at < shown.size();) {
      const std::size_t before = at;
      const char32_t code = next_character(shown, at);
      const Faces::Glyph glyph = faces_.glyph(text.font, code);
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
        run = each.begin;
      }
      glyphs_.push_back({each.glyph.index, x, static_cast<double>(text.baseline_px)});
      lengths_.push_back(static_cast<int>(each.end - each.begin));
      x += static_cast<double>(each.advance_px * squeeze);
    }
    flush(face, shown.substr(std::min(run, shown.size())));
  }
  void flush(cairo_font_face_t* face, const std::string& text) {
    if (face != nullptr && !glyphs_.empty()) {
      cairo_set_font_face(cairo_, face);
      const auto count = static_cast<int>(glyphs_.size());
      if (outlines_) {
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

  void add(const PictureGroup& group) {
    cairo_save(cairo_);
    if (group.kind != PictureGroup::Kind::clip) return;
    rectangle(group.rect);
    cairo_clip(cairo_);
  }
  void add(const PictureEnd& /*end*/) { cairo_restore(cairo_); }

  cairo_t* cairo_;
  const Faces& faces_;
  const TextMeasure& measure_;
  bool outlines_, on_pixels_;
  std::vector<cairo_glyph_t> glyphs_;
  std::vector<int> lengths_;  // of their characters, in bytes
};

cairo_status_t append(void* closure, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

Error failure(cairo_status_t status) {
  return Error{
      .code = status == CAIRO_STATUS_NO_MEMORY ? ErrorCode::no_memory : ErrorCode::refused,
      .text = fmt::format("The picture cannot be drawn: {}", cairo_status_to_string(status)),
      .expected = {}};
}

// Where pages end, in pixels: at row borders, as far down as fits.
std::vector<float> page_ends(const DrawList& list, float page_px) {
  std::vector<float> ends;
  std::vector<float> borders = list.row_borders_px;
  std::ranges::sort(borders);
  float from = 0;
  while (list.height_px - from > page_px) {
    const auto next = std::ranges::upper_bound(borders, from + page_px);
    float end = from + page_px;
    if (next != borders.begin() && *(next - 1) > from + page_px / 8) end = *(next - 1);
    ends.push_back(end);
    from = end;
  }
  ends.push_back(list.height_px);
  return ends;
}

}  // namespace

bool has_cairo() {
  return true;
}

Result<std::string> png_of(const DrawList& list, const CairoFonts& fonts,
                           const TextMeasure& measure, double scale) {
  if (const Status fits = check_png_size(list.width_px, list.height_px, scale); !fits) {
    return fits.error();
  }
  const auto pixels = [scale](float px) {
    return std::max(static_cast<int>(std::ceil(static_cast<double>(px) * scale - 1e-6)), 1);
  };
  const std::scoped_lock one_at_a_time(painting());
  const Faces faces(fonts);
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, pixels(list.width_px),
                                                   pixels(list.height_px)));
  std::string out;
  {
    const Cairo cairo(cairo_create(surface.get()));
    cairo_scale(cairo.get(), scale, scale);
    CairoPainter(cairo.get(), faces, measure, false, true).paint(list, 0, list.height_px);
    if (cairo_status(cairo.get()) != CAIRO_STATUS_SUCCESS) {
      return failure(cairo_status(cairo.get()));
    }
  }
  const cairo_status_t written = cairo_surface_write_to_png_stream(surface.get(), append, &out);
  if (written != CAIRO_STATUS_SUCCESS) return failure(written);
  return out;
}

Result<std::string> pdf_of(const DrawList& list, const CairoFonts& fonts,
                           const TextMeasure& measure, const PdfOptions& options) {
  const auto width = static_cast<double>(list.width_px) * kPtPerPx;
  const auto height = static_cast<double>(list.height_px) * kPtPerPx;
  if (!options.page && (width > kMostSidePt || height > kMostSidePt)) {
    return refused(fmt::format(
        "A page of {:.0f} × {:.0f} pt would be too large. --page A4 puts it on several pages.",
        width, height));
  }
  const PdfPage page = options.page.value_or(PdfPage{width, height});
  const double scale = options.page
                           ? std::min(kPtPerPx, page.width_pt / static_cast<double>(list.width_px))
                           : kPtPerPx;
  const std::vector<float> ends = page_ends(
      list, options.page ? static_cast<float>(page.height_pt / scale) : list.height_px + 1);
  const std::scoped_lock one_at_a_time(painting());
  const Faces faces(fonts);
  std::string out;
  const Surface surface(
      cairo_pdf_surface_create_for_stream(append, &out, page.width_pt, page.height_pt));
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE,
                                 options.date.c_str());
  {
    float from = 0;
    for (const float end : ends) {
      const Cairo cairo(cairo_create(surface.get()));
      cairo_scale(cairo.get(), scale, scale);
      cairo_translate(cairo.get(), 0, -static_cast<double>(from));
      cairo_rectangle(cairo.get(), 0, static_cast<double>(from), static_cast<double>(list.width_px),
                      static_cast<double>(end - from));
      cairo_clip(cairo.get());
      CairoPainter(cairo.get(), faces, measure, options.outlines, false).paint(list, from, end);
      cairo_show_page(cairo.get());
      if (cairo_status(cairo.get()) != CAIRO_STATUS_SUCCESS) {
        return failure(cairo_status(cairo.get()));
      }
      from = end;
    }
  }
  cairo_surface_finish(surface.get());
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) {
    return failure(cairo_surface_status(surface.get()));
  }
  return out;
}

Status check_png_size(float width_px, float height_px, double scale) {
  const double width = std::ceil(static_cast<double>(width_px) * scale);
  const double height = std::ceil(static_cast<double>(height_px) * scale);
  if (width <= kMostSidePx && height <= kMostSidePx && width * height <= kMostPixels) return ok();
  return refused(
      fmt::format("A picture of {} × {} px would be too large. Show fewer rows "
                  "(--depth, --thread) or write SVG.",
                  count_text(static_cast<std::uint64_t>(width)),
                  count_text(static_cast<std::uint64_t>(height))));
}

}  // namespace cinderscope

#else

namespace cinderscope {
namespace {
constexpr const char* kNone = "This build writes pictures as SVG only: it was made without cairo.";
}

bool has_cairo() {
  return false;
}
Status check_png_size(float /*width_px*/, float /*height_px*/, double /*scale*/) {
  return refused(kNone);
}
Result<std::string> png_of(const DrawList& /*list*/, const CairoFonts& /*fonts*/,
                           const TextMeasure& /*measure*/, double /*scale*/) {
  return refused(kNone);
}
Result<std::string> pdf_of(const DrawList& /*list*/, const CairoFonts& /*fonts*/,
                           const TextMeasure& /*measure*/, const PdfOptions& /*options*/) {
  return refused(kNone);
}

}  // namespace cinderscope

#endif
