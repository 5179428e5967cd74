// The thin scroll bar at the right of the tracks.
#pragma once

#include "render/layout/track_list.h"
#include "render/views/timeline/canvas.h"

namespace cinderscope {

// In window pixels; both areas are empty while all rows are visible.
struct ScrollBar {
  Rect groove;  // takes presses; wider than it is drawn
  Rect thumb;
  double max_scroll_px = 0;  // at scale 1
  explicit operator bool() const { return thumb.height > 0; }
};
ScrollBar scroll_bar_of(const Canvas& canvas, const TrackList& tracks);

// How far the rows scroll, at scale 1, when the thumb moves by `dy` window pixels.
double scroll_from_thumb(const ScrollBar& bar, float dy);

// `held`: the pointer is over it or drags it.
void draw_scroll_bar(const Canvas& canvas, const ScrollBar& bar, bool held);

}  // namespace cinderscope
