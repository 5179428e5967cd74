// How much of each slice of a row deeper slices cover; the rest is its self time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ingest/totals/scoped_slices.h"

namespace cinderscope {

// Intervals that do not touch, by begin.
struct Intervals {
  std::vector<std::int64_t> begins, ends;

  void add(std::int64_t begin_ns, std::int64_t end_ns);  // begins not before the last one
};

// The union of both.
Intervals merged(const Intervals& a, const Intervals& b);

// What the slices of rows of one depth cover together.
Intervals intervals_of(std::span<const SliceSpan> rows);

// Goes along a row of slices or a list of intervals; is asked about times from left to right.
class ChildTimeCursor {
 public:
  ChildTimeCursor() = default;  // covers nothing
  explicit ChildTimeCursor(const Intervals& intervals, std::int64_t from_ns);
  ChildTimeCursor(const SliceRow& row, std::int64_t from_ns);

  // Time of [begin_ns, end_ns) that is covered. Begins must not step back between calls.
  std::int64_t covered(std::int64_t begin_ns, std::int64_t end_ns);

 private:
  bool fill();

  const SliceRow* row_ = nullptr;
  std::uint64_t next_ = 0;  // slice of the row behind those in the columns
  std::vector<std::int64_t> row_begins_, row_ends_;
  const std::int64_t *begins_ = nullptr, *ends_ = nullptr;
  std::size_t at_ = 0, count_ = 0;
  // The last one passed: neighbours that overlap by rounding may both be under it.
  std::int64_t passed_begin_ns_ = 0, passed_end_ns_ = INT64_MIN;
};

}  // namespace cinderscope
