// Draws the items of a picture with cairo; only of builds that have it.
#pragma once

#include "render/pictures/cairo_faces.h"
#include "render/pictures/draw_list.h"
#include "render/pictures/text_measure.h"

struct _cairo;  // of cairo. NOLINT(bugprone-reserved-identifier)

namespace cinderscope {

struct BrushOptions {
  bool outlines = false;         // text as shapes
  bool on_pixels = false;        // else on a page
  float from_px = 0, to_px = 0;  // what lies between two heights: a page
};
void paint_items(_cairo* cairo, const DrawList& list, const CairoFaces& faces,
                 const TextMeasure& measure, const BrushOptions& options);

}  // namespace cinderscope
