// Curves between the points of the flows that go through the selected slice.
#pragma once

#include "render/layout/layout.h"
#include "render/views/timeline/canvas.h"

namespace cinderscope {

// Draws the flows of the selected slice, if there is one. Segments out of view are skipped by
// binary search, since a flow may have a million points. `parts` are the canvases of the pinned
// tracks and of all others.
struct FlowParts {
  const Canvas &canvas, &pinned_canvas;
  const TrackList &tracks, &pinned;
};
void draw_flows(const FlowParts& parts);

}  // namespace cinderscope
