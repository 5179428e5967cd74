// Gives each slice of a track its row: nested ones below their container, overlapping ones aside.
#pragma once

#include <cstdint>
#include <vector>

#include "ingest/build/free_rows.h"

namespace cinderscope {

struct Placement {
  std::uint32_t row = 0;
  bool overlapping = false;  // partly overlaps an earlier slice
};

// Takes slices by begin ascending, longer first. Intervals are half open; a zero-length slice
// occupies no row for those after it. Amortised O(1) for nested slices, O(log rows) for others.
class NestingSweep {
 public:
  // A slice that ends at most `tolerance` after its container counts as nested in it.
  explicit NestingSweep(std::int64_t tolerance = 0) : tolerance_(tolerance) {}

  Placement place(std::int64_t begin, std::int64_t end);

 private:
  struct Open {
    std::int64_t end;
    std::uint32_t row;
  };

  std::int64_t tolerance_;
  // Slices that can still contain a later one: by begin ascending, end descending. One that ends
  // before a later one does can contain nothing that the later one does not, so it is not kept.
  std::vector<Open> open_;
  FreeRows rows_;
};

}  // namespace cinderscope
