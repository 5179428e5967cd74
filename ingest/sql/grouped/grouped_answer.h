// Slices grouped and added up, on all cores.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/sql/grouped/grouped_scan.h"
#include "ingest/totals/segment_totals.h"

namespace cinderscope {

// Of one measure over a group.
struct MeasureSums {
  WideSum sum = 0;
  std::int64_t min = INT64_MAX, max = INT64_MIN;
  std::uint64_t count = 0;

  void add(std::int64_t value) {
    ++count;
    sum += value;
    min = value < min ? value : min;
    max = value > max ? value : max;
  }
  void add(const MeasureSums& other) {
    count += other.count;
    sum += other.sum;
    min = other.min < min ? other.min : min;
    max = other.max > max ? other.max : max;
  }
};

// The groups in the order of their keys, as SQLite sorts them: NULL first, then numbers, then texts
// by bytes.
struct GroupedAnswer {
  std::vector<std::vector<QueryCell>> keys;        // by key and group
  std::vector<std::vector<QueryCell>> aggregates;  // by aggregate and group
  std::size_t group_count = 0;
  bool any_slices = false;
};

// On the thread of the run; `shares` are the percentages of percentiles by their place in the
// query's aggregates (others are not looked at; NaN: that percentile is NULL). An Error: a sum
// is beyond 64 bits, or groups take more than `most_bytes`. Incomplete once `stop` is set.
Result<GroupedAnswer> group_slices(const QueryData& data, const GroupedQuery& query,
                                   const GroupedFilter& filter, std::span<const double> shares,
                                   unsigned jobs, std::uint64_t most_bytes,
                                   const std::atomic<bool>& stop);

}  // namespace cinderscope
