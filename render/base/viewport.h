// Which part of the time axis is on screen and at what scale: ns <-> px, zoom, pan.
#pragma once

#include <cstdint>

namespace cinderscope {

// The left edge is an integer plus a fraction of a nanosecond, so that deep zoom far from zero
// stays exact: positions are subtracted in int64 first and converted to double last.
struct Viewport {
  std::int64_t begin_ns = 0;
  double begin_fraction_ns = 0;  // [0, 1)
  double ns_per_px = 1;
  float width_px = 1;

  double px_from_ns(std::int64_t t_ns) const {
    std::int64_t offset_ns = 0;  // overflows only where a pixel is many years wide
    const double whole_ns = __builtin_sub_overflow(t_ns, begin_ns, &offset_ns)
                                ? static_cast<double>(t_ns) - static_cast<double>(begin_ns)
                                : static_cast<double>(offset_ns);
    return (whole_ns - begin_fraction_ns) / ns_per_px;
  }
  std::int64_t ns_from_px(double x_px) const;  // rounded down, saturating
  std::int64_t end_ns() const { return ns_from_px(width_px); }
  double span_ns() const { return ns_per_px * static_cast<double>(width_px); }
  bool operator==(const Viewport&) const = default;
};

// Limits: at most 20 % beyond [begin, end] of the trace on either side and 1.5 times its length;
// 400 px per nanosecond at the deepest.
struct ViewportLimits {
  std::int64_t begin_ns = 0, end_ns = 0;
};

Viewport fitted(const ViewportLimits& limits, float width_px);  // whole trace with a 1 % margin
Viewport showing(std::int64_t begin_ns, std::int64_t end_ns, float width_px);
Viewport around(std::int64_t begin_ns, std::int64_t end_ns, float width_px);  // with a margin
Viewport zoomed(const Viewport& view, double factor, double around_px);       // factor < 1 zooms in
Viewport panned(const Viewport& view, double dx_px);     // > 0 moves to later times
Viewport resized(const Viewport& view, float width_px);  // keeps the time range
Viewport clamped(const Viewport& view, const ViewportLimits& limits);
ViewportLimits reach_of(const ViewportLimits& limits);  // of the views that stay within them
Viewport mixed(const Viewport& from, const Viewport& to, double t);  // animation, t in [0, 1]

}  // namespace cinderscope
