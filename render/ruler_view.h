// The ruler: labels, grid lines through the tracks, cursor hairline, selected range.
#pragma once

#include "render/canvas_view.h"
#include "render/time_text.h"

namespace cinderscope {

// Grid lines; drawn before the boxes.
void draw_grid(const Canvas& canvas, const Ruler& ruler);
// The band with labels, and its head in the gutter's column with the base time.
void draw_ruler(const Canvas& canvas, const Ruler& ruler);
// What lies over the boxes: dims all outside of `range`, its edges and its length on the ruler.
void draw_range(const Canvas& canvas, const TimeRange& range);
void draw_cursor(const Canvas& canvas, const Ruler& ruler, std::int64_t time_ns);

}  // namespace cinderscope
