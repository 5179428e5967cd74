// Differences between two sides as text: "+1.45 ms", "-6.1 %", "×12.3".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ingest/compare/comparison.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

// A ratio less 1: "+24.4 %"; far beyond the double "×12.3".
std::string change_text(double change);
// "+21.3 … +27.6 %"
std::string interval_text(double low, double high);

// What the values of a measure are.
struct ValueUnit {
  TimeAxis axis = TimeAxis::nanoseconds;
  bool is_count = false;  // a number of calls
  bool is_share = false;  // of 1
};
ValueUnit value_unit(const Comparison& comparison, TimeAxis axis);
std::string value_text(double value, const ValueUnit& unit);
std::string difference_text(double difference, const ValueUnit& unit);

}  // namespace cinderscope
