#include "ingest/build/async_packing.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "ingest/build/covered_time.h"
#include "ingest/build/free_rows.h"
#include "ingest/build/row_writer.h"

namespace cinderscope {

namespace {

// Where a group lies in time and how many rows it takes, its slices' rows counted from its first.
struct GroupShape {
  std::int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;
  std::uint32_t height = 0;
};

GroupShape arrange(std::span<AsyncSlice> group) {
  std::sort(group.begin(), group.end(), [](const AsyncSlice& a, const AsyncSlice& b) {
    if (a.slice.begin_ns != b.slice.begin_ns) return a.slice.begin_ns < b.slice.begin_ns;
    return a.depth < b.depth;
  });
  GroupShape shape;
  FreeRows rows;
  for (AsyncSlice& part : group) {
    part.depth = rows.first_free(part.depth, part.slice.begin_ns);
    rows.occupy(part.depth, part.slice.end_ns());
    shape.begin_ns = std::min(shape.begin_ns, part.slice.begin_ns);
    shape.end_ns = std::max(shape.end_ns, part.slice.end_ns());
    shape.height = std::max(shape.height, part.depth + 1);
  }
  return shape;
}

// The first row from which `height` rows are free.
std::uint32_t first_gap(FreeRows& rows, std::uint32_t height, std::int64_t time) {
  std::uint32_t base = rows.first_free(0, time);
  for (std::uint32_t i = 1; i < height;) {
    if (rows.is_free(base + i, time)) {
      ++i;
    } else {
      base = rows.first_free(base + i, time);
      i = 1;
    }
  }
  return base;
}

// A mark and the row it goes to: that below its slice, 0 for none.
struct PlacedMark {
  Slice mark;
  std::uint32_t row;
};

// `group` has its rows. Instants are no steps of a slice, wherever they lie.
void place_marks(std::span<const AsyncMark> marks, std::span<const AsyncSlice> group,
                 std::vector<PlacedMark>& out) {
  if (marks.empty()) return;
  std::unordered_map<RecordOffset, std::uint32_t> row_of;
  row_of.reserve(group.size());
  for (const AsyncSlice& part : group) row_of[part.slice.record] = part.depth;
  for (const AsyncMark& mark : marks) {
    const bool is_on_slice = mark.on_slice != kNoRecord && !mark.is_instant;
    const auto found = is_on_slice ? row_of.find(mark.on_slice) : row_of.end();
    out.push_back({mark.mark, found == row_of.end() ? 0 : found->second + 1});
  }
}

// Into row 0 the marks on no slice.
std::vector<SliceRow> mark_rows(std::vector<PlacedMark> marks, const StringPool& names) {
  std::stable_sort(marks.begin(), marks.end(), [](const PlacedMark& a, const PlacedMark& b) {
    return a.mark.begin_ns < b.mark.begin_ns;
  });
  RowWriter writer(names);
  for (const PlacedMark& placed : marks) writer.append(placed.row, placed.mark);
  return writer.take();
}

}  // namespace

PackedGroups pack_async_groups(AsyncGroups groups, const StringPool& names) {
  struct Ordered {
    GroupShape shape;
    std::uint64_t first, last;
    std::uint64_t first_mark, last_mark;
  };
  PackedGroups packed;
  const std::span<AsyncSlice> slices = groups.slices;
  std::vector<Ordered> order;
  order.reserve(groups.ends.size());
  std::vector<PlacedMark> placed;
  std::uint64_t first = 0, first_mark = 0;
  for (std::size_t i = 0; i < groups.ends.size(); ++i) {
    const std::uint64_t last = groups.ends[i], last_mark = groups.mark_ends[i];
    if (first != last) {
      order.push_back(
          {arrange(slices.subspan(first, last - first)), first, last, first_mark, last_mark});
    } else {
      place_marks(std::span(groups.marks).subspan(first_mark, last_mark - first_mark), {}, placed);
    }
    first = last;
    first_mark = last_mark;
  }
  const auto begins_before = [](const Ordered& a, const Ordered& b) {
    return a.shape.begin_ns < b.shape.begin_ns;
  };
  // Most programs number what they begin, so all is in order already, and needs no second copy.
  const bool in_order = std::is_sorted(order.begin(), order.end(), begins_before);
  if (!in_order) std::stable_sort(order.begin(), order.end(), begins_before);

  // From here on a slice's depth is its row.
  FreeRows rows;
  std::vector<AsyncSlice> moved;
  if (!in_order) moved.reserve(slices.size());
  for (const Ordered& next : order) {
    const std::uint32_t base = first_gap(rows, next.shape.height, next.shape.begin_ns);
    for (std::uint32_t i = 0; i < next.shape.height; ++i) rows.occupy(base + i, next.shape.end_ns);
    const auto group = slices.subspan(next.first, next.last - next.first);
    for (AsyncSlice& part : group) {
      part.depth += base;
      if (!in_order) moved.push_back(part);
    }
    place_marks(std::span(groups.marks).subspan(next.first_mark, next.last_mark - next.first_mark),
                group, placed);
  }
  if (!in_order) groups.slices = std::move(moved);
  order = {};
  groups.ends = groups.mark_ends = {};
  groups.marks = {};
  const auto earlier = [](const AsyncSlice& a, const AsyncSlice& b) {
    return a.slice.begin_ns < b.slice.begin_ns;
  };
  if (!std::is_sorted(groups.slices.begin(), groups.slices.end(), earlier)) {
    std::stable_sort(groups.slices.begin(), groups.slices.end(), earlier);
  }
  RowWriter writer(names);
  CoveredTime covered(names);
  std::int64_t covered_to_ns = INT64_MIN;
  for (const AsyncSlice& part : groups.slices) {
    const std::int64_t end_ns = part.slice.end_ns();
    covered.add(part.slice.begin_ns, end_ns, part.depth > 0 && end_ns > covered_to_ns);
    covered_to_ns = std::max(covered_to_ns, end_ns);
    writer.append(part.depth, part.slice);
  }
  groups.slices = {};
  packed.rows = writer.take();
  for (SliceRow& row : packed.rows) row.build_lod();
  if (!packed.rows.empty()) packed.covered = covered.take(packed.rows.front());
  packed.nested_instants = mark_rows(std::move(placed), names);
  if (!packed.nested_instants.empty()) {
    packed.instants = std::exchange(packed.nested_instants.front(), {});
    packed.instants.build_lod();
    if (packed.nested_instants.size() == 1) packed.nested_instants.clear();
  }
  return packed;
}

}  // namespace cinderscope
