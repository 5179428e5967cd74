// Frames of the timeline widget without a window or a GPU, for `cinderscope bench`.
#pragma once

#include "app/cli/frame_bench.h"

namespace cinderscope {

// Draws all of TimelineView into a Dear ImGui context of its own and builds the draw lists.
DrawFrame whole_view();

}  // namespace cinderscope
