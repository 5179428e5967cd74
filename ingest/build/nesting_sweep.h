// Gives each slice of a track its row: nested ones below their container, overlapping ones aside.
#pragma once

#include <cstdint>

#include "ingest/build/free_rows.h"
#include "ingest/model/containers.h"

namespace cinderscope {

struct Placement {
  std::uint32_t row = 0;
  std::uint32_t depth = 0;   // how many slices contain it
  bool overlapping = false;  // partly overlaps an earlier slice
};

// Takes slices by begin ascending, longer first. Intervals are half open; a zero-length slice
// occupies no row for those after it. Amortised O(1) for nested slices, O(log rows) for others.
class NestingSweep {
 public:
  // A slice that ends at most `tolerance` after its container counts as nested in it.
  explicit NestingSweep(std::int64_t tolerance = 0) : containers_(tolerance) {}

  Placement place(std::int64_t begin, std::int64_t end);

 private:
  Containers<std::uint32_t> containers_;  // with their rows
  FreeRows rows_;
};

}  // namespace cinderscope
