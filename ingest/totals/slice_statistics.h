// Calls added up by name over a range of time, a thread or a whole trace: count, total, self,
// percentiles.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ingest/model/scope.h"
#include "ingest/model/slice_set.h"

namespace cinderscope {

// What is measured, for all of this file:
// - The slices of thread tracks, sample tracks or both, as the scope says, with the child blocks
//   that are loaded; those of async tracks only where the scope names them,
//   or has a set: then all slices of the set are measured.
// - A call belongs to a range if it overlaps it; one of no length if it begins in [begin, end).
//   It counts with what of it lies inside, or with all of it if calls are counted whole.
// - An unfinished call counts with the end that is drawn for it. `info` leaves its time out of its
//   total; finished_sum_ns is that number.
struct StatisticsQuery {
  Scope scope;
  bool whole_calls = false;  // at the range's edges
  bool operator==(const StatisticsQuery&) const = default;
};

struct NameStatistics {
  StringId name{};
  std::uint64_t count = 0;
  std::uint64_t unfinished_count = 0;  // of these
  std::uint64_t cut_count = 0;         // of these: they are parts of calls
  // Time during which at least one call of the name went on, added up over tracks: a call inside a
  // call of its own name adds nothing to it, but to all other numbers.
  std::int64_t total_ns = 0;
  std::int64_t sum_ns = 0;           // of all durations, each call by itself
  std::int64_t finished_sum_ns = 0;  // of finished calls: what `info` calls total
  std::int64_t self_ns = 0;          // not covered by deeper slices of the track, as self_ns() says
  // Of durations, by the nearest rank: the smallest one that at least half, 90 %, 99 % of the
  // calls do not exceed. Always the duration of some call.
  std::int64_t median_ns = 0, p90_ns = 0, p99_ns = 0;
  std::int64_t min_ns = 0, max_ns = 0;
  SliceRef longest;  // a call of max_ns; the first one found in (track, block, row, slice) order

  // sum / count to the nearest nanosecond, halves up.
  std::int64_t mean_ns() const;
};

struct PrecomputedTotals;  // segment_totals.h
struct DurationIndex;      // duration_index.h

struct SliceStatistics {
  StatisticsQuery query;
  std::vector<NameStatistics> names;  // by total, longest first; equal ones by id
  std::uint64_t call_count = 0;
  std::uint64_t track_count = 0;  // that have calls in the scope
  bool ranks_known = true;        // false: median, p90 and p99 are still to come
  std::int64_t self_ns = 0;       // of all calls: time during which anything ran, over all tracks
  // The range if there is one, else from the first begin to the last end of what was counted.
  std::int64_t begin_ns = 0, end_ns = 0;

  std::int64_t length_ns() const;
};

// Total / length in percent; more than 100 where several threads were busy at once. 0 if nothing
// has a length.
double share_percent(const SliceStatistics& statistics, const NameStatistics& name);

// The number of measured calls; looks at the ends of rows only. Any thread.
std::uint64_t call_count(const SliceSet& set, const StatisticsQuery& query,
                         const std::atomic<bool>* cancelled = nullptr);

// Any thread; `jobs` threads work at it. `show_first` may be empty; it gets all but the ranks,
// which take as long again, as soon as that is known, and sooner with what is `precomputed`
// (of the same slices; may be null). Once `cancelled` (may be null) is set it ends within
// milliseconds, with only some of the answer. Memory while it works, beside the answer: 200 bytes
// for each name of the trace and worker, some 6 MB of columns for each worker, at most 128 MiB of
// durations, and 48 KiB for each name that is counted and worker (duration_ranks.h). `durations`,
// unless null, gets how many calls of each name have which duration, found on the way to the ranks;
// nothing for a scope with a set.
SliceStatistics slice_statistics(const SliceSet& set, const StatisticsQuery& query,
                                 unsigned jobs = 1, const std::atomic<bool>* cancelled = nullptr,
                                 const std::function<void(const SliceStatistics&)>& show_first = {},
                                 const PrecomputedTotals* precomputed = nullptr,
                                 DurationIndex* durations = nullptr);

// Nearest rank, `share` in (0, 1]: the index into `count` sorted values. `count` is not 0.
std::uint64_t nearest_rank(std::uint64_t count, double share);

}  // namespace cinderscope
