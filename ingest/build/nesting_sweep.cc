#include "ingest/build/nesting_sweep.h"

#include <algorithm>

namespace cinderscope {

Placement NestingSweep::place(std::int64_t begin, std::int64_t end) {
  Placement placement;
  while (!open_.empty()) {
    const Open& top = open_.back();
    const bool ended = top.end <= begin;
    if (!ended && top.end >= end - tolerance_) break;  // contains this one
    placement.overlapping |= !ended;
    open_.pop_back();
  }
  std::uint32_t above = 0;
  if (!open_.empty()) {
    above = open_.back().row + 1;
    end = std::min(end, open_.back().end);
  }
  placement.row = rows_.first_free(above, begin);
  if (end > begin) {
    rows_.occupy(placement.row, end);
    open_.push_back({end, placement.row});
  }
  return placement;
}

}  // namespace cinderscope
