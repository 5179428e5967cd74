// Numbers and durations as people write them into a search: 5, >5ms, 1.5us..2ms.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "ingest/base/result.h"

namespace cinderscope {

struct NumberRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false, high_open = false;  // the bound itself is not in it

  bool holds(double value) const {
    return (low_open ? value > low : value >= low) && (high_open ? value < high : value <= high);
  }
};

// Both ends belong to it; empty if `first_ns` is larger.
struct TimeBounds {
  std::int64_t first_ns = INT64_MIN, last_ns = INT64_MAX;
  bool holds(std::int64_t ns) const { return ns >= first_ns && ns <= last_ns; }
};

// ">n", ">=n", "<n", "<=n", "a..b", "a..", "..b" of plain numbers. nullopt: `text` has none of
// these forms. An Error: it has, but there is no number where one belongs.
std::optional<Result<NumberRange>> number_range(std::string_view text);

// The same forms with times, or one time alone. Units are ns, us (also µs), ms, s, min (or m) and
// h; without one ns. Times too large for 64 bits are the limit. An Error has the offset within
// `text`.
Result<TimeBounds> time_bounds(std::string_view text);

// An Error within a piece of text that begins at `offset` of the whole.
inline Error moved(Error error, std::size_t offset) {
  error.offset_bytes += static_cast<std::int64_t>(offset);
  return error;
}

}  // namespace cinderscope
