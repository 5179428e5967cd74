// Percentiles of durations for many names at once: selected, never sorted.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/totals/durations/duration_index.h"
#include "ingest/totals/scoped_slices.h"

namespace cinderscope {

inline constexpr std::array<double, 3> kRankShares = {0.5, 0.9, 0.99};

// Of one name: count, shortest and longest are given; the values at kRankShares are found.
struct DurationRanks {
  std::uint64_t count = 0;
  std::int64_t min_ns = 0, max_ns = 0;
  std::array<std::int64_t, kRankShares.size()> values_ns{};
};

// `names` by index. Names of few calls: their durations are gathered, as many names at a time as
// fit the memory, and partitioned. Names of many calls: counted in buckets 1.6 % wide, and only
// what is in the buckets with the wanted ranks is gathered; if that is too much, counted again in
// ever smaller ones, until a bucket holds one value.
//
// `precomputed`: counts of some of the calls, which are not counted again; may be null.
// `buckets`, unless null, gets of each name in `names` how many of its calls have which duration:
// by name, entries as in a DurationIndex.
//
// `most_values` durations, 8 bytes each, are gathered at a time.
inline constexpr std::uint64_t kMostValues = std::uint64_t{1} << 24;
void find_ranks(std::span<const SliceSpan> pieces, const Edges& edges,
                std::span<DurationRanks> names, unsigned jobs, const std::atomic<bool>* cancelled,
                const CountsInScope* precomputed = nullptr, std::uint64_t most_values = kMostValues,
                std::vector<std::vector<std::uint32_t>>* buckets = nullptr);

}  // namespace cinderscope
