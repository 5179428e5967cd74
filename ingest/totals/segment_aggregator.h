// Adds up the calls of segments, one after the other. Each worker has one.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ingest/totals/child_time.h"
#include "ingest/totals/recursive_time.h"
#include "ingest/totals/segment_columns.h"
#include "ingest/totals/segment_totals.h"

namespace cinderscope {

// Takes the shortest and the longest duration, and where that call is; of equal ones the first.
void take_extremes(NameSums& to, const NameSums& from);

// The sums of one name in a segment where 64 bits are enough.
struct alignas(64) PlainSums {
  std::uint64_t count = 0;
  std::int64_t sum_ns = 0, self_ns = 0;
  std::int64_t min_ns = INT64_MAX, max_ns = -1;
  std::uint32_t longest_track = 0, longest_row = 0;
  std::uint64_t longest_slice = 0;
};
static_assert(sizeof(PlainSums) == 64, "the sums of a name fill one cache line");

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
        recursive_time_(name_count, edges_, cancelled) {}

  // A segment with far more calls than estimated is cut again, so that the memory for its columns
  // is bounded.
  void add(const TimeSegment& whole);

  std::span<const NameSums> totals() const { return totals_; }

  // The sums of this segment alone; the totals stay as they are.
  void work_out(const TimeSegment& segment, PrecomputedSegment& out);

 private:
  void list(std::uint32_t name);

  void add_listed(const TimeSegment& segment);

  void note_names_and_end();

  void add_flagged(const TimeSegment& segment);

  void add_flagged(const SliceChunk& chunk, std::uint32_t first, std::size_t slot,
                   std::uint32_t count);

  template <class Sums>
  void count_calls(std::vector<Sums>& sums, const TimeSegment& segment, std::size_t row_index);

  // Adds self time and finds recursive calls. Time beyond the segment's end is left to the segments
  // that follow. False if calls have so many callers that asking each of them takes too long; then
  // recursive calls are missing.
  bool add_well_nested(const TimeSegment& segment);
  NameBits above_of(std::size_t slot) const;
  void move_self(std::size_t slot, std::int64_t ns);

  // Adds the self time outside the range of calls that reach out of it and are counted whole.
  void add_outside(const MeasuredTrack& track);

  // Adds self time call by call, for segments that are not well nested. Calls that are counted
  // whole are covered by calls that are not counted, too.
  void add_self_by_walk(const TimeSegment& segment);

  void take_plain();

  SegmentSize size_;
  Edges edges_;  // calls are cut there
  Edges scope_;
  bool whole_calls_;  // also beyond the range
  const std::atomic<bool>* cancelled_;
  std::vector<NameSums> totals_;          // by name
  std::vector<PlainSums> plain_;          // by name, of the present segment
  std::vector<std::uint32_t> touched_;    // names that have any there; some twice
  std::vector<RecursiveCall> recursive_;  // of the present segment
  bool fits_ = true;
  // While work_out() runs: the names that have sums.
  bool lists_ = false;
  std::vector<std::uint32_t> names_;
  std::vector<std::uint8_t> listed_;  // by name
  std::int64_t last_end_ns_ = INT64_MIN;
  SegmentColumns columns_;
  RecursiveTime recursive_time_;
};

// So many workers add up so many slices at most: each has some 200 bytes for a name, to be cleared
// first and added to the others' last, which takes as long as a few slices.
inline unsigned jobs_worth_it(unsigned jobs, std::uint64_t slices, std::size_t name_count) {
  constexpr std::uint64_t kSlicesForAName = 4;
  const std::uint64_t most = slices / kSlicesForAName / std::max<std::uint64_t>(1, name_count);
  return static_cast<unsigned>(std::clamp<std::uint64_t>(most, 1, std::max(1u, jobs)));
}

// An aggregator for each worker, made when that has something to do.
class SegmentAggregators {
 public:
  SegmentAggregators(unsigned jobs, std::size_t name_count, const StatisticsQuery& query,
                     const SegmentSize& size, const std::atomic<bool>* cancelled)
      : name_count_(name_count),
        query_(query),
        size_(size),
        cancelled_(cancelled),
        of_worker_(std::max(1u, jobs)) {}

  unsigned jobs() const { return static_cast<unsigned>(of_worker_.size()); }
  SegmentAggregator& of(std::size_t worker) {
    std::unique_ptr<SegmentAggregator>& aggregator = of_worker_[worker];
    if (aggregator == nullptr) {
      aggregator = std::make_unique<SegmentAggregator>(name_count_, query_, size_, cancelled_);
    }
    return *aggregator;
  }
  // Null: that worker had nothing to do.
  std::span<const std::unique_ptr<SegmentAggregator>> all() const { return of_worker_; }

 private:
  std::size_t name_count_;
  StatisticsQuery query_;
  SegmentSize size_;
  const std::atomic<bool>* cancelled_;
  std::vector<std::unique_ptr<SegmentAggregator>> of_worker_;
};

}  // namespace cinderscope
