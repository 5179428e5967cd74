// Times to pixels in fixed point, for the loops over all runs of slices of a frame.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "render/base/viewport.h"

namespace cinderscope {

// The distance of two times, which may exceed INT64_MAX.
inline std::uint64_t distance_ns(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<std::uint64_t>(to_ns) - static_cast<std::uint64_t>(from_ns);
}

// Positions on screen in 2^-24 of a pixel, rounded to the nearest: what begins on a pixel's border
// does so here, and the upper bits are the column of pixels.
class PixelScale {
 public:
  static constexpr int kBits = 24;
  static constexpr std::int64_t kPixel = std::int64_t{1} << kBits;

  explicit PixelScale(const Viewport& view)
      : view_(view),
        factor_(std::ldexp(1 / view.ns_per_px, kBits)),
        offset_(kBeside + 0.5 - view.begin_fraction_ns * factor_),
        most_(kBeside + std::ldexp(static_cast<double>(view.width_px) + kBesidePx, kBits)),
        thin_ns_(static_cast<std::uint64_t>(std::clamp(std::ceil(view.ns_per_px), 1.0, 0x1p63))),
        thin_rounded_ns_(static_cast<float>(view.ns_per_px)) {}

  bool is_thin(std::uint64_t length_ns) const { return length_ns < thin_ns_; }
  bool is_thin(float length_ns) const { return length_ns < thin_rounded_ns_; }
  // Times out of view come out beside it, at most about kBesidePx away.
  std::int64_t position(std::int64_t t_ns) const {
    std::int64_t offset_ns = 0;
    if (__builtin_sub_overflow(t_ns, view_.begin_ns, &offset_ns)) return far_position(t_ns);
    const double position = static_cast<double>(offset_ns) * factor_ + offset_;
    // Never negative, since the cast rounds towards zero.
    return static_cast<std::int64_t>(std::min(std::max(position, 0.0), most_)) - kBeside;
  }
  // The length of a thin run.
  std::int64_t length(double length_ns) const {
    return static_cast<std::int64_t>(length_ns * factor_);
  }

 private:
  static constexpr int kBesidePx = 4;
  static constexpr std::int64_t kBeside = kBesidePx * kPixel;

  // For views in which a pixel is many years wide.
  [[gnu::noinline]] std::int64_t far_position(std::int64_t t_ns) const {
    const double px = std::clamp(view_.px_from_ns(t_ns), -static_cast<double>(kBesidePx),
                                 static_cast<double>(view_.width_px) + kBesidePx);
    return static_cast<std::int64_t>(std::ldexp(px, kBits));
  }

  Viewport view_;
  double factor_, offset_, most_;
  std::uint64_t thin_ns_;
  float thin_rounded_ns_;  // for lengths that are floats themselves
};

}  // namespace cinderscope
