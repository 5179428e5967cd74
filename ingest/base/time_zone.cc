#include "ingest/base/time_zone.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "ingest/base/ascii.h"
#include "ingest/base/time_units.h"

namespace cinderscope {

namespace {

constexpr std::int64_t kYear1990Ns = 631'152'000 * kSecondNs;

// Names of the list have letters, digits and few signs, so they are no paths out of its folder.
bool is_zone_name(std::string_view name) {
  return !name.empty() && name.front() != '/' && std::ranges::all_of(name, [](char c) {
    const char lower = ascii_lower(c);
    return is_digit(c) || (lower >= 'a' && lower <= 'z') || c == '/' || c == '_' || c == '-' ||
           c == '+';
  });
}

std::filesystem::path zone_folder() {
  const char* folder = std::getenv("TZDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/usr/share/zoneinfo";
}

}  // namespace

Status use_time_zone(std::string_view name) {
  if (name == "local") return ok();
  std::string zone = "UTC0";  // needs no list
  if (name != "UTC") {
    std::error_code ignored;
    if (!is_zone_name(name) || !std::filesystem::is_regular_file(zone_folder() / name, ignored)) {
      return refused("There is no time zone \"" + std::string(name.substr(0, 60)) +
                     "\"; give local, UTC or a name such as Europe/Berlin.");
    }
    zone = ":" + std::string(name);
  }
  setenv("TZ", zone.c_str(), 1);
  tzset();
  return ok();
}

LocalTime local_time(std::int64_t time_ns) {
  LocalTime local;
  std::int64_t seconds = time_ns / kSecondNs;
  local.rest_ns = time_ns % kSecondNs;
  if (local.rest_ns < 0) {
    local.rest_ns += kSecondNs;
    --seconds;
  }
  const std::time_t time = seconds;
  localtime_r(&time, &local.fields);
  return local;
}

std::optional<std::int64_t> time_on_day(std::int64_t day_ns, std::int64_t since_midnight_ns) {
  std::tm fields = local_time(day_ns).fields;
  const std::int64_t seconds = since_midnight_ns / kSecondNs;
  fields.tm_hour = static_cast<int>(seconds / 3600);
  fields.tm_min = static_cast<int>(seconds / 60 % 60);
  fields.tm_sec = static_cast<int>(seconds % 60);
  fields.tm_isdst = -1;  // the day's clock may change: which rule holds is looked up
  const std::int64_t time_s = std::mktime(&fields);
  std::int64_t time_ns = 0;
  if (__builtin_mul_overflow(time_s, kSecondNs, &time_ns)) return std::nullopt;
  if (__builtin_add_overflow(time_ns, since_midnight_ns % kSecondNs, &time_ns)) return std::nullopt;
  return time_ns;
}

bool counts_from_1970(std::int64_t begin_ns) {
  return begin_ns >= kYear1990Ns;
}

}  // namespace cinderscope
