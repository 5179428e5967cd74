// Works out what statistics keep of all calls, so that any range has its numbers at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ingest/totals/segment_totals.h"

namespace cinderscope {

std::uint64_t slice_count(const TrackSlices& track);

inline constexpr std::uint64_t kMostPrecomputedBytes = std::uint64_t{96} << 20;
// More for a very large trace: a quarter of a byte for each slice, where others keep ten and more.
std::uint64_t most_precomputed_bytes(const SliceSet& set);

// Null once cancelled, or if there are so many names that the sums take more than `most_bytes`.
// Counts may take as much again; those that do not fit are left out.
std::shared_ptr<const PrecomputedTotals> precomputed_totals_of(
    const SliceSet& set, unsigned jobs, const std::atomic<bool>* cancelled,
    std::uint64_t most_bytes = kMostPrecomputedBytes,
    const SegmentSize& size = {.slices = 1 << 17});

struct PrecomputeLimits {
  std::uint64_t most_bytes = kMostPrecomputedBytes;  // of sums, and again of counts
  std::uint64_t bytes_at_once = UINT64_MAX;          // held until they are handed over
  std::uint64_t calls_at_once = UINT64_MAX;          // counted at a time, by all threads together
};

// Takes neighbours of a track, in order of time: first all sums, in order of tracks, then all
// counts.
struct PrecomputedTaker {
  std::function<void(std::uint32_t track, std::vector<PrecomputedSegment> segments)> sums;
  std::function<void(std::uint32_t track, std::vector<DurationIndex> counts)> counts;
};

// The same, handed over piece by piece on this thread. Gives the bytes of all that was; none once
// cancelled or where sums take too much: then what was handed over is not all.
std::optional<std::uint64_t> precompute(const SliceSet& set, unsigned jobs,
                                        const std::atomic<bool>* cancelled,
                                        const PrecomputeLimits& limits, const SegmentSize& size,
                                        const PrecomputedTaker& take);

}  // namespace cinderscope
