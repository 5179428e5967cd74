// Draws slices as boxes with their names and states, and instants as diamonds.
#pragma once

#include "render/layout/box_image.h"
#include "render/layout/layout.h"
#include "render/views/timeline/canvas.h"
#include "render/views/widgets/label_cache.h"

namespace cinderscope {

// The boxes that stand out in this frame.
struct Emphasis {
  SliceRef selected, hovered;
  InstantRef selected_instant, hovered_instant;
  StringId hovered_name = kNoName;  // kNoName: nothing is hovered
};

// draw_boxes() draws the boxes; then the caller draws over them; then come outlines, labels and
// instants. The caller sets the clip rectangle.
// `image` shows the boxes of `layout`.
void draw_flame_boxes(const Canvas& canvas, const Layout& layout, const BoxImage& image);
void draw_flame_labels(const Canvas& canvas, const Layout& layout, const Emphasis& emphasis,
                       LabelCache& labels);

}  // namespace cinderscope
