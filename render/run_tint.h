// How busy runs of slices are and of what colour, as numbers to add up. No ImGui.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "ingest/slice_chunk.h"

namespace cinderscope {

// A LodSummary as it is reckoned with.
struct Tint {
  float busy, hue_x, hue_y;
};

// The bytes of a summary as floats: looking them up costs less than converting them.
struct ByteValues {
  std::array<float, 256> unsigned_value{}, signed_value{};
};

inline constexpr ByteValues kByteValues = [] {
  ByteValues result;
  for (int i = 0; i < 256; ++i) {
    const auto at = static_cast<std::size_t>(i);
    result.unsigned_value[at] = static_cast<float>(i);
    result.signed_value[at] = static_cast<float>(i < 128 ? i : i - 256);
  }
  return result;
}();

// The same of the steps of a PackedSummary.
struct StepValues {
  std::array<float, 64> busy{};
  std::array<float, 32> hue{};
};

inline constexpr StepValues kStepValues = [] {
  StepValues result;
  for (std::size_t i = 0; i < 64; ++i) result.busy[i] = static_cast<float>(i) * 255 / 63;
  for (std::size_t i = 0; i < 32; ++i) {
    result.hue[i] = static_cast<float>(static_cast<int>(i) - 15) * 127 / 15;
  }
  return result;
}();

inline Tint tint_of(PackedSummary summary) {
  return {kStepValues.busy[summary.busy_step()], kStepValues.hue[summary.hue_x_step()],
          kStepValues.hue[summary.hue_y_step()]};
}

inline Tint tint_of(const LodSummary& summary) {
  return {kByteValues.unsigned_value[summary.busy],
          kByteValues.signed_value[static_cast<std::uint8_t>(summary.hue_x)],
          kByteValues.signed_value[static_cast<std::uint8_t>(summary.hue_y)]};
}

// Of one slice by the hue of its name.
inline const std::array<Tint, kHueCount>& hue_tints() {
  static const auto all = [] {
    std::array<Tint, kHueCount> result{};
    for (std::uint32_t hue = 0; hue < kHueCount; ++hue) {
      const double angle = 2 * std::numbers::pi * hue / kHueCount;
      result[hue] = {255, static_cast<float>(127 * std::cos(angle)),
                     static_cast<float>(127 * std::sin(angle))};
    }
    return result;
  }();
  return all;
}

}  // namespace cinderscope
