// The ruler: labels, grid lines through the tracks, cursor hairline, selected range.
#pragma once

#include "render/text/time_text.h"
#include "render/views/timeline/canvas.h"

namespace cinderscope {

// Grid lines; drawn before the boxes.
void draw_grid(const Canvas& canvas, const Ruler& ruler);
// The band with labels, and its head in the gutter's column with the base time.
void draw_ruler(const Canvas& canvas, const Ruler& ruler);
// What of the selected range the pointer can meet: its edges on the ruler and through all tracks,
// and on the ruler the bar between them with its length and a cross that gives the range up.
enum class RangePart : std::uint8_t { none, begin, end, bar, cross };
RangePart range_part_at(const Canvas& canvas, const TimeRange& range, ImVec2 point);

// What lies over the boxes: dims all outside of `range`, its edges and its length on the ruler.
struct RangeLook {
  bool selected = true;  // false: it is only being marked, and has no cross
  RangePart hovered = RangePart::none;
};
void draw_range(const Canvas& canvas, const TimeRange& range, RangeLook look);
// Its time stands on the ruler unless that would cover what is pointed at there.
void draw_cursor(const Canvas& canvas, const Ruler& ruler, std::int64_t time_ns, bool with_time);

}  // namespace cinderscope
