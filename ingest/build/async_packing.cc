#include "ingest/build/async_packing.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "ingest/build/covered_time.h"
#include "ingest/build/free_rows.h"
#include "ingest/build/passing_memory.h"
#include "ingest/build/row_writer.h"

namespace cinderscope {

namespace {

// Where a group lies in time and how many rows it takes, its slices' rows counted from its first.
struct GroupShape {
  std::int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;
  std::uint32_t height = 0;
};

// Gives each slice of the group its row in it, and puts them in order.
void arrange(std::span<WaitingSlice> group) {
  std::sort(group.begin(), group.end(), [](const WaitingSlice& a, const WaitingSlice& b) {
    if (a.begin_ns != b.begin_ns) return a.begin_ns < b.begin_ns;
    return a.depth < b.depth;
  });
  FreeRows rows;
  for (WaitingSlice& part : group) {
    part.depth = rows.first_free(part.depth, part.begin_ns);
    rows.occupy(part.depth, part.end_ns());
  }
}

GroupShape shape_of(std::span<const WaitingSlice> arranged) {
  GroupShape shape;
  for (const WaitingSlice& part : arranged) {
    shape.begin_ns = std::min(shape.begin_ns, part.begin_ns);
    shape.end_ns = std::max(shape.end_ns, part.end_ns());
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

// The row of the slice of the group that begins at `record`, counted from 1; 0 if there is none.
class RowsOfRecords {
 public:
  explicit RowsOfRecords(std::span<const WaitingSlice> group) : group_(group) {
    if (group.size() <= kFew) return;
    rows_.reserve(group.size());
    for (const WaitingSlice& part : group) rows_[part.record] = part.depth + 1;
  }

  std::uint32_t below(RecordOffset record) const {
    if (group_.size() > kFew) {
      const auto found = rows_.find(record);
      return found == rows_.end() ? 0 : found->second;
    }
    for (std::size_t i = group_.size(); i-- > 0;) {
      if (group_[i].record == record) return group_[i].depth + 1;
    }
    return 0;
  }

 private:
  static constexpr std::size_t kFew = 8;  // most groups: looking at all costs less than a table

  std::span<const WaitingSlice> group_;
  std::unordered_map<RecordOffset, std::uint32_t> rows_;
};

// `group` has its rows. Instants are no steps of a slice, wherever they lie.
void place_marks(std::span<WaitingMark> marks, std::span<const WaitingSlice> group) {
  if (marks.empty()) return;
  const RowsOfRecords rows(group);
  for (WaitingMark& mark : marks) {
    const bool is_on_slice = mark.on_slice != kNoRecord && mark.is_instant == 0;
    mark.row = (is_on_slice ? rows.below(mark.on_slice) : 0) & ((std::uint32_t{1} << 31) - 1);
  }
}

// Into row 0 the marks on no slice.
std::vector<SliceRow> mark_rows(std::vector<WaitingMark> marks, const StringPool& names) {
  const auto earlier = [](const WaitingMark& a, const WaitingMark& b) {
    return a.time_ns < b.time_ns;
  };
  if (!std::is_sorted(marks.begin(), marks.end(), earlier)) {
    std::stable_sort(marks.begin(), marks.end(), earlier);
  }
  RowWriter writer(names);
  for (const WaitingMark& mark : marks) {
    writer.append(mark.row, {mark.time_ns, 0, mark.name, mark.record, kNoRecord, 0});
  }
  return writer.take();
}

// The groups that have slices, by the begin of their first one.
template <class SlicesOf>
std::vector<std::uint64_t> by_begin(std::span<const std::uint64_t> ends, SlicesOf slices_of) {
  std::vector<std::uint64_t> order;
  order.reserve(ends.size());
  for (std::uint64_t i = 0; i < ends.size(); ++i) {
    if (!slices_of(i).empty()) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
    return slices_of(a).front().begin_ns < slices_of(b).front().begin_ns;
  });
  return order;
}

}  // namespace

PackedGroups pack_async_groups(AsyncGroups groups, const StringPool& names) {
  PackedGroups packed;
  const std::span<WaitingSlice> slices = groups.slices;
  const std::span<WaitingMark> marks = groups.marks;
  const auto part_of = [](auto all, const std::vector<std::uint64_t>& ends, std::uint64_t group) {
    const std::uint64_t first = group == 0 ? 0 : ends[group - 1];
    return all.subspan(first, ends[group] - first);
  };
  const auto slices_of = [&](std::uint64_t group) { return part_of(slices, groups.ends, group); };
  const auto marks_of = [&](std::uint64_t group) {
    return part_of(marks, groups.mark_ends, group);
  };
  // Most programs number what they begin, so all is in order already, and needs no second copy.
  bool in_order = true;
  std::int64_t last_begin_ns = INT64_MIN;
  std::vector<WaitingMark> moved_marks;  // of groups without a slice, then of all, if they move
  for (std::uint64_t i = 0; i < groups.ends.size(); ++i) {
    const std::span<WaitingSlice> group = slices_of(i);
    if (group.empty()) {
      place_marks(marks_of(i), {});
      moved_marks.insert(moved_marks.end(), marks_of(i).begin(), marks_of(i).end());
      continue;
    }
    arrange(group);
    in_order = in_order && last_begin_ns <= group.front().begin_ns;
    last_begin_ns = group.front().begin_ns;
  }
  const bool marks_stay = in_order && moved_marks.empty();

  // From here on a slice's depth is its row.
  FreeRows rows;
  std::vector<WaitingSlice> moved;
  const auto place = [&](std::uint64_t i) {
    const std::span<WaitingSlice> group = slices_of(i);
    const GroupShape shape = shape_of(group);
    const std::uint32_t base = first_gap(rows, shape.height, shape.begin_ns);
    for (std::uint32_t row = 0; row < shape.height; ++row) rows.occupy(base + row, shape.end_ns);
    for (WaitingSlice& part : group) part.depth += base;
    place_marks(marks_of(i), group);
    if (!in_order) moved.insert(moved.end(), group.begin(), group.end());
    if (marks_stay) return;
    moved_marks.insert(moved_marks.end(), marks_of(i).begin(), marks_of(i).end());
  };
  if (in_order) {
    for (std::uint64_t i = 0; i < groups.ends.size(); ++i) {
      if (!slices_of(i).empty()) place(i);
    }
  } else {
    moved.reserve(slices.size());
    for (const std::uint64_t group : by_begin(groups.ends, slices_of)) place(group);
    groups.slices = std::move(moved);
  }
  release(groups.ends);
  release(groups.mark_ends);
  if (!marks_stay) groups.marks = std::move(moved_marks);
  const auto earlier = [](const WaitingSlice& a, const WaitingSlice& b) {
    return a.begin_ns < b.begin_ns;
  };
  if (!std::is_sorted(groups.slices.begin(), groups.slices.end(), earlier)) {
    std::stable_sort(groups.slices.begin(), groups.slices.end(), earlier);
  }
  RowWriter writer(names);
  CoveredTime covered(names);
  std::int64_t covered_to_ns = INT64_MIN;
  for (const WaitingSlice& part : groups.slices) {
    const std::int64_t end_ns = part.end_ns();
    covered.add(part.begin_ns, end_ns, part.depth > 0 && end_ns > covered_to_ns);
    covered_to_ns = std::max(covered_to_ns, end_ns);
    writer.append(part.depth, part.slice());
  }
  release(groups.slices);
  packed.rows = writer.take();
  for (SliceRow& row : packed.rows) row.build_lod();
  if (!packed.rows.empty()) packed.covered = covered.take(packed.rows.front());
  packed.nested_instants = mark_rows(std::move(groups.marks), names);
  if (!packed.nested_instants.empty()) {
    packed.instants = std::exchange(packed.nested_instants.front(), {});
    packed.instants.build_lod();
    if (packed.nested_instants.size() == 1) packed.nested_instants.clear();
  }
  return packed;
}

}  // namespace cinderscope
