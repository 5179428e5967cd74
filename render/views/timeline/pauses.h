// What lies behind the rows as a band: pauses of a process, and gaps where data is missing.
#pragma once

#include <string>

#include "render/layout/layout.h"
#include "render/views/timeline/canvas.h"

namespace cinderscope {

// Draws the band below the boxes. The cost depends on pixels, not on pauses.
void draw_pauses(const Canvas& canvas, const TrackList& tracks, const Layout& layout);

// Gaps as hatched bands, below the boxes and on the ruler.
void draw_gaps(const Canvas& canvas, const TrackList& tracks, const Layout& layout);
void draw_gaps_on_ruler(const Canvas& canvas);

// "pause 17 ms" if the pointer is over a pause, else empty.
std::string pause_help(const Canvas& canvas, const TrackList& tracks);
// Why there is a gap under the pointer, else empty.
std::string gap_help(const Canvas& canvas, const TrackList& tracks);

}  // namespace cinderscope
