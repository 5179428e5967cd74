// Draws slices as boxes with their names and states, and instants as diamonds.
#pragma once

#include <span>

#include "render/layout/box_image.h"
#include "render/layout/layout.h"
#include "render/views/timeline/canvas.h"
#include "render/views/widgets/label_cache.h"

namespace cinderscope {

// The boxes that stand out in this frame.
struct Emphasis {
  SliceRef selected, hovered;
  InstantRef selected_instant, hovered_instant;
  StringId hovered_name = kNoName;                // kNoName: nothing is hovered
  std::span<const StringId> outlined_names = {};  // ascending: as if these were hovered
};

// Draws the boxes of `layout`, which `image` shows. The caller sets the clip rectangle.
void draw_slice_boxes(const Canvas& canvas, const Layout& layout, const BoxImage& image);
// Draws outlines, labels and instants over the boxes and over what the caller has drawn on these.
void draw_slice_labels(const Canvas& canvas, const Layout& layout, const Emphasis& emphasis,
                       LabelCache& labels);

}  // namespace cinderscope
