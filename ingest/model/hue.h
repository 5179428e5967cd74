// Where the colour of a name lies on the palette's ring, and how light it is.
#pragma once

#include <cstdint>

namespace cinderscope {

inline constexpr std::uint32_t kHueCount = 20;

// `hash` is StringPool::hash(). The hue is a position on the ring, 0 to kHueCount - 1; the
// lightness step is 0, 1 or 2.
constexpr std::uint32_t hue_from_hash(std::uint32_t hash) {
  return hash % kHueCount;
}
constexpr std::uint32_t lightness_step_from_hash(std::uint32_t hash) {
  return (hash / kHueCount) % 3;
}

}  // namespace cinderscope
