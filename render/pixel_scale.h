// From times to places on screen as integers, for the loops that meet each run of slices. No ImGui.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "render/viewport.h"

namespace cinderscope {

// Between times whose difference a signed integer may be too short for.
inline std::uint64_t distance_ns(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<std::uint64_t>(to_ns) - static_cast<std::uint64_t>(from_ns);
}

// Places on screen as integers, in 2^-24 of a pixel: whether a run is thin and which column it
// falls into are branches that no processor can foresee, and integers decide them soonest.
class PixelScale {
 public:
  static constexpr int kBits = 24;
  static constexpr std::int64_t kPixel = std::int64_t{1} << kBits;

  explicit PixelScale(const Viewport& view) : view_(view) {
    constexpr double kLongestNs = 9'223'372'036'854'774'784;  // the last double below 2^63
    thin_ns_ = static_cast<std::uint64_t>(std::clamp(std::ceil(view.ns_per_px), 1.0, 0x1p63));
    thin_rounded_ns_ = static_cast<float>(view.ns_per_px);
    const double reach_ns = (static_cast<double>(view.width_px) + kBesidePx) * view.ns_per_px + 2;
    reach_ns_ = static_cast<std::int64_t>(std::min(reach_ns, kLongestNs));
    // Times within reach are moved up to the top of their 64 bits, so that the product's upper half
    // holds all that counts of it.
    const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(reach_ns_)));
    shift_ = std::max(62 - bits, 0);
    factor_ = std::llround(std::ldexp(1 / view.ns_per_px, kBits + 64 - shift_));
    fraction_ = std::llround(std::ldexp(view.begin_fraction_ns / view.ns_per_px, kBits));
  }
  bool is_thin(std::uint64_t length_ns) const { return length_ns < thin_ns_; }
  bool is_thin(float length_ns) const { return length_ns < thin_rounded_ns_; }
  // What is out of view comes out beside it.
  std::int64_t place(std::int64_t t_ns) const {
    std::int64_t offset_ns = 0;
    if (__builtin_sub_overflow(t_ns, view_.begin_ns, &offset_ns)) return far_place(t_ns);
    offset_ns = std::min(std::max(offset_ns, -reach_ns_), reach_ns_);
    return scaled(offset_ns) - fraction_;
  }
  // Of a thin run.
  std::int64_t length(std::uint64_t length_ns) const {
    return scaled(static_cast<std::int64_t>(length_ns));
  }

 private:
  // To the nearest, so that what begins on a border of pixels does so here.
  std::int64_t scaled(std::int64_t ns) const {
    __extension__ using Wide = __int128;
    constexpr Wide kHalf = Wide{1} << 63;
    return static_cast<std::int64_t>((static_cast<Wide>(ns << shift_) * factor_ + kHalf) >> 64);
  }
  // Where a pixel is many years wide.
  [[gnu::noinline]] std::int64_t far_place(std::int64_t t_ns) const {
    const double px = std::clamp(view_.px_from_ns(t_ns), -kBesidePx,
                                 static_cast<double>(view_.width_px) + kBesidePx);
    return static_cast<std::int64_t>(std::ldexp(px, kBits));
  }

  static constexpr double kBesidePx = 4;  // how far outside of the view places are told apart
  Viewport view_;
  std::int64_t reach_ns_ = 0, factor_ = 0, fraction_ = 0;
  std::uint64_t thin_ns_ = 0;
  float thin_rounded_ns_ = 0;  // for lengths that are floats themselves
  int shift_ = 0;
};

}  // namespace cinderscope
