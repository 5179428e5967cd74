// Sums of calls by name, added up segment by segment.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "ingest/totals/durations/duration_index.h"
#include "ingest/totals/scoped_slices.h"

namespace cinderscope {

// A sum that cannot overflow, so that the order of adding does not matter.
__extension__ using WideSum = __int128;

inline std::int64_t clamped(WideSum sum) {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  return sum < kLeast ? kLeast : sum > kMost ? kMost : static_cast<std::int64_t>(sum);
}

// The sums of one name.
struct NameSums {
  std::uint64_t count = 0, unfinished_count = 0, cut_count = 0;
  WideSum sum_ns = 0;             // of all durations
  WideSum unfinished_sum_ns = 0;  // of calls that never ended
  WideSum self_ns = 0;            // not covered by deeper slices of the track
  WideSum recursive_ns = 0;       // under calls of the same name on other rows
  std::int64_t min_ns = INT64_MAX, max_ns = -1;
  // The first call of max_ns: the track's id, SliceSpan::number, slice there.
  std::uint32_t longest_track = 0, longest_row = 0;
  std::uint64_t longest_slice = 0;
};

// The sums of a segment, kept for questions about ranges (precomputed/precompute.h): of a range
// only the segments at its edges have to be gone through. Immutable; any thread.
struct PrecomputedSegment {
  std::int64_t begin_ns = INT64_MIN, end_ns = INT64_MAX;
  std::int64_t last_end_ns = INT64_MIN;                  // of the calls that begin in it
  std::vector<std::pair<std::uint32_t, NameSums>> sums;  // by name
};
struct PrecomputedTotals {
  std::vector<std::vector<PrecomputedSegment>>
      of_track;  // by TrackId, in order of time; some empty
  std::vector<std::vector<DurationIndex>> counts_of_track;  // of longer segments
};

std::uint64_t kept_bytes(const PrecomputedTotals& precomputed);

// Calls `take` for the precomputed segments whose calls all lie in the scope; returns the other
// segments.
template <class Precomputed, class Take>
std::vector<TimeSegment> segments_left(const MeasuredTrack& track, std::uint32_t track_number,
                                       const Scope& scope, std::span<const Precomputed> precomputed,
                                       const Take& take) {
  std::vector<TimeSegment> left;
  TimeSegment segment{.track = &track, .track_number = track_number, .first = true};
  for (const Precomputed& each : precomputed) {
    if (each.begin_ns < scope.begin_ns || each.end_ns > scope.end_ns) continue;
    if (each.last_end_ns > scope.end_ns) continue;
    if (each.begin_ns > segment.begin_ns) {
      segment.end_ns = each.begin_ns;
      left.push_back(segment);
    }
    segment.first = false;
    segment.begin_ns = each.end_ns;
    take(each);
  }
  segment.end_ns = INT64_MAX;
  if (segment.begin_ns != INT64_MAX) left.push_back(segment);
  for (TimeSegment& each : left) each.slice_count = track.count / left.size();
  return left;
}

// The sums of each name, by `jobs` threads; incomplete once `cancelled`.
//
// A segment has the calls that begin in it. Where each is inside one of the row above, self times
// are found without a search: a call adds its length to its own name and takes it from its
// caller's; the names above it tell whether it is recursive. Calls that reach into the segment or
// out of it have self time in several segments. Where calls do not nest (overlaps, child blocks,
// times rounded to the file's last decimal) child_time.h and recursive_time.h do the same for every
// track.
//
// `precomputed` is of the same slices; may be null.
std::vector<NameSums> add_up_segments(std::span<const MeasuredTrack> tracks,
                                      const StatisticsQuery& query, std::size_t name_count,
                                      unsigned jobs, const std::atomic<bool>* cancelled,
                                      const SegmentSize& size = {},
                                      const PrecomputedTotals* precomputed = nullptr);

}  // namespace cinderscope
