#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "ingest/base/ascii.h"
#include "ingest/base/path_text.h"
#include "ingest/base/time_zone.h"

namespace cinderscope {
namespace {

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
  return path_of(folder != nullptr && *folder != '\0' ? folder : "/usr/share/zoneinfo");
}

}  // namespace

std::optional<WallTime> wall_time(std::int64_t time_s) {
  const std::time_t time = time_s;
  WallTime wall;
  if (localtime_r(&time, &wall.fields) == nullptr) return std::nullopt;
  wall.ahead_s = wall.fields.tm_gmtoff;
  return wall;
}

std::int64_t time_of_wall(std::tm fields) {
  fields.tm_isdst = -1;
  return std::mktime(&fields);
}

bool use_wall_zone(std::string_view name) {
  std::string zone = "UTC0";  // needs no list
  if (name != "UTC") {
    std::error_code ignored;
    if (!is_zone_name(name) ||
        !std::filesystem::is_regular_file(zone_folder() / path_of(name), ignored)) {
      return false;
    }
    zone = ":" + std::string(name);
  }
  setenv("TZ", zone.c_str(), 1);
  tzset();
  return true;
}

}  // namespace cinderscope
