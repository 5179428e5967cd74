// Percentiles of many groups at once, without keeping all values.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/sql/grouped/group_slots.h"
#include "ingest/sql/grouped/grouped_scan.h"

namespace cinderscope {

// The value that has `rank` among the values of a measure over a group, in ascending order.
struct WantedRank {
  std::uint32_t group = 0;
  GroupedMeasure of = GroupedMeasure::dur;
  std::uint64_t rank = 0;
  std::uint64_t count = 0;        // of the group
  std::int64_t min = 0, max = 0;  // of the measure
  std::int64_t value = 0;         // is found
};

// Groups of few values: these are gathered. Of many values: counted in buckets, and what shares the
// bucket of a rank is gathered, or counted again in smaller ones. Keeps `most_values` values of 8
// bytes at a time, and as much for buckets. Values are missing once `stop` is set.
inline constexpr std::uint64_t kMostGroupValues = std::uint64_t{1} << 22;
void find_group_ranks(const GroupedScan& scan, const GroupNumbers& groups,
                      std::span<WantedRank> wanted, unsigned jobs, const std::atomic<bool>& stop,
                      std::uint64_t most_values = kMostGroupValues);

}  // namespace cinderscope
