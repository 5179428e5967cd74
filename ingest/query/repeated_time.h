// Time that calls spend inside calls of their own name: recursion, which totals count once.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/query/measured_rows.h"

namespace cinderscope {

// For each name marked in `asked`, by index: how much of its calls lies under calls of the same
// name on other rows of their track. Names that occur on one row only need not be asked for.
//
// Goes through each track by begin, a call before those inside it, with the end that calls of each
// name have reached. Neighbours on one row that overlap by rounding are no recursion.
std::vector<std::int64_t> repeated_times(std::span<const MeasuredTrack> tracks, const Edges& edges,
                                         std::span<const std::uint8_t> asked, unsigned jobs,
                                         const std::atomic<bool>* cancelled);

}  // namespace cinderscope
