// Pictures as PNG and PDF, where the program was built with cairo.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/base/result.h"
#include "render/pictures/draw_list.h"
#include "render/pictures/text_measure.h"

namespace cinderscope {

bool has_cairo();

// A font of the system for characters that those built in lack.
struct OtherFont {
  std::string path;
  int face = 0;                      // which of those in the file
  std::vector<char32_t> characters;  // ascending
};

struct CairoFonts {
  PictureFonts built_in;
  std::vector<OtherFont> others;  // without them such characters are boxes
};

// An Error before anything is drawn: it would be too large.
Status check_png_size(float width_px, float height_px, double scale);
Result<std::string> png_of(const DrawList& list, const CairoFonts& fonts,
                           const TextMeasure& measure, double scale);

struct PdfPage {
  double width_pt = 0, height_pt = 0;
};
struct PdfOptions {
  std::optional<PdfPage> page;  // none: one page as large as the picture, 1 px = 0.75 pt
  bool outlines = false;        // glyphs as shapes in place of text
  std::string date = "2000-01-01T00:00:00Z";
};
Result<std::string> pdf_of(const DrawList& list, const CairoFonts& fonts,
                           const TextMeasure& measure, const PdfOptions& options);

}  // namespace cinderscope
