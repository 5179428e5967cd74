// Reads the calls of a segment into columns, one row behind the other.
#pragma once

#include <cstdint>
#include <functional>

#include "ingest/totals/well_nested_segment.h"

namespace cinderscope {

// Calls `add(part)` for the parts of a segment, in order, each with `columns.rows` filled: the
// slices of each row that begin in it. More than one, where a segment has far more slices than was
// estimated, so that its columns would take too much memory. Ends early once `stopped()`.
// `scope_begin_ns`: calls are cut there.
void for_fitting_parts(const TimeSegment& segment, const SegmentSize& size,
                       std::int64_t scope_begin_ns, SegmentColumns& columns,
                       const std::function<bool()>& stopped,
                       const std::function<void(const TimeSegment& part)>& add);

struct SegmentFacts {
  bool nests = false;  // no row is missing between others, and at most one call goes on in each
  bool fits = false;   // no sum of the segment's durations overflows an integer of 64 bits
};

// Fills the columns of the rows that are listed, cut to the edges, all but `parents` and `above`.
// `nobody` is the name of slots without a call.
SegmentFacts read_columns(const TimeSegment& segment, const Edges& edges, std::uint32_t nobody,
                          SegmentColumns& columns);

}  // namespace cinderscope
