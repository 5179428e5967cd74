// Parents, children and self time of a slice, by what contains what; rows are places to draw.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

// The parent of a slice is the innermost slice of its track that contains it whole; slices that
// partly overlap are siblings. Where a track has no overlaps a parent lies on the row above, so
// that its neighbours tell; elsewhere all rows of the track are asked, which takes O(rows log n).

// Falsy at the top.
SliceRef parent_of(const Timeline& timeline, const SliceRef& ref);
// The slices of its block that contain it, outermost first; for tracks with overlaps.
std::vector<SliceRef> containers_in_block(const Timeline& timeline, const SliceRef& ref);
// How many slices contain it; 0 is outermost.
std::uint32_t depth_of(const Timeline& timeline, const SliceRef& ref);
// The first of the loaded slices whose parent it is; falsy if there is none.
SliceRef first_child_of(const Timeline& timeline, const SliceRef& ref);
// Calls `visit` for all loaded slices whose parent it is, by begin, until that returns false. Goes
// through everything that lies in it.
void for_children_of(const Timeline& timeline, const SliceRef& ref,
                     const std::function<bool(const SliceRef&, const Slice&)>& visit);
// The previous (-1) or next (+1) slice on the row; falsy at its ends.
SliceRef neighbour_of(const Timeline& timeline, const SliceRef& ref, int direction);
// Duration without the time that its children cover; time that several of them cover counts once.
std::int64_t self_ns(const Timeline& timeline, const SliceRef& ref);

}  // namespace cinderscope
