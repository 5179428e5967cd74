// What of a layout the pointer is on, and what merged slices add up to.
#pragma once

#include <cstdint>
#include <optional>

#include "render/layout/layout.h"

namespace cinderscope {

// What the pointer hits; at most one of slice, merged and instant is set.
struct Hit {
  SliceRef slice;
  std::optional<MergedSlices> merged;
  InstantRef instant;
  std::uint64_t instant_count = 0;  // instants in its column of pixels, itself included
  explicit operator bool() const { return slice || merged || instant; }
  bool operator==(const Hit&) const = default;
};

// `x_px` in real pixels from the view's left edge, `y_px` at scale 1 from the top of the visible
// area. Boxes of a few pixels are hit from up to 2 px beside them.
Hit hit_at(const Layout& layout, double x_px, double y_px);

// The exact sum of merged slices, of the first million at most. Unless it `waits` for the disk
// only of those before the first that is not at hand; none if that is the first.
struct MergedTotal {
  std::int64_t duration_ns = 0;
  std::int64_t begin_ns = 0, end_ns = 0;
  std::uint64_t longest = 0;  // index in the row
  bool complete = true;       // false: there are more
};
std::optional<MergedTotal> total_of(const Timeline& timeline, const MergedSlices& merged,
                                    bool waits = true);

// The row of a slice, part of `timeline`; null if the reference is stale.
const SliceRow* row_of(const Timeline& timeline, const SliceRef& ref);

}  // namespace cinderscope
