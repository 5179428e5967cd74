// Reads the calls of one stretch of a track's time into columns, one row behind the other.
#pragma once

#include <cstdint>

#include "ingest/totals/well_nested_segment.h"

namespace cinderscope {

// Fills `columns.rows` with the slices of each row that begin in the part, and nothing else.
void list_begun(const TimeSegment& part, SegmentColumns& columns);

struct SegmentFacts {
  bool nests = false;  // no row is missing between others, and at most one call goes on in each
  bool fits = false;   // no sum of the part's durations overflows an integer of 64 bits
};

// Fills the columns of the rows that list_begun() found, cut to the edges, but for parents and
// above. `nobody` is the name of slots that stand for no call.
SegmentFacts read_columns(const TimeSegment& part, const Edges& edges, std::uint32_t nobody,
                          SegmentColumns& columns);

}  // namespace cinderscope
