// Visits the slices of a block in call order.
#pragma once

#include <cstdint>
#include <functional>

#include "ingest/model/timeline.h"

namespace cinderscope {

// Calls `visit` for all slices of the block by begin, for equal begins the outermost first. O(n log
// rows).
void walk_slices(const SliceBlock& block,
                 const std::function<void(std::uint32_t depth, const Slice& slice)>& visit);

}  // namespace cinderscope
