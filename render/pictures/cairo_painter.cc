#include "render/pictures/cairo_painter.h"

#include <fmt/format.h>

#include "render/text/time_text.h"

#ifdef CINDERSCOPE_CAIRO

#include <cairo-pdf.h>
#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

#include "render/pictures/cairo_brush.h"

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
  const CairoFaces faces(fonts);
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, pixels(list.width_px),
                                                   pixels(list.height_px)));
  std::string out;
  {
    const Cairo cairo(cairo_create(surface.get()));
    cairo_scale(cairo.get(), scale, scale);
    paint_items(cairo.get(), list, faces, measure,
                {.outlines = false, .on_pixels = true, .from_px = 0, .to_px = list.height_px});
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
  const CairoFaces faces(fonts);
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
      paint_items(
          cairo.get(), list, faces, measure,
          {.outlines = options.outlines, .on_pixels = false, .from_px = from, .to_px = end});
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
