// The canvas of one frame of the timeline: rectangles of its parts, colours and fonts.
#pragma once

#include <cstdint>

#include "render/base/palette.h"
#include "render/views/timeline/timeline.h"
#include "render/views/widgets/draw.h"

namespace cinderscope {

// Valid during one draw(). All rectangles are in window pixels.
struct Canvas {
  const TimelineFrame& frame;
  const Theme& theme;
  const ThemeColours& colours;
  const Palette& palette;
  ImDrawList& list;
  // As timeline_parts() has them.
  Rect overview_head, ruler_head, gutter, overview, ruler, tracks;
  // What the ruler's head says; the icon of the filter is beside it.
  Rect ruler_clock;
  // How far the rows of gutter and tracks are scrolled, at scale 1, and whether they are the pinned
  // ones.
  double scroll_px = 0;
  bool pinned = false;
  float covered_px = 0;  // at the top of both, by the head that stays there

  float px(float at_scale_1) const { return theme.px(at_scale_1); }
  float x_of(std::int64_t time_ns) const;  // in the tracks' column; may lie outside of it
  float y_of(double y_at_scale_1) const;   // from the top of the rows, on whole pixels
};

Canvas canvas_of(const TimelineFrame& frame, ImDrawList& list);
// The canvas of a part of gutter and tracks that scrolls by itself, from `top_px` on, in window
// pixels.
Canvas part_of(const Canvas& whole, float top_px, float height_px, double scroll_px, bool pinned);

}  // namespace cinderscope
