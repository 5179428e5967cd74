// CPU cost of laying a timeline out at many zooms, from the whole trace to single calls.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ingest/timeline.h"

namespace cinderscope {

struct FrameCost {
  std::string zoom;  // "whole", "1/10", ..., "pan", "scroll"
  std::uint64_t frames = 0;
  std::uint64_t boxes = 0;  // of the fullest frame
  double median_ms = 0, p99_ms = 0, max_ms = 0;
};

// A flight over `timeline` on a window of 1920x1080: fit, zoom in at ten places, pan, scroll. Where
// the build has the window, a frame is all of TimelineView on a context without a GPU; else it is
// the layout alone.
std::vector<FrameCost> measure_frames(const Timeline& timeline);

}  // namespace cinderscope
