// Reads the calls of a segment into columns, one row behind the other.
#pragma once

#include <cstdint>
#include <optional>

#include "ingest/totals/well_nested_segment.h"

namespace cinderscope {

// Fills only `columns.rows`: the slices of each row that begin in the segment.
void list_begun(const TimeSegment& segment, SegmentColumns& columns);

// What is listed has far more slices than was estimated, so that its columns would take too much
// memory: `segment` becomes its first part, up to the middle of its longest row, and the rest is
// returned. `scope_begin_ns`: calls are cut there.
std::optional<TimeSegment> cut_in_two(TimeSegment& segment, const SegmentColumns& listed,
                                      const SegmentSize& size, std::int64_t scope_begin_ns);

struct SegmentFacts {
  bool nests = false;  // no row is missing between others, and at most one call goes on in each
  bool fits = false;   // no sum of the segment's durations overflows an integer of 64 bits
};

// Fills the columns of the rows that list_begun() found, cut to the edges, all but `parents` and
// `above`. `nobody` is the name of slots without a call.
SegmentFacts read_columns(const TimeSegment& segment, const Edges& edges, std::uint32_t nobody,
                          SegmentColumns& columns);

}  // namespace cinderscope
