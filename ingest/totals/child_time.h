// How much of each slice of a row the slices on the next row cover, where rows nest.
#pragma once

#include <cstdint>
#include <vector>

#include "ingest/model/slice_row.h"

namespace cinderscope {

// Goes along a row of slices; is asked about times from left to right.
class ChildTimeCursor {
 public:
  ChildTimeCursor(const SliceRow& row, std::int64_t from_ns);

  // Time of [begin_ns, end_ns) that is covered. Begins must not step back between calls.
  std::int64_t covered(std::int64_t begin_ns, std::int64_t end_ns);

 private:
  bool fill();

  const SliceRow* row_;
  std::uint64_t next_;  // slice of the row behind those in the columns
  std::vector<std::int64_t> begins_, ends_;
  std::size_t at_ = 0, count_ = 0;
  // The last one passed: neighbours that overlap by rounding may both be under it.
  std::int64_t passed_begin_ns_ = 0, passed_end_ns_ = INT64_MIN;
};

}  // namespace cinderscope
