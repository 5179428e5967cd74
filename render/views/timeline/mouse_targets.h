// The targets of the mouse in one frame, and the actions that most gestures end in.
#pragma once

#include <algorithm>
#include <cmath>

#include "render/layout/layout.h"
#include "render/views/timeline/canvas.h"
#include "render/views/timeline/flow_curves.h"
#include "render/views/timeline/overview.h"

namespace cinderscope {

// The parts of a frame that the mouse can hit.
struct MouseTargets {
  const Canvas& canvas;
  const TrackList& tracks;
  const Layout& layout;
  const Overview& overview;
  const FlowCurves& flows;
  double max_scroll_px = 0;  // at scale 1
};

// Shows `view` as far as the limits allow; no action if that changes nothing.
inline void show_view(const MouseTargets& targets, const Viewport& view, Actions& actions,
                      bool animate = false) {
  const TimelineFrame& frame = targets.canvas.frame;
  const Viewport wanted = clamped(view, limits_of(frame.timeline, frame.state));
  if (wanted != targets.canvas.frame.state.view) actions.push_back(ShowView{wanted, animate});
}

inline void scroll_to(const MouseTargets& targets, double scroll_px, Actions& actions) {
  const double wanted_px = std::clamp(scroll_px, 0.0, targets.max_scroll_px);
  if (wanted_px == targets.canvas.scroll_px) return;
  actions.push_back(ScrollTo{wanted_px, targets.canvas.pinned});
}

// In window pixels from the tracks' left edge.
inline double tracks_x(const Canvas& canvas, ImVec2 point) {
  return static_cast<double>(point.x - canvas.tracks.x);
}

inline bool near(float a, float b, float reach) {
  return std::abs(a - b) <= reach;
}

}  // namespace cinderscope
