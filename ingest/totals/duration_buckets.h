// Buckets of durations 1.6 % wide, the same for all names and traces.
#pragma once

#include <bit>
#include <cstdint>

namespace cinderscope {

// Bucket 0 is for 0; then come 64 for each power of two, so that below 128 each holds one value.
inline constexpr std::uint32_t kFineBits = 6, kFineBuckets = 1u << kFineBits;
inline constexpr std::uint32_t kBucketBits = 12, kBuckets = 1u << kBucketBits;
static_assert(63 * kFineBuckets + 1 <= kBuckets);

inline std::uint32_t duration_bucket(std::uint64_t value) {
  // A double below 2^53 is exact, and begins with what is wanted: its power of two and next bits.
  constexpr std::uint64_t kOfOne = std::uint64_t{1023} << kFineBits;
  if (value >> 53 == 0) [[likely]] {
    const auto bits =
        std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(value)));
    const std::uint64_t top = bits >> (52 - kFineBits);
    return top < kOfOne ? 0 : static_cast<std::uint32_t>(top - kOfOne + 1);
  }
  const auto power = static_cast<std::uint32_t>(std::bit_width(value)) - 1;
  const std::uint64_t next_bits = value >> (power - kFineBits) & (kFineBuckets - 1);
  return (power << kFineBits | static_cast<std::uint32_t>(next_bits)) + 1;
}

}  // namespace cinderscope
