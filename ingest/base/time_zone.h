// The zone of times of day: the machine's, or the one that was asked for.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string_view>

#include "ingest/base/result.h"

namespace cinderscope {

// All times are nanoseconds since 1970, UTC; any value is allowed.

// From now on, in the whole process: "local", "UTC", or a name of the system's list of zones as
// "Europe/Berlin". Before other threads start: it changes the environment.
Status use_time_zone(std::string_view name);

struct LocalTime {
  std::tm fields{};
  std::int64_t rest_ns = 0;   // below a second
  std::int64_t ahead_ns = 0;  // of UTC
};
LocalTime local_time(std::int64_t time_ns);

// The time `since_midnight_ns` on the clock of the day of `day_ns`. Nothing beyond 64 bits.
std::optional<std::int64_t> time_on_day(std::int64_t day_ns, std::int64_t since_midnight_ns);

// What the clock on the wall shows, by the system's own rules; implemented in ingest/os.
struct WallTime {
  std::tm fields{};
  std::int64_t ahead_s = 0;  // of UTC
};
// None where the system cannot tell, as for years of more digits than it has.
std::optional<WallTime> wall_time(std::int64_t time_s);
// When the clock shows these fields, which may be beyond their usual ends; tm_isdst is looked up.
std::int64_t time_of_wall(std::tm fields);
// "UTC", or a name of the system's list, as above. False if it has none of that name.
bool use_wall_zone(std::string_view name);

// True if the clock of a trace that begins at `begin_ns` counts from 1970, so tells times of day.
// One that begins earlier than 1990 counts from the machine's start.
bool counts_from_1970(std::int64_t begin_ns);

}  // namespace cinderscope
