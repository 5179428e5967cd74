// How much of each slice of a row deeper slices cover: self time by two cursors that go along.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ingest/totals/scoped_slices.h"

namespace cinderscope {

// Intervals by begin, apart from each other.
struct Intervals {
  std::vector<std::int64_t> begins, ends;

  void add(std::int64_t begin_ns, std::int64_t end_ns);  // begins not before the last one
};

// Both lists together.
Intervals merged(const Intervals& a, const Intervals& b);

// The slices of rows of one depth that have a length.
Intervals intervals_of(std::span<const SliceSpan> rows);

// Asked for stretches of time from left to right. Reads a row of slices or a list of intervals.
class CoverCursor {
 public:
  CoverCursor() = default;  // covers nothing
  explicit CoverCursor(const Intervals& intervals, std::int64_t from_ns);
  CoverCursor(const SliceRow& row, std::int64_t from_ns);

  // Time of [begin_ns, end_ns) that is covered. Begins must not step back between calls.
  std::int64_t covered(std::int64_t begin_ns, std::int64_t end_ns);

 private:
  bool fill();

  const SliceRow* row_ = nullptr;
  std::uint64_t next_ = 0;  // of the row, behind what is in the columns
  std::vector<std::int64_t> row_begins_, row_ends_;
  const std::int64_t *begins_ = nullptr, *ends_ = nullptr;
  std::size_t at_ = 0, count_ = 0;
  // The last one passed: neighbours that overlap by rounding may both be under it.
  std::int64_t passed_begin_ns_ = 0, passed_end_ns_ = INT64_MIN;
};

}  // namespace cinderscope
