// The ruler: labels, grid lines through the tracks, cursor hairline, selected range.
#pragma once

#include <optional>

#include "render/text/ruler_ticks.h"
#include "render/views/timeline/canvas.h"

namespace cinderscope {

// Draws the grid lines; call it before the boxes are drawn.
void draw_grid(const Canvas& canvas, const Ruler& ruler);
// The range whose length stands on the ruler: the selected one, or one that is only dragged over,
// which has no cross to clear it.
struct RulerRange {
  TimeRange range;
  bool selected = true;
};
// Draws the band with labels, and its head with the base time in the gutter's column. No label lies
// over another: ticks give way to the time of the cursor, and both to the length of the range.
void draw_ruler(const Canvas& canvas, const Ruler& ruler, const std::optional<RulerRange>& range);
// The parts of the selected range that the pointer can hit: its edges on the ruler and through all
// tracks, and on the ruler the bar between them with its length and a cross that clears the range.
enum class RangePart : std::uint8_t { none, begin, end, bar, cross };
RangePart range_part_at(const Canvas& canvas, const TimeRange& range, ImVec2 point);

// Draws over the boxes: dims everything outside of `range`, and shows its edges and its length.
struct RangeLook {
  bool selected = true;  // false: it is only being dragged over, and has no cross
  RangePart hovered = RangePart::none;
  bool with_length = true;
};
void draw_range(const Canvas& canvas, const TimeRange& range, RangeLook look);
// Draws the cursor. Its time stands on the ruler, unless it would cover the part under the pointer.
void draw_cursor(const Canvas& canvas, const Ruler& ruler, const std::optional<RulerRange>& range,
                 std::int64_t time_ns, bool with_time);

}  // namespace cinderscope
