// Numbers of several names of a run as those of one, where rules made one name of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/compare/measured_run.h"

namespace cinderscope {

// Several names that are compared as one.
struct NameGroup {
  std::vector<std::uint32_t> names;  // in MeasuredRun::names
};
// The numbers of all calls of each group together, to the nanosecond: a call inside a call of the
// same group adds nothing to its total. With the slices that the run was measured from.
std::vector<NameStatistics> measure_groups(const SliceSet& set, const RunQuestion& question,
                                           const MeasuredRun& run,
                                           std::span<const NameGroup> groups,
                                           const std::atomic<bool>& cancelled);
// The same where the slices are gone: totals are added up, and percentiles are those of the kept
// buckets, so up to 1.6 % off.
NameStatistics estimated_group(const MeasuredRun& run, const NameGroup& group);

}  // namespace cinderscope
