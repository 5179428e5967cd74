// A row of the gutter on its way to another place: which one, and where it would drop.
#pragma once

#include <string>

#include "render/views/timeline/canvas.h"
#include "render/views/timeline/gutter.h"

namespace cinderscope {

struct RowDrag {
  GutterHit pressed;     // what the button went down on
  std::string argument;  // of commands, for the row: "track 4", "process 1", "group GPU"
  bool head = false;
  bool pinned = false;  // it belongs to the pinned tracks, and stays there
  TrackId track = kNoTrack;
  std::uint32_t group = 0;
  // Where it drops: "before track 7" or "after track 7" of the move-thread command; empty where it
  // stays. The line there is drawn at `line_px`, at scale 1 from the top of all rows.
  std::string place;
  double line_px = 0;
};

// The accent line where the row would drop, and the row itself faint. `canvas` is that of its part.
void draw_row_drag(const Canvas& canvas, const TrackList& tracks, const RowDrag& drag);

}  // namespace cinderscope
