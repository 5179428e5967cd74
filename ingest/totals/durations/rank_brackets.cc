#include "ingest/totals/durations/rank_brackets.h"

#include <algorithm>

#include "ingest/totals/durations/duration_buckets.h"

namespace cinderscope {

namespace {

// The bucket that holds the rank, which from there on counts within it.
std::uint32_t bucket_of(Bracket& bracket, std::span<const std::uint32_t> buckets) {
  std::uint32_t bucket = 0;
  while (bucket + 1 < kBuckets && bracket.rank >= buckets[bucket]) {
    bracket.rank -= buckets[bucket++];
  }
  // Counts that came from a file may be too low.
  bracket.count = std::max<std::uint64_t>(buckets[bucket], 1);
  bracket.rank = std::min(bracket.rank, bracket.count - 1);
  return bucket;
}

}  // namespace

void narrow_coarsely(Bracket& bracket, std::span<const std::uint32_t> buckets) {
  const std::uint32_t bucket = bucket_of(bracket, buckets);
  bracket.found = true;
  if (bucket == 0) return;
  const std::uint32_t power = (bucket - 1) >> kFineBits;
  const std::uint64_t first = kFineBuckets | ((bucket - 1) & (kFineBuckets - 1));
  if (power <= kFineBits) {
    bracket.low = first >> (kFineBits - power);
    return;
  }
  bracket.bits = power - kFineBits;
  bracket.low = first << bracket.bits;
  bracket.found = false;
}

std::uint32_t shift_of(const Bracket& bracket) {
  return bracket.bits > kBucketBits ? bracket.bits - kBucketBits : 0;
}

void narrow(Bracket& bracket, std::span<const std::uint32_t> buckets) {
  const std::uint32_t shift = shift_of(bracket);
  bracket.low += std::uint64_t{bucket_of(bracket, buckets)} << shift;
  bracket.bits = shift;
  bracket.found = shift == 0;
}

}  // namespace cinderscope
