// Pauses of a process as a quiet band behind all of its rows.
#pragma once

#include <string>

#include "render/layout/layout.h"
#include "render/views/timeline/canvas.h"

namespace cinderscope {

// Draws the band below the boxes. The cost depends on pixels, not on pauses.
void draw_pauses(const Canvas& canvas, const TrackList& tracks, const Layout& layout);

// "pause 17 ms" if the pointer is over a pause, else empty.
std::string pause_help(const Canvas& canvas, const TrackList& tracks);

}  // namespace cinderscope
