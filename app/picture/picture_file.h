// A picture as a file: its form, what is around it, how it is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/model/timeline.h"
#include "render/pictures/cairo_painter.h"
#include "render/pictures/sheet.h"

namespace cinderscope {

enum class PictureFormat : std::uint8_t { svg, png, pdf };
std::string_view word_of(PictureFormat format);
std::optional<PictureFormat> picture_format(std::string_view word);  // "svg"
// By the ending of a path.
std::optional<PictureFormat> format_of_path(std::string_view path);

// All about a picture but what it shows.
struct PictureStyle {
  PictureFormat format = PictureFormat::svg;
  float width_px = 1600;
  std::optional<float> height_px;  // as high as what is drawn
  double scale = 2;                // of PNG
  ThemeKind theme = ThemeKind::light;
  std::optional<Rgba> background;  // alpha 0: none; if not given that of the theme
  bool colour_blind = false;
  float font_px = 13, frame_px = 12;
  std::string title, caption;
  bool legend = false;
  bool titles = true;          // of SVG: what browsers show on hovering
  bool outlines = false;       // glyphs as shapes in place of text
  bool other_fonts = true;     // the system's, for what those built in lack; PNG and PDF
  std::size_t most_boxes = 0;  // 0: as many as the format takes well
  std::optional<PdfPage> page;

  std::size_t box_limit() const {
    if (most_boxes != 0) return most_boxes;
    return format == PictureFormat::svg ? 20'000 : 200'000;
  }
};

PictureLook look_of(const PictureStyle& style);
PictureSheet sheet_of(const PictureStyle& style);
const PictureFonts& built_in_fonts();

// "#rrggbb", "rrggbb" or "none".
std::optional<Rgba> picture_colour(std::string_view text);

// The member of an SVG that says where it is from; `trace` is a path or empty.
std::string picture_metadata(std::string_view of, std::string_view trace, TimeAxis axis,
                             std::int64_t begin_ns, std::int64_t end_ns);

// An Error: too large, or this build has no cairo.
Result<std::string> picture_bytes(const PictureStyle& style, const DrawList& list);

// Written aside and renamed. Refuses a file that exists unless `replace`, and any of the inputs.
Status save_picture(const std::string& path, std::string_view bytes,
                    const std::vector<std::string>& inputs, bool replace);

}  // namespace cinderscope
