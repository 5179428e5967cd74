// Packs the groups of an async track into as few rows as they need, each group kept together.
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

// Groups one behind the other: group i is slices [ends[i - 1], ends[i]).
struct AsyncGroups {
  std::vector<AsyncSlice> slices;
  std::vector<std::uint64_t> ends;
};

// Slices of a group that share a depth and overlap go to further rows of their group. With level of
// detail.
std::vector<SliceRow> pack_async_groups(AsyncGroups groups, const StringPool& names);

}  // namespace cinderscope
