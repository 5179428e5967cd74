#include "ingest/totals/well_nested_segment.h"

#include <algorithm>
#include <array>

namespace cinderscope {

namespace {

constexpr std::size_t kLanes = 4;  // searches that go on side by side, so that none waits

// Slots are absolute. How far the next caller is away cannot be foretold, so a few are compared at
// once instead of one after another.
struct CallerSearch {
  const std::int64_t* begins;
  const std::int64_t* ends;
  std::uint32_t* parents;
  bool nested = true;

  std::size_t caller_from(std::size_t at, std::int64_t begin_ns) const {
    const std::size_t steps = static_cast<std::size_t>(begins[at + 1] <= begin_ns) +
                              static_cast<std::size_t>(begins[at + 2] <= begin_ns) +
                              static_cast<std::size_t>(begins[at + 3] <= begin_ns) +
                              static_cast<std::size_t>(begins[at + 4] <= begin_ns);
    at += steps;
    if (steps == kPadSlots) [[unlikely]] {
      while (begins[at + 1] <= begin_ns) ++at;
    }
    return at;
  }
  std::size_t take(std::size_t child, std::size_t at) {
    at = caller_from(at, begins[child]);
    parents[child] = static_cast<std::uint32_t>(at);
    nested &= ends[child] <= ends[at];
    return at;
  }
};

bool neighbours_are_apart(const SegmentColumns& segment, const SegmentRow& row) {
  bool apart = true;
  const std::size_t last = row.first_slot + row.count;
  for (std::size_t slot = row.first_slot; slot < last; ++slot) {
    apart &= segment.ends[slot] <= segment.begins[slot + 1];
  }
  return apart;
}

}  // namespace

bool find_callers(SegmentColumns& segment) {
  CallerSearch search{segment.begins.data(), segment.ends.data(), segment.parents.data()};
  const SegmentRow* above = nullptr;
  for (const SegmentRow& row : segment.rows) {
    if (!neighbours_are_apart(segment, row)) return false;
    const std::size_t first = row.first_slot + 1, end = first + row.count;
    // The pads end every search.
    if (row.count > 0 && segment.begins[end - 1] == INT64_MAX) return false;
    if (above == nullptr) {
      std::fill(segment.parents.begin() + static_cast<std::ptrdiff_t>(row.first_slot),
                segment.parents.begin() + static_cast<std::ptrdiff_t>(end), kNoCaller);
      above = &row;
      continue;
    }
    segment.parents[row.first_slot] = static_cast<std::uint32_t>(above->first_slot);
    if (row.carried) {
      const std::size_t carried = row.first_slot, caller = above->first_slot;
      if (!above->carried || segment.ends[carried] > segment.ends[caller] ||
          segment.begins[carried] < segment.begins[caller]) {
        return false;
      }
    }
    const std::size_t lane_slots = row.count / kLanes;
    std::array<std::size_t, kLanes> at;
    const auto above_begin =
        segment.begins.begin() + static_cast<std::ptrdiff_t>(above->first_slot);
    const auto above_end = above_begin + static_cast<std::ptrdiff_t>(above->count) + 1;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      at[lane] = above->first_slot;
      if (lane == 0 || lane_slots == 0) continue;
      const std::int64_t begin_ns = segment.begins[first + lane * lane_slots];
      const auto later = std::upper_bound(above_begin + 1, above_end, begin_ns);
      at[lane] += static_cast<std::size_t>(later - above_begin) - 1;
    }
    for (std::size_t i = 0; i < lane_slots; ++i) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        at[lane] = search.take(first + lane * lane_slots + i, at[lane]);
      }
    }
    for (std::size_t slot = first + kLanes * lane_slots; slot < end; ++slot) {
      at[kLanes - 1] = search.take(slot, at[kLanes - 1]);
    }
    if (!search.nested) return false;
    above = &row;
  }
  return true;
}

}  // namespace cinderscope
