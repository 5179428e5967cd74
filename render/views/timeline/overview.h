// The strip above the ruler: activity of the whole trace, with a frame around the present view.
#pragma once

#include <cstdint>
#include <vector>

#include "render/layout/layout.h"
#include "render/views/timeline/canvas.h"

namespace cinderscope {

// Activity of the busiest threads, a line each; computed again only when the slices or the width
// change. The cost depends on pixels, and only threads with a line are read closely.
class Overview {
 public:
  // Lines stand in the order of the tracks: pinned ones first.
  void update(const Timeline& timeline, const TrackList& pinned, const TrackList& tracks,
              float width_px, std::size_t max_lines, bool changed);
  struct Line {
    TrackId track = kNoTrack;
    std::vector<std::uint8_t> busy;  // by column of pixels
  };
  const std::vector<Line>& lines() const { return lines_; }
  const Viewport& view() const { return view_; }  // the whole trace

 private:
  Viewport view_;
  std::size_t max_lines_ = 0;
  std::vector<Line> lines_;
};

std::size_t overview_line_limit(const Canvas& canvas);

// Left and right edge of the view's frame, in window pixels; at least some pixels apart.
struct OverviewFrame {
  float x0 = 0, x1 = 0;
};
OverviewFrame overview_frame(const Canvas& canvas, const Overview& overview);

void draw_overview(const Canvas& canvas, const Overview& overview);

}  // namespace cinderscope
