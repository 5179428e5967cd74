// Which calls of a flame graph have a weight below zero.
#pragma once

#include "ingest/model/measure/negative_weight.h"
#include "ingest/model/timeline.h"
#include "ingest/totals/aggregated_call_tree.h"

namespace cinderscope {

// Only where a node is one slice: of several the sign of one says nothing. Any thread.
inline bool is_negative(const Timeline& timeline, const CallTreeNode& node) {
  if (timeline.weights.empty() || node.count != 1) return false;
  return (slice_at(timeline, node.longest).flags & kNegative) != 0;
}

}  // namespace cinderscope
