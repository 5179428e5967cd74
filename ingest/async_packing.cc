#include "ingest/async_packing.h"

#include <algorithm>

#include "ingest/free_rows.h"
#include "ingest/row_writer.h"

namespace cinderscope {

namespace {

struct Placed {
  Slice slice;
  std::uint32_t row;
};

// Where a group lies in time and how many rows it takes, its slices' rows counted from its first.
struct GroupShape {
  std::int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;
  std::uint32_t height = 0;
};

GroupShape arrange(std::vector<AsyncSlice>& group) {
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

std::vector<SliceRow> pack_async_groups(std::vector<std::vector<AsyncSlice>> groups,
                                        const StringPool& names) {
  struct Ordered {
    GroupShape shape;
    std::size_t group;
  };
  std::vector<Ordered> order;
  order.reserve(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (!groups[i].empty()) order.push_back({arrange(groups[i]), i});
  }
  std::stable_sort(order.begin(), order.end(), [](const Ordered& a, const Ordered& b) {
    return a.shape.begin_ns < b.shape.begin_ns;
  });
  FreeRows rows;
  std::vector<Placed> placed;
  for (const Ordered& next : order) {
    const std::uint32_t base = first_gap(rows, next.shape.height, next.shape.begin_ns);
    for (std::uint32_t i = 0; i < next.shape.height; ++i) rows.occupy(base + i, next.shape.end_ns);
    for (const AsyncSlice& part : groups[next.group]) {
      placed.push_back({part.slice, base + part.depth});
    }
    groups[next.group] = {};
  }
  std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
    return a.slice.begin_ns < b.slice.begin_ns;
  });
  RowWriter writer(names);
  for (const Placed& part : placed) writer.append(part.row, part.slice);
  return writer.take();
}

}  // namespace cinderscope
