#include "render/text/date_text.h"

#include <fmt/format.h>

#include <array>
#include <ctime>
#include <optional>
#include <string_view>

#include "ingest/base/time_zone.h"

namespace cinderscope {
namespace {

std::optional<std::tm> local(std::int64_t time_s) {
  const auto wall = wall_time(time_s);
  return wall ? std::optional(wall->fields) : std::nullopt;
}

}  // namespace

std::string date_text(std::int64_t time_s, std::int64_t now_s) {
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto then = local(time_s), now = local(now_s);
  if (!then || !now) return {};
  if (then->tm_year == now->tm_year && then->tm_yday == now->tm_yday) {
    return fmt::format("today {:02}:{:02}", then->tm_hour, then->tm_min);
  }
  const std::string_view month = kMonths.at(static_cast<std::size_t>(then->tm_mon));
  if (then->tm_year == now->tm_year) return fmt::format("{} {}", then->tm_mday, month);
  return fmt::format("{} {} {}", then->tm_mday, month, 1900 + std::int64_t{then->tm_year});
}

}  // namespace cinderscope
