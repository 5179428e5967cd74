#include "ingest/base/time_zone.h"

#include <string>

#include "ingest/base/time_units.h"

namespace cinderscope {

namespace {

constexpr std::int64_t kYear1990Ns = 631'152'000 * kSecondNs;

}  // namespace

Status use_time_zone(std::string_view name) {
  if (name == "local" || use_wall_zone(name)) return ok();
  return refused("There is no time zone \"" + std::string(name.substr(0, 60)) +
                 "\"; give local, UTC or a name such as Europe/Berlin.");
}

LocalTime local_time(std::int64_t time_ns) {
  LocalTime local;
  std::int64_t seconds = time_ns / kSecondNs;
  local.rest_ns = time_ns % kSecondNs;
  if (local.rest_ns < 0) {
    local.rest_ns += kSecondNs;
    --seconds;
  }
  if (const auto wall = wall_time(seconds)) {
    local.fields = wall->fields;
    local.ahead_ns = wall->ahead_s * kSecondNs;
  }
  return local;
}

std::optional<std::int64_t> time_on_day(std::int64_t day_ns, std::int64_t since_midnight_ns) {
  std::tm fields = local_time(day_ns).fields;
  const std::int64_t seconds = since_midnight_ns / kSecondNs;
  fields.tm_hour = static_cast<int>(seconds / 3600);
  fields.tm_min = static_cast<int>(seconds / 60 % 60);
  fields.tm_sec = static_cast<int>(seconds % 60);
  // The day's clock may change: which rule holds is looked up.
  const std::int64_t time_s = time_of_wall(fields);
  std::int64_t time_ns = 0;
  if (__builtin_mul_overflow(time_s, kSecondNs, &time_ns)) return std::nullopt;
  if (__builtin_add_overflow(time_ns, since_midnight_ns % kSecondNs, &time_ns)) return std::nullopt;
  return time_ns;
}

bool counts_from_1970(std::int64_t begin_ns) {
  return begin_ns >= kYear1990Ns;
}

}  // namespace cinderscope
