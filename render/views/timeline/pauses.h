// Pauses of a process as a quiet band behind all of its rows.
#pragma once

#include <string>

#include "render/layout/layout.h"
#include "render/views/timeline/canvas.h"

namespace cinderscope {

// Below the boxes. Costs pixels, not pauses.
void draw_pauses(const Canvas& canvas, const TrackList& tracks, const Layout& layout);

// "pause 17 ms" where the pointer is over one; else empty.
std::string pause_help(const Canvas& canvas, const TrackList& tracks);

}  // namespace cinderscope
