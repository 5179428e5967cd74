// The calls of a segment in which each lies within one call of the row above.
#pragma once

#include <cstdint>
#include <vector>

#include "ingest/totals/scoped_slices.h"

namespace cinderscope {

// A set of names in which several share a bit: may_have() may be true for others.
struct NameBits {
  std::uint64_t even = 0, odd = 0;

  void insert(std::uint32_t name) { (name % 2 == 0 ? even : odd) |= bit(name); }
  bool may_have(std::uint32_t name) const {
    return ((name % 2 == 0 ? even : odd) & bit(name)) != 0;
  }
  static std::uint64_t bit(std::uint32_t name) { return std::uint64_t{1} << name / 2 % 64; }
};

// One row of a segment. Slot 0 is the call that had begun before the segment and goes on in it, or
// stands for none; then come those that begin in it.
struct SegmentRow {
  std::size_t first_slot = 0;
  std::uint64_t first = 0, count = 0;  // slices of the row that begin in the segment
  bool carried = false;                // slot 0 is a call
};

// Columns of all rows of a segment, one row behind the other, outermost first.
struct SegmentColumns {
  std::vector<SegmentRow> rows;
  std::vector<std::int64_t> begins, ends;
  std::vector<std::uint32_t> names, parents;  // parents: slot of the caller
  std::vector<NameBits> above;                // the names of all callers
};

inline constexpr std::uint32_t kNoCaller = 0;  // slot 0 is nobody's: the caller of outermost calls
inline constexpr std::size_t kPadSlots = 4;    // behind each row, begin at INT64_MAX

// Finds the callers of all slots; false if some call does not lie within exactly one call of the
// row above, or neighbours overlap; then what it filled in is of no use.
bool find_callers(SegmentColumns& segment);

}  // namespace cinderscope
