// CPU cost of drawing a timeline at many zooms, from the whole trace to single calls.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ingest/timeline.h"
#include "render/timeline_state.h"

namespace cinderscope {

inline constexpr float kBenchWidthPx = 1920, kBenchHeightPx = 1080;

struct FrameCost {
  std::string zoom;  // "whole", "1/10", ..., "pan", "scroll"
  std::uint64_t frames = 0;
  std::uint64_t boxes = 0;  // of the fullest frame
  double median_ms = 0, p99_ms = 0, max_ms = 0;
};

// Draws one frame of kBenchWidthPx x kBenchHeightPx and sets state.visible_boxes.
using DrawFrame = std::function<void(const Timeline& timeline, TimelineState& state)>;

// The part of a frame that needs no window: track list and layout.
DrawFrame layout_only();

// A flight over `timeline`: the whole of it, ten places at every power of ten down to 100 ns, a pan
// at speed, a scroll through all threads. CPU time of this thread.
std::vector<FrameCost> measure_frames(const Timeline& timeline, const DrawFrame& draw);

}  // namespace cinderscope
