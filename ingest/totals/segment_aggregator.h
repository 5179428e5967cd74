// Adds up the calls of one part of a track's time after another: one worker's.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ingest/totals/child_time.h"
#include "ingest/totals/recursive_time.h"
#include "ingest/totals/segment_columns.h"
#include "ingest/totals/segment_totals.h"

namespace cinderscope {

// Takes the least, the longest and where that lies; of equals the first as calls are listed.
void take_extremes(NameSums& to, const NameSums& from);

// Of one name within a part whose sums fit plain numbers.
struct alignas(64) PlainSums {
  std::uint64_t count = 0;
  std::int64_t sum_ns = 0, self_ns = 0;
  std::int64_t min_ns = INT64_MAX, max_ns = -1;
  std::uint32_t longest_track = 0, longest_row = 0;
  std::uint64_t longest_slice = 0;
};

class SegmentAggregator {
 public:
  SegmentAggregator(std::size_t name_count, const StatisticsQuery& query, const SegmentSize& size,
                    const std::atomic<bool>* cancelled)
      : size_(size),
        edges_(edges_of(query)),
        scope_{query.scope.begin_ns, query.scope.end_ns},
        whole_calls_(query.whole_calls && query.scope.has_range()),
        cancelled_(cancelled),
        totals_(name_count),
        plain_(name_count + 1),  // the last one is the caller of outermost calls
        repeats_(name_count, edges_, cancelled) {}

  // Parts were cut at begins on one row; where calls of other rows crowd they are cut once more, so
  // that the memory for their columns is bounded.
  void add(const TimeSegment& whole);

  std::span<const NameSums> totals() const { return totals_; }

  // What the part adds up to by itself, instead of adding it to the totals.
  void work_out(const TimeSegment& part, KnownPart& out);

 private:
  void list(std::uint32_t name);

  // Where a part that is too large is cut: in the middle of its longest row.
  std::optional<std::int64_t> border_within(const TimeSegment& part) const;

  void add_listed(const TimeSegment& part);

  void note_names_and_end();

  void add_unfinished(const TimeSegment& part);

  void add_unfinished(const SliceChunk& chunk, std::uint32_t first, std::size_t slot,
                      std::uint32_t count);

  template <class Sums>
  void count_calls(std::vector<Sums>& sums, const TimeSegment& part, std::size_t row_index);

  // Self time, and the calls inside calls of their own name. What lies beyond the part's end is
  // left to the parts that follow. False: callers are so many that asking each of them takes too
  // long; then repeats are missing.
  bool add_clean(const TimeSegment& part);
  NameBits above_of(std::size_t slot) const;
  void move_self(std::size_t slot, std::int64_t ns);

  // Calls that are counted whole although they reach out of the range have self time there as well,
  // where those inside them are not counted.
  void add_outside(const MeasuredTrack& track);

  // Rows from the deepest up, with what all deeper ones cover together within the part. Calls that
  // are counted whole are covered as well by calls that are not counted themselves.
  void add_self_from_below(const TimeSegment& part);

  void add_uncovered(const SliceSpan& row, const Edges& clip, const Intervals& below);

  void take_plain();

  SegmentSize size_;
  Edges edges_;  // what calls are cut at
  Edges scope_;
  bool whole_calls_;  // though they reach beyond the range
  const std::atomic<bool>* cancelled_;
  std::vector<NameSums> totals_;        // by name
  std::vector<PlainSums> plain_;        // by name, of the part at hand
  std::vector<std::uint32_t> touched_;  // names that have any there; some twice
  std::vector<RepeatedCall> repeated_;  // in the part at hand
  std::vector<TimeSegment> parts_;      // still to be added
  bool fits_ = true;
  // While a part is worked out by itself: the names that have anything in the totals.
  bool lists_ = false;
  std::vector<std::uint32_t> names_;
  std::vector<std::uint8_t> listed_;  // by name
  std::int64_t last_end_ns_ = INT64_MIN;
  SegmentColumns columns_;
  SliceColumns read_;
  RecursionSweep repeats_;
};

}  // namespace cinderscope
