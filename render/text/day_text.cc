#include "render/text/day_text.h"

#include <fmt/format.h>

#include "ingest/base/time_units.h"
#include "ingest/base/time_zone.h"

namespace cinderscope {
namespace {}  // namespace

std::string time_of_day_text(std::int64_t time_ns, int min_groups, int max_groups) {
  const LocalTime local = local_time(time_ns);
  std::string text = fmt::format("{:02}:{:02}:{:02}", local.fields.tm_hour, local.fields.tm_min,
                                 local.fields.tm_sec);
  std::int64_t rest = local.rest_ns, divisor = kSecondNs / 1000;
  for (int i = 0; i < max_groups && (i < min_groups || rest != 0); ++i) {
    text += fmt::format("{}{:03}", i == 0 ? "." : " ", rest / divisor);
    rest %= divisor;
    divisor /= 1000;
  }
  return text;
}

std::string date_text(std::int64_t time_ns) {
  const LocalTime local = local_time(time_ns);
  return fmt::format("{:04}-{:02}-{:02}", local.fields.tm_year + 1900, local.fields.tm_mon + 1,
                     local.fields.tm_mday);
}

bool same_day(std::int64_t a_ns, std::int64_t b_ns) {
  const LocalTime a = local_time(a_ns), b = local_time(b_ns);
  return a.fields.tm_year == b.fields.tm_year && a.fields.tm_yday == b.fields.tm_yday;
}

std::int64_t zone_offset_ns(std::int64_t time_ns) {
  return local_time(time_ns).ahead_ns;
}

std::string zone_text(std::int64_t time_ns) {
  const std::int64_t minutes = zone_offset_ns(time_ns) / (60 * kSecondNs);
  const std::int64_t size = minutes < 0 ? -minutes : minutes;
  return fmt::format("UTC{}{:02}:{:02}", minutes < 0 ? '-' : '+', size / 60, size % 60);
}

}  // namespace cinderscope
