// The colour of a name: where it lies on the palette's ring, and how light it is.
#pragma once

#include <cstdint>

namespace cinderscope {

inline constexpr std::uint32_t kHueCount = 20, kLightnessSteps = 3;
inline constexpr std::uint32_t kHuedColours = kHueCount * kLightnessSteps;
// Grey, for what is no work: the colour, and the hash that names of that colour are interned with.
inline constexpr std::uint32_t kMutedColour = kHuedColours;
inline constexpr std::uint32_t kColourCount = kHuedColours + 1;

// Of the first hue, and between two; past the accent's 55 degrees and 30 before it in the next
// round.
inline constexpr double kFirstHueDegrees = 85, kHueStepDegrees = 15.8;

// `hash` is StringPool::hash(). The hue is a position on the ring, 0 to kHueCount - 1; the
// lightness step is 0, 1 or 2.
constexpr std::uint32_t hue_from_hash(std::uint32_t hash) {
  return hash % kHueCount;
}
constexpr std::uint32_t lightness_step_from_hash(std::uint32_t hash) {
  return (hash / kHueCount) % kLightnessSteps;
}

// Both in one number, 0 to kColourCount - 1; a hash of the same colour itself.
constexpr std::uint32_t colour_from_hash(std::uint32_t hash) {
  return hash == kMutedColour ? kMutedColour : hash % kHuedColours;
}

}  // namespace cinderscope
