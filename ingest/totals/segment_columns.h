// Reads the calls of a segment into columns, one row behind the other.
#pragma once

#include <cstdint>

#include "ingest/totals/well_nested_segment.h"

namespace cinderscope {

// Fills only `columns.rows`: the slices of each row that begin in the segment.
void list_begun(const TimeSegment& segment, SegmentColumns& columns);

struct SegmentFacts {
  bool nests = false;  // no row is missing between others, and at most one call goes on in each
  bool fits = false;   // no sum of the segment's durations overflows an integer of 64 bits
};

// Fills the columns of the rows that list_begun() found, cut to the edges, all but `parents` and
// `above`. `nobody` is the name of slots without a call.
SegmentFacts read_columns(const TimeSegment& segment, const Edges& edges, std::uint32_t nobody,
                          SegmentColumns& columns);

}  // namespace cinderscope
