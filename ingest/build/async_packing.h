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

// An AsyncSlice as it waits for being packed: traces have a million of them.
struct WaitingSlice {
  static constexpr unsigned kRecordBits = 56;
  static constexpr RecordOffset kNoEndRecord = (RecordOffset{1} << kRecordBits) - 1;

  std::int64_t begin_ns, duration_ns;
  RecordOffset record;
  RecordOffset end_record : kRecordBits;
  RecordOffset flags : 8;
  StringId name;
  std::uint32_t depth;  // then its row

  explicit WaitingSlice(const AsyncSlice& from)
      : begin_ns(from.slice.begin_ns),
        duration_ns(from.slice.duration_ns),
        record(from.slice.record),
        end_record(from.slice.end_record & kNoEndRecord),
        flags(from.slice.flags),
        name(from.slice.name),
        depth(from.depth) {}
  std::int64_t end_ns() const { return begin_ns + duration_ns; }
  Slice slice() const {
    const RecordOffset end = end_record == kNoEndRecord ? kNoRecord : RecordOffset{end_record};
    return {begin_ns, duration_ns, name, record, end, static_cast<std::uint8_t>(flags)};
  }
};
static_assert(sizeof(WaitingSlice) == 40);

// An AsyncMark, as these wait.
struct WaitingMark {
  std::int64_t time_ns;
  RecordOffset record, on_slice;
  StringId name;
  std::uint32_t is_instant : 1;
  std::uint32_t row : 31 = 0;  // that it is packed into: the one below its slice, 0 for none

  explicit WaitingMark(const AsyncMark& from)
      : time_ns(from.mark.begin_ns),
        record(from.mark.record),
        on_slice(from.on_slice),
        name(from.mark.name),
        is_instant(from.is_instant) {}
};
static_assert(sizeof(WaitingMark) == 32);

// Groups one behind the other: group i is slices [ends[i - 1], ends[i]) and marks alike.
struct AsyncGroups {
  std::vector<WaitingSlice> slices;
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
