// Times of day and dates in the local time zone: "14:03:12.345 678", "2026-11-21".
#pragma once

#include <cstdint>
#include <string>

namespace cinderscope {

// All times are nanoseconds since 1970, UTC; any value is allowed.

// The decimals come in groups of three: up to the last group that is not zero, within the two
// limits (0 to 3).
std::string time_of_day_text(std::int64_t time_ns, int min_groups, int max_groups);
std::string date_text(std::int64_t time_ns);
bool same_day(std::int64_t a_ns, std::int64_t b_ns);
// What local time adds to UTC at `time_ns`; not always whole hours, and different in summer.
std::int64_t zone_offset_ns(std::int64_t time_ns);
std::string zone_text(std::int64_t time_ns);  // "UTC+01:00"

}  // namespace cinderscope
