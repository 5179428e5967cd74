// Count and total duration per slice name over a whole trace.
#pragma once

#include <cstdint>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

struct NameTotal {
  StringId name{};
  std::uint64_t count = 0;
  std::int64_t total_ns = 0;  // unfinished slices left out
};

// Of the slices of threads, by count descending, then by name.
std::vector<NameTotal> name_totals(const Timeline& timeline);

}  // namespace cinderscope
