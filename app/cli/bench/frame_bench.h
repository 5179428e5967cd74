// CPU cost of drawing a timeline at many zooms, from the whole trace to single calls.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

inline constexpr float kBenchWidthPx = 1920, kBenchHeightPx = 1080;

struct Milliseconds {
  std::uint64_t frames = 0;
  double median = 0, p99 = 0, max = 0;
};

struct FrameCost {
  std::string zoom;         // "whole", "1/10", ..., "flight", "pan", "scroll", "all"
  std::uint64_t boxes = 0;  // of the fullest frame
  // CPU time of all threads that helped: of all frames, of the first frame at each position, whose
  // slices are not in the cache yet, and of the later ones.
  Milliseconds all, first, later;
  Milliseconds wall;  // wall clock of all frames
};

// Draws one frame of kBenchWidthPx x kBenchHeightPx and sets state.visible_boxes.
using DrawFrame = std::function<void(const Timeline& timeline, TimelineState& state)>;

// The part of a frame that needs no window: track list and layout.
DrawFrame layout_only();

// Flies over `timeline`: the whole, ten positions at every power of ten down to 100 ns, a smooth
// zoom from the whole to 100 ns at ten positions, a fast pan, a scroll through all threads. The
// last result is all of them together. No other thread of the process may be at work.
std::vector<FrameCost> measure_frames(const Timeline& timeline, const DrawFrame& draw);

}  // namespace cinderscope
