// Curves between the points of the flows that go through the selected slice.
#pragma once

#include "render/layout/layout.h"
#include "render/views/timeline/canvas.h"

namespace cinderscope {

// Draws nothing unless a slice is selected. Segments that are out of view are passed over by binary
// search, since one flow may have a million points.
// The pinned tracks and all others.
struct FlowParts {
  const Canvas &canvas, &pinned_canvas;
  const TrackList &tracks, &pinned;
};
void draw_flows(const FlowParts& parts);

}  // namespace cinderscope
