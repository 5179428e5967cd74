#include "ingest/build/async_packing.h"

#include <algorithm>
#include <span>

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

}  // namespace

std::vector<SliceRow> pack_async_groups(AsyncGroups groups, const StringPool& names) {
  struct Ordered {
    GroupShape shape;
    std::uint64_t first, last;
  };
  const std::span<AsyncSlice> slices = groups.slices;
  std::vector<Ordered> order;
  order.reserve(groups.ends.size());
  std::uint64_t first = 0;
  for (const std::uint64_t last : groups.ends) {
    if (first != last) order.push_back({arrange(slices.subspan(first, last - first)), first, last});
    first = last;
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
    for (AsyncSlice& part : slices.subspan(next.first, next.last - next.first)) {
      part.depth += base;
      if (!in_order) moved.push_back(part);
    }
  }
  if (!in_order) groups.slices = std::move(moved);
  order = {};
  groups.ends = {};
  const auto earlier = [](const AsyncSlice& a, const AsyncSlice& b) {
    return a.slice.begin_ns < b.slice.begin_ns;
  };
  if (!std::is_sorted(groups.slices.begin(), groups.slices.end(), earlier)) {
    std::stable_sort(groups.slices.begin(), groups.slices.end(), earlier);
  }
  RowWriter writer(names);
  for (const AsyncSlice& part : groups.slices) writer.append(part.depth, part.slice);
  groups.slices = {};
  std::vector<SliceRow> packed = writer.take();
  for (SliceRow& row : packed) row.build_lod();
  return packed;
}

}  // namespace cinderscope
