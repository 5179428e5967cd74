// Measures search and statistics on a loaded trace as the window runs them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

// A search for all calls of one name; medians.
struct SearchCost {
  std::string name;  // "frequent", "rare" or "absent"
  std::string text;  // the query
  std::uint64_t matches = 0;
  double first_ms = 0;  // to the first matches, or to the answer that there are none
  double count_ms = 0;  // to the exact count
};

// Statistics of one range of the trace; medians.
struct StatisticsCost {
  std::string part;  // "whole", "half" or "tenth", from the middle of the trace
  std::uint64_t calls = 0, names = 0;
  double ms = 0;  // to exact numbers, percentiles included
  // With the totals that the window precomputes once a trace is loaded.
  double known_first_ms = 0;  // to exact numbers without percentiles
  double known_ms = 0;        // to exact numbers with percentiles
};
struct StatisticsCosts {
  std::vector<StatisticsCost> parts;
  double prepare_ms = 0;  // to precompute the totals
  std::uint64_t prepared_bytes = 0;
};

// Both block, run at least once and use `jobs` threads. An empty trace costs nothing.
std::vector<SearchCost> measure_searches(const Timeline& timeline, unsigned runs, unsigned jobs);
StatisticsCosts measure_statistics(const Timeline& timeline, unsigned runs, unsigned jobs);

// The middle value, the upper one of two; 0 without values.
double median(std::vector<double> values);

}  // namespace cinderscope
