#include <windows.h>

#include <chrono>

#include "ingest/base/time_zone.h"

namespace cinderscope {
namespace {

namespace chrono = std::chrono;

constexpr std::int64_t kTicksPerSecond = 10'000'000;
constexpr std::int64_t kFrom1601To1970S = 11'644'473'600, kMostS = 900'000'000'000;

bool g_is_utc = false;

chrono::sys_seconds seconds_of(const std::tm& fields) {
  const chrono::year_month day_of = chrono::year(fields.tm_year + 1900) / 1;
  return chrono::sys_days((day_of + chrono::months(fields.tm_mon)) / 1) +
         chrono::days(fields.tm_mday - 1) + chrono::hours(fields.tm_hour) +
         chrono::minutes(fields.tm_min) + chrono::seconds(fields.tm_sec);
}

std::tm fields_of(chrono::sys_seconds time) {
  const chrono::sys_days day = chrono::floor<chrono::days>(time);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss clock(time - day);
  std::tm fields{};
  fields.tm_year = static_cast<int>(date.year()) - 1900;
  fields.tm_mon = static_cast<int>(static_cast<unsigned>(date.month())) - 1;
  fields.tm_mday = static_cast<int>(static_cast<unsigned>(date.day()));
  fields.tm_hour = static_cast<int>(clock.hours().count());
  fields.tm_min = static_cast<int>(clock.minutes().count());
  fields.tm_sec = static_cast<int>(clock.seconds().count());
  fields.tm_wday = static_cast<int>(chrono::weekday(day).c_encoding());
  fields.tm_yday = static_cast<int>((day - chrono::sys_days(date.year() / 1 / 1)).count());
  fields.tm_isdst = -1;
  return fields;
}

bool system_time_of(chrono::sys_seconds time, SYSTEMTIME& out) {
  const std::int64_t seconds = time.time_since_epoch().count();
  if (seconds < -kFrom1601To1970S || seconds > kMostS) return false;
  const std::int64_t ticks = (seconds + kFrom1601To1970S) * kTicksPerSecond;
  const FILETIME file_time{static_cast<DWORD>(ticks), static_cast<DWORD>(ticks >> 32)};
  return FileTimeToSystemTime(&file_time, &out) != 0;
}

chrono::sys_seconds seconds_of(const SYSTEMTIME& time) {
  std::tm fields{};
  fields.tm_year = time.wYear - 1900;
  fields.tm_mon = time.wMonth - 1;
  fields.tm_mday = time.wDay;
  fields.tm_hour = time.wHour;
  fields.tm_min = time.wMinute;
  fields.tm_sec = time.wSecond;
  return seconds_of(fields);
}

}  // namespace

std::optional<WallTime> wall_time(std::int64_t time_s) {
  const chrono::sys_seconds utc{chrono::seconds(time_s)};
  SYSTEMTIME at{}, local{};
  if (!system_time_of(utc, at)) return std::nullopt;
  if (g_is_utc) return WallTime{.fields = fields_of(utc), .ahead_s = 0};
  if (SystemTimeToTzSpecificLocalTime(nullptr, &at, &local) == 0) return std::nullopt;
  const chrono::sys_seconds shown = seconds_of(local);
  return WallTime{.fields = fields_of(shown), .ahead_s = (shown - utc).count()};
}

std::int64_t time_of_wall(std::tm fields) {
  const chrono::sys_seconds shown = seconds_of(fields);
  SYSTEMTIME local{}, at{};
  const bool known = !g_is_utc && system_time_of(shown, local) &&
                     TzSpecificLocalTimeToSystemTime(nullptr, &local, &at) != 0;
  return (known ? seconds_of(at) : shown).time_since_epoch().count();
}

// Windows has names of its own for zones, which nobody types.
bool use_wall_zone(std::string_view name) {
  g_is_utc = name == "UTC";
  return g_is_utc;
}

}  // namespace cinderscope
