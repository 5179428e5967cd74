// The time that the slices of a track cover together, where no single row has all of it.
#pragma once

#include <cstdint>

#include "ingest/build/row_writer.h"

namespace cinderscope {

// Takes the slices of a track by begin and joins those that touch or overlap. Stretches are kept
// from the first overlap on, where a deeper row has time of its own; before it the outermost row
// has them.
class CoveredTime {
 public:
  explicit CoveredTime(const StringPool& names) : stretches_(names) {}

  void add(std::int64_t begin_ns, std::int64_t end_ns, bool overlapping) {
    kept_ |= overlapping;
    if (begin_ns <= end_ns_) {
      if (end_ns > end_ns_) end_ns_ = end_ns;
      return;
    }
    if (kept_) keep();
    begin_ns_ = begin_ns;
    end_ns_ = end_ns;
  }

  // A row of all stretches, by begin, with level of detail; no chunks if nothing overlapped.
  // `outermost` is the track's row 0.
  SliceRow take(const SliceRow& outermost);

 private:
  void keep();

  RowWriter stretches_;
  bool kept_ = false;
  std::int64_t first_kept_ns_ = INT64_MAX;
  std::int64_t begin_ns_ = INT64_MIN, end_ns_ = INT64_MIN;  // the stretch that still grows
};

}  // namespace cinderscope
