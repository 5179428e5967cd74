#include "ingest/model/picked_slices.h"

#include <algorithm>
#include <tuple>

namespace cinderscope {
namespace {

template <class Place>
auto row_key(const Place& place) {
  return std::tuple(place.track, place.block, place.row);
}

}  // namespace

std::uint64_t PickedRow::count() const {
  std::uint64_t count = 0;
  for (const SliceRun& run : runs) count += run.end - run.first;
  return count;
}

bool PickedRow::has(std::uint64_t slice) const {
  const auto after = std::partition_point(
      runs.begin(), runs.end(), [slice](const SliceRun& run) { return run.first <= slice; });
  return after != runs.begin() && slice < (after - 1)->end;
}

std::uint64_t PickedSlices::count() const {
  std::uint64_t count = 0;
  for (const PickedRow& row : rows) count += row.count();
  return count;
}

const PickedRow* PickedSlices::row_of(const SliceRef& slice) const {
  const auto found = std::partition_point(
      rows.begin(), rows.end(),
      [key = row_key(slice)](const PickedRow& row) { return row_key(row) < key; });
  return found == rows.end() || row_key(*found) != row_key(slice) ? nullptr : &*found;
}

bool PickedSlices::has(const SliceRef& slice) const {
  const PickedRow* row = row_of(slice);
  return row != nullptr && row->has(slice.slice);
}

std::span<const PickedRow> PickedSlices::of_track(TrackId track) const {
  const auto before = [](const PickedRow& row, TrackId id) { return row.track < id; };
  const auto after = [](TrackId id, const PickedRow& row) { return id < row.track; };
  const auto first = std::lower_bound(rows.begin(), rows.end(), track, before);
  return {first, std::upper_bound(first, rows.end(), track, after)};
}

PickedSlices picked_slices(std::vector<SliceRef> slices) {
  std::sort(slices.begin(), slices.end(), [](const SliceRef& a, const SliceRef& b) {
    return std::tuple(row_key(a), a.slice) < std::tuple(row_key(b), b.slice);
  });
  PickedSlices picked;
  for (const SliceRef& slice : slices) {
    if (picked.rows.empty() || row_key(picked.rows.back()) != row_key(slice)) {
      picked.rows.push_back({slice.track, slice.block, slice.row, {}});
    }
    std::vector<SliceRun>& runs = picked.rows.back().runs;
    if (runs.empty() || runs.back().end < slice.slice) {
      runs.push_back({slice.slice, slice.slice + 1});
    } else {
      runs.back().end = slice.slice + 1;
    }
  }
  return picked;
}

}  // namespace cinderscope
