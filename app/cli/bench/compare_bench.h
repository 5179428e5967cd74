// Measures a comparison of a loaded trace with itself, as the window makes it.
#pragma once

#include <cstdint>

#include "ingest/model/timeline.h"

namespace cinderscope {

// Of two sides with all slices of the trace each; medians.
struct CompareCost {
  std::uint64_t names = 0;
  double measure_ms = 0;      // numbers of both sides, with nothing prepared
  double known_first_ms = 0;  // with what is prepared: to all but percentiles and what needs them
  double known_ms = 0;        // to all of it
  double rules_ms = 0;        // names, numbers by compared name, chance and spread
  double table_ms = 0;        // the rows of another measure
  double tree_ms = 0;         // the call tree of both sides
  std::uint64_t kept_bytes = 0;  // of both sides' numbers
};

// Blocks; uses `jobs` threads.
CompareCost measure_comparison(const Timeline& timeline, unsigned runs, unsigned jobs);

}  // namespace cinderscope
