// Decimal microseconds as text -> whole nanoseconds, exactly; never through a double.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cinderscope {

inline constexpr std::int64_t kMaxTimeNs = std::int64_t{1} << 62;  // what is beyond is clamped

struct DecimalTime {
  std::int64_t ns = 0;
  int decimals = 0;      // digits behind the point as written, less the exponent; 0 or more
  bool clamped = false;  // was beyond +-kMaxTimeNs
};

// Bytes that must be readable behind the text of usual_time().
inline constexpr std::size_t kTimePadding = 32;

// As time_from_decimal() where the number is written as nearly all are: at most 16 digits, a point
// and up to three more. Nothing else is read: false.
bool usual_time(std::string_view padded_text, DecimalTime& out);

// A whole JSON number (a leading + and leading zeros are tolerated), times 1000, rounded half to
// even. Nothing for any other text, NaN and Infinity included. Linear in the text. `power`: times
// ten to that instead, so 6 for milliseconds and 9 for seconds.
std::optional<DecimalTime> time_from_decimal(std::string_view text, int power = 3);

}  // namespace cinderscope
