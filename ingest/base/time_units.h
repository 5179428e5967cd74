// Units of time, and durations as people write them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "ingest/base/result.h"

namespace cinderscope {

inline constexpr std::int64_t kSecondNs = 1'000'000'000;

struct TimeUnit {
  std::int64_t ns;
  std::string_view name;
};

// As they are shown; also read are "us", and "m" for minutes.
inline constexpr std::array<TimeUnit, 6> kTimeUnits = {{{1, "ns"},
                                                        {1'000, "µs"},
                                                        {1'000'000, "ms"},
                                                        {1'000'000'000, "s"},
                                                        {60'000'000'000, "min"},
                                                        {3'600'000'000'000, "h"}}};

// A time in whole nanoseconds, rounded down.
struct Nanoseconds {
  std::int64_t floor_ns = 0;
  bool exact = true;
};

// "1500" (ns), "-3.25ms", ".5h", "1h2m". What is too large for 64 bits is the limit. An Error has
// the offset within `text`.
Result<Nanoseconds> nanoseconds_from(std::string_view text);

}  // namespace cinderscope
