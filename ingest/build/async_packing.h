// Packs the groups of a track of async slices or lifetimes into as few rows as they need, each
// group kept together.
#pragma once

#include <cstdint>
#include <vector>

#include "ingest/model/slice_row.h"

namespace cinderscope {

// One slice of an async group; `depth` within the group, 0 outermost.
struct AsyncSlice {
  Slice slice;
  std::uint32_t depth = 0;
};

// A step of an async slice, or what was seen of a lifetime.
struct AsyncMark {
  Slice mark;                         // of no length, without flags and a record of its end
  RecordOffset on_slice = kNoRecord;  // record of the slice of its group that it lies on, if any
  bool is_instant = false;            // no step of anything: counted as an instant
};

// An AsyncMark as it waits for being packed: traces have a million of them.
struct WaitingMark {
  std::int64_t time_ns;
  RecordOffset record, on_slice;
  StringId name;
  std::uint32_t is_instant : 1;
  std::uint32_t row : 31;  // that it is packed into: the one below its slice, 0 for none

  explicit WaitingMark(const AsyncMark& from)
      : time_ns(from.mark.begin_ns),
        record(from.mark.record),
        on_slice(from.on_slice),
        name(from.mark.name),
        is_instant(from.is_instant),
        row(0) {}
};
static_assert(sizeof(WaitingMark) == 32);

// Groups one behind the other: group i is slices [ends[i - 1], ends[i]) and marks alike.
struct AsyncGroups {
  std::vector<AsyncSlice> slices;
  std::vector<WaitingMark> marks;
  std::vector<std::uint64_t> ends, mark_ends;
};

struct PackedGroups {
  std::vector<SliceRow> rows;
  std::vector<SliceRow> nested_instants;  // marks on slices, as SliceBlock has them
  SliceRow instants;                      // marks on none
  SliceRow covered;                       // as Track::covered
};

// Slices of a group that share a depth and overlap go to further rows of their group. With level of
// detail.
PackedGroups pack_async_groups(AsyncGroups groups, const StringPool& names);

}  // namespace cinderscope
