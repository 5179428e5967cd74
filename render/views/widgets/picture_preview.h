// Draws a picture with Dear ImGui: the third of its painters.
#pragma once

#include "render/pictures/draw_list.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

// From the upper left corner of `area` on, cut at its edges, at `scale`.
void draw_preview(const Pen& pen, const DrawList& list, const Rect& area, float scale);

}  // namespace cinderscope
