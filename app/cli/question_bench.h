// What search and statistics cost on a loaded trace, asked as the window asks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

// A search for all calls of one name; medians.
struct SearchCost {
  std::string name;  // "frequent", "rare" or "absent"
  std::string text;  // what was searched for
  std::uint64_t matches = 0;
  double first_ms = 0;  // to the first matches, or the certainty that there are none
  double count_ms = 0;  // to the exact count
};

// Statistics of one part of the trace; medians.
struct StatisticsCost {
  std::string part;  // "whole", "half" or "tenth", from the middle of the trace
  std::uint64_t calls = 0, names = 0;
  double ms = 0;  // to exact numbers, percentiles included
  // With what the window works out behind the scenes once a trace is loaded.
  double known_first_ms = 0;  // to exact numbers without percentiles
  double known_ms = 0;        // to all of them
};
struct StatisticsCosts {
  std::vector<StatisticsCost> parts;
  double prepare_ms = 0;  // to work out what is known then
  std::uint64_t prepared_bytes = 0;
};

// Both block; `runs` at least 1, `jobs` threads help. An empty trace costs nothing.
std::vector<SearchCost> measure_searches(const Timeline& timeline, unsigned runs, unsigned jobs);
StatisticsCosts measure_statistics(const Timeline& timeline, unsigned runs, unsigned jobs);

// The middle one, the upper of two; 0 of none.
double median(std::vector<double> values);

}  // namespace cinderscope
