// Frames of the timeline widget without a window or a GPU, for `cinderscope bench`.
#pragma once

#include "app/cli/bench/frame_bench.h"

namespace cinderscope {

// Draws all of TimelineView into a Dear ImGui context of its own and builds the draw lists; two
// `lanes` of it as a comparison has them, both of the same trace.
DrawFrame whole_view(std::size_t lanes);

}  // namespace cinderscope
