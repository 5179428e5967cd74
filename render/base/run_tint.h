// The busy share and the colour of runs of slices as numbers that can be added up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ingest/model/hue.h"
#include "ingest/model/slice_chunk.h"

namespace cinderscope {

// A LodSummary as numbers to add up.
struct Tint {
  float busy = 0;  // 0 to 255
  float vote = 0;  // for the colour: the part of `busy` that is known to have it
  std::uint32_t colour = 0;
};

// The members of a Tint by the bytes of a LodSummary, and by the steps of a PackedSummary: a lookup
// costs less than a conversion.
struct TintParts {
  std::array<float, 256> busy, agreement;
  std::array<float, 64> busy_step;
  std::array<float, 16> agreement_step;
};

inline const TintParts kTintParts = [] {
  TintParts parts{};
  for (std::size_t i = 0; i < 256; ++i) {
    parts.busy[i] = static_cast<float>(i);
    parts.agreement[i] = static_cast<float>(i) / 255;
  }
  for (std::size_t i = 0; i < 64; ++i) parts.busy_step[i] = static_cast<float>(i) * 255 / 63;
  for (std::size_t i = 0; i < 16; ++i) parts.agreement_step[i] = static_cast<float>(i) / 15;
  return parts;
}();

inline Tint tint_of(PackedSummary summary) {
  const float busy = kTintParts.busy_step[summary.busy_step()];
  return {busy, busy * kTintParts.agreement_step[summary.agreement_step()], summary.colour()};
}

inline Tint tint_of(const LodSummary& summary) {
  const float busy = kTintParts.busy[summary.busy];
  return {busy, busy * kTintParts.agreement[summary.agreement], summary.colour};
}

inline Tint tint_of_colour(std::uint32_t colour) {
  return {255, 255, colour};
}

}  // namespace cinderscope
