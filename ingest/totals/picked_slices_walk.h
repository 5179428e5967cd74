// Goes through those slices of a track that a set has picked, without going through all others.
#pragma once

#include <cstdint>
#include <vector>

#include "ingest/model/picked_slices.h"
#include "ingest/totals/slice_statistics.h"

namespace cinderscope {

// A stretch of time in which picked slices follow or contain each other, half open.
struct PickedStretch {
  std::int64_t begin_ns = 0, end_ns = 0;
  // The stretch as a range of calls to walk through.
  Scope scope() const { return {.begin_ns = begin_ns, .end_ns = end_ns}; }
};

// By time, apart from each other; cut to the range unless calls count whole. Every picked slice
// that belongs to the range lies in one of them.
std::vector<PickedStretch> picked_stretches(const TrackSlices& track, const PickedSlices& picked,
                                            const StatisticsQuery& query);

// Whether a slice belongs to the query's range.
inline bool is_in_range(const Scope& scope, std::int64_t begin_ns, std::int64_t end_ns) {
  return begin_ns < scope.end_ns && (end_ns > scope.begin_ns || begin_ns >= scope.begin_ns);
}

// slice_statistics() and call_count() of a scope with a set.
SliceStatistics picked_statistics(const SliceSet& set, const StatisticsQuery& query,
                                  const std::atomic<bool>* cancelled);
std::uint64_t picked_call_count(const SliceSet& set, const StatisticsQuery& query,
                                const std::atomic<bool>* cancelled);

}  // namespace cinderscope
