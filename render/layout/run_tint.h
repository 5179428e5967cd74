// The busy share and the colour of runs of slices as numbers that can be added up.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "ingest/model/hue.h"
#include "ingest/model/slice_chunk.h"

namespace cinderscope {

// Weight, weight times hue_x, weight times hue_y, unused: one SIMD register.
using HueSum [[gnu::vector_size(16)]] = float;

// A LodSummary as numbers to add up.
struct Tint {
  float busy;   // 0 to 255
  HueSum hues;  // of weight 1
};

// The members of a Tint by the bytes of a LodSummary, and by the steps of a PackedSummary: a lookup
// costs less than a conversion.
struct TintParts {
  std::array<float, 256> busy;
  std::array<HueSum, 256> hue_x;  // with the weight of 1
  std::array<HueSum, 256> hue_y;
  std::array<float, 64> busy_step;
  std::array<HueSum, 32> hue_x_step, hue_y_step;
};

inline const TintParts kTintParts = [] {
  TintParts parts{};
  for (int i = 0; i < 256; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto value = static_cast<float>(i < 128 ? i : i - 256);
    parts.busy[at] = static_cast<float>(i);
    parts.hue_x[at] = HueSum{1, value, 0, 0};
    parts.hue_y[at] = HueSum{0, 0, value, 0};
  }
  for (std::size_t i = 0; i < 64; ++i) parts.busy_step[i] = static_cast<float>(i) * 255 / 63;
  for (std::size_t i = 0; i < 32; ++i) {
    const float value = static_cast<float>(static_cast<int>(i) - 15) * 127 / 15;
    parts.hue_x_step[i] = HueSum{1, value, 0, 0};
    parts.hue_y_step[i] = HueSum{0, 0, value, 0};
  }
  return parts;
}();

inline Tint tint_of(PackedSummary summary) {
  return {
      kTintParts.busy_step[summary.busy_step()],
      kTintParts.hue_x_step[summary.hue_x_step()] + kTintParts.hue_y_step[summary.hue_y_step()]};
}

inline Tint tint_of(const LodSummary& summary) {
  return {kTintParts.busy[summary.busy],
          kTintParts.hue_x[static_cast<std::uint8_t>(summary.hue_x)] +
              kTintParts.hue_y[static_cast<std::uint8_t>(summary.hue_y)]};
}

// The tints of single slices, by hue.
inline const std::array<Tint, kHueCount>& hue_tints() {
  static const auto all = [] {
    std::array<Tint, kHueCount> result{};
    for (std::uint32_t hue = 0; hue < kHueCount; ++hue) {
      const double angle = 2 * std::numbers::pi * hue / kHueCount;
      result[hue] = {255, HueSum{1, static_cast<float>(127 * std::cos(angle)),
                                 static_cast<float>(127 * std::sin(angle)), 0}};
    }
    return result;
  }();
  return all;
}

}  // namespace cinderscope
