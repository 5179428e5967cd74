// The strip between the lanes of a comparison: a band from each call to its partner.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ingest/model/timeline.h"
#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/base/viewport.h"

namespace cinderscope {

struct LinkBand {
  std::int64_t a_begin_ns = 0, a_end_ns = 0, b_begin_ns = 0, b_end_ns = 0;
};

struct LinkStripFrame {
  const Theme& theme;
  Rect area;  // with the part below the gutter
  float gutter_px = 0;
  const Viewport& view_a;
  const Viewport& view_b;
  TimeAxis axis = TimeAxis::nanoseconds;
  std::string label;  // in the gutter's column
  // Calls `draw` for each band that may be in sight; empty: there are none.
  std::function<void(const std::function<void(const LinkBand&)>& draw)> bands;
};

inline constexpr float kLinkStripPx = 30;

void draw_link_strip(const LinkStripFrame& frame);

}  // namespace cinderscope
