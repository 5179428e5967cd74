// What calls add up to by name: worked out stretch by stretch of a track's time.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "ingest/totals/duration_index.h"
#include "ingest/totals/scoped_slices.h"

namespace cinderscope {

// Sums that no trace can make overflow, so that the order of adding does not matter.
__extension__ using WideSum = __int128;

inline std::int64_t clamped(WideSum sum) {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  return sum < kLeast ? kLeast : sum > kMost ? kMost : static_cast<std::int64_t>(sum);
}

// Of one name.
struct NameSums {
  std::uint64_t count = 0, unfinished_count = 0;
  WideSum sum_ns = 0;             // of all durations
  WideSum unfinished_sum_ns = 0;  // of those that never ended
  WideSum self_ns = 0;            // not covered by deeper slices of the track
  WideSum repeated_ns = 0;        // under calls of the same name on other rows
  std::int64_t min_ns = INT64_MAX, max_ns = -1;
  // The first call of max_ns: the track's id, SliceSpan::number, slice there.
  std::uint32_t longest_track = 0, longest_row = 0;
  std::uint64_t longest_slice = 0;
};

// What whole parts of a trace add up to, kept for questions about ranges: of those only the parts
// at the edges have to be gone through. Immutable; any thread.
struct KnownPart {
  std::int64_t begin_ns = INT64_MIN, end_ns = INT64_MAX;
  std::int64_t last_end_ns = INT64_MIN;                  // of the calls that begin in it
  std::vector<std::pair<std::uint32_t, NameSums>> sums;  // by name, those that have any
};
struct PrecomputedTotals {
  std::vector<std::vector<KnownPart>> of_track;  // by TrackId, in order of time; some empty
  std::vector<std::vector<DurationIndex>> counts_of_track;  // the same, of longer stretches
};

std::uint64_t kept_bytes(const PrecomputedTotals& known);

// Null once cancelled, or where the sums would take more than `most_bytes`: too many names. Counts
// may take as much again, and are left out where that is not enough.
inline constexpr std::uint64_t kMostKnownBytes = std::uint64_t{96} << 20;
std::shared_ptr<const PrecomputedTotals> precomputed_totals_of(
    const SliceSet& set, unsigned jobs, const std::atomic<bool>* cancelled,
    std::uint64_t most_bytes = kMostKnownBytes, const SegmentSize& size = {.slices = 1 << 17});

// Calls `take` for those known stretches of the track that lie within the scope with all of their
// calls; returns what is left to do.
template <class Known, class Take>
std::vector<TimeSegment> parts_left(const MeasuredTrack& track, std::uint32_t track_number,
                                    const SliceScope& scope, std::span<const Known> known,
                                    const Take& take) {
  std::vector<TimeSegment> left;
  TimeSegment part{.track = &track, .track_number = track_number, .first = true};
  for (const Known& each : known) {
    if (each.begin_ns < scope.begin_ns || each.end_ns > scope.end_ns) continue;
    if (each.last_end_ns > scope.end_ns) continue;
    if (each.begin_ns > part.begin_ns) {
      part.end_ns = each.begin_ns;
      left.push_back(part);
    }
    part.first = false;
    part.begin_ns = each.end_ns;
    take(each);
  }
  part.end_ns = INT64_MAX;
  if (part.begin_ns != INT64_MAX) left.push_back(part);
  for (TimeSegment& each : left) each.slice_count = track.count / left.size();
  return left;
}

// By name. `jobs` threads work at it; with only some of it once `cancelled`.
//
// A part of a track's time has the calls that begin in it. Where they nest cleanly, each inside one
// of the row above, a part is worked out row by row without a search: what a call adds to its own
// name's self time it takes from its caller's, and whether it repeats is asked of the names above
// it. Self time is that within the part: of calls that reach out of it or into it only that piece.
// A part that is not clean (overlaps, child blocks, times rounded to the file's last decimal) is
// worked out by covered_time.h and repeated_time.h, which hold for all.
//
// `known`: may be null; of the same slices.
std::vector<NameSums> add_up_parts(std::span<const MeasuredTrack> tracks,
                                   const StatisticsQuery& query, std::size_t name_count,
                                   unsigned jobs, const std::atomic<bool>* cancelled,
                                   const SegmentSize& size = {},
                                   const PrecomputedTotals* known = nullptr);

}  // namespace cinderscope
