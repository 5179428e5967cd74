// Instants of a whole process or of all, as lines over the tracks that they belong to.
#pragma once

#include "render/views/timeline/slice_boxes.h"

namespace cinderscope {

// Over the boxes and below their names. The caller sets the clip rectangle.
void draw_wide_instants(const Canvas& canvas, const Layout& layout, const Emphasis& emphasis);

}  // namespace cinderscope
