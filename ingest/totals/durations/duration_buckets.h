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

// The durations that a bucket holds, both included.
struct BucketRange {
  std::int64_t shortest_ns = 0, longest_ns = 0;
  std::int64_t middle_ns() const { return shortest_ns + (longest_ns - shortest_ns) / 2; }
};

// Below 64 some buckets hold nothing: their shortest is longer than their longest.
inline BucketRange bucket_range(std::uint32_t bucket) {
  const auto begin_of = [](std::uint32_t of) -> std::uint64_t {
    if (of == 0) return 0;
    const std::uint32_t power = (of - 1) >> kFineBits;
    const std::uint64_t first = kFineBuckets | ((of - 1) & (kFineBuckets - 1));
    if (power >= kFineBits) return first << (power - kFineBits);
    const std::uint64_t step = std::uint64_t{1} << (kFineBits - power);
    return (first + step - 1) / step;  // the first whole number
  };
  const std::uint64_t end =
      bucket >= 63 * kFineBuckets ? std::uint64_t{1} << 63 : begin_of(bucket + 1);
  return {static_cast<std::int64_t>(begin_of(bucket)), static_cast<std::int64_t>(end - 1)};
}

}  // namespace cinderscope
