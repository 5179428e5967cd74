// Visits the slices of a track in the order in which they were called.
#pragma once

#include <cstdint>
#include <functional>

#include "ingest/model/timeline.h"

namespace cinderscope {

// All slices of the block by begin, those of equal begin outermost first. O(n log rows).
void walk_slices(const SliceBlock& block,
                 const std::function<void(std::uint32_t depth, const Slice& slice)>& visit);

}  // namespace cinderscope
