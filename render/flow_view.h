// Curves between the points of the flows that go through the selected slice.
#pragma once

#include "render/canvas_view.h"
#include "render/layout.h"

namespace cinderscope {

// Draws nothing unless a slice is selected. Segments that are out of view are passed over by binary
// search, since one flow may have a million points.
void draw_flows(const Canvas& canvas, const TrackList& tracks);

}  // namespace cinderscope
