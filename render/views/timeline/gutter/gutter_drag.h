// Dragging a row of the gutter: which row, and where it would drop.
#pragma once

#include <string>

#include "render/views/timeline/canvas.h"
#include "render/views/timeline/gutter/gutter.h"

namespace cinderscope {

struct RowDrag {
  GutterHit pressed;     // the part that the button was pressed on
  std::string argument;  // of commands, for the row: "track 4", "process 1", "group GPU"
  bool head = false;
  bool pinned = false;  // the row is a pinned track, and stays among these
  TrackId track = kNoTrack;
  std::uint32_t group = 0;
  // The drop target as an argument of the command move-thread: "before track 7", "after track 7";
  // empty: the row stays. A line is drawn there at `line_px`, at scale 1 from the top of all rows.
  std::string place;
  double line_px = 0;
};

// Draws a line where the row would drop, and the row itself faintly, on the canvas of its part.
void draw_row_drag(const Canvas& canvas, const TrackList& tracks, const RowDrag& drag);

}  // namespace cinderscope
