#include "render/text/time_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "ingest/base/grouped_text.h"
#include "ingest/base/saturating.h"
#include "ingest/base/time_units.h"
#include "ingest/base/time_zone.h"
#include "render/text/day_text.h"

namespace cinderscope {
namespace {

constexpr std::array<TimeUnit, 4> kUnits = {kTimeUnits[0], kTimeUnits[1], kTimeUnits[2],
                                            kTimeUnits[3]};  // up to the second
constexpr auto kMinuteNs = static_cast<std::uint64_t>(kTimeUnits[4].ns);

// Two decimals below a hundred, one below ten thousand, none above: five digits at most. Which
// range a value falls in is decided after rounding, so 99.996 becomes "100.0", not "100.00".
std::string five_digits(double value) {
  if (value < 99.995) return fmt::format("{:.2f}", value);
  if (value < 999.95) return fmt::format("{:.1f}", value);
  if (value < 9999.95) {
    const auto tenths = static_cast<std::uint64_t>(std::llround(value * 10));
    return fmt::format("{}.{}", grouped(tenths / 10), tenths % 10);
  }
  return value < 1e18 ? grouped(static_cast<std::uint64_t>(std::llround(value)))
                      : fmt::format("{:.4e}", value);
}

// "1 min 15.2 s", "12 min 05 s", "1 h 02 min", "123 h": nobody reads 27 000 s.
std::string long_duration(double ns) {
  if (ns < 599.95e9) {
    const auto tenths = static_cast<std::uint64_t>(std::llround(ns / 1e8));
    return fmt::format("{} min {:02}.{} s", tenths / 600, tenths / 10 % 60, tenths % 10);
  }
  if (ns < 3599.5e9) {
    const auto seconds = static_cast<std::uint64_t>(std::llround(ns / 1e9));
    return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
  }
  if (ns < 5999.5 * 60e9) {
    const auto minutes = static_cast<std::uint64_t>(std::llround(ns / 60e9));
    return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
  }
  return grouped(static_cast<std::uint64_t>(std::llround(ns / 3600e9))) + " h";
}

// The unit that a length is written in, where all of a table or trace share one.
ShownUnit unit_for(std::uint64_t length_ns) {
  if (length_ns >= kMinuteNs) return ShownUnit::minutes;
  std::size_t unit = kUnits.size() - 1;
  while (unit > 0 && length_ns < static_cast<std::uint64_t>(kUnits.at(unit).ns)) --unit;
  return static_cast<ShownUnit>(unit);
}

// How many groups of decimals a nanosecond needs in that unit.
int groups_of(ShownUnit shown) {
  return static_cast<int>(std::min(shown, ShownUnit::seconds));
}

// With as many groups of decimals as are not zero, within the limits.
std::string in_unit(std::uint64_t ns, ShownUnit shown, int min_groups, int max_groups) {
  if (shown == ShownUnit::minutes && ns >= kMinuteNs) {
    return minutes_text(ns, min_groups, max_groups);
  }
  const int groups = groups_of(shown);
  const TimeUnit& unit = kUnits.at(static_cast<std::size_t>(groups));
  const auto unit_ns = static_cast<std::uint64_t>(unit.ns);
  return fmt::format("{}{} {}", grouped(ns / unit_ns),
                     decimal_groups(ns % unit_ns, groups, std::min(min_groups, groups),
                                    std::min(max_groups, groups)),
                     unit.name);
}

std::string unit_of_length(std::int64_t ns, const TimeAxis& axis) {
  if (axis == TimeAxis::nanoseconds) return "";
  if (axis.unit.text().empty() && magnitude(ns) == 1) return " event";
  return fmt::format(" {}", axis.word());
}

// A number of what the axis counts, in as many decimals as it has.
std::string counted_text(std::int64_t steps, const TimeAxis& axis) {
  const std::uint64_t size = magnitude(steps), scale = axis.scale;
  if (scale <= 1 || size % scale == 0) {
    return (steps < 0 ? "-" : "") + grouped(size / std::max<std::uint64_t>(scale, 1));
  }
  std::string decimals =
      fmt::format("{:.3f}", static_cast<double>(size % scale) / static_cast<double>(scale));
  decimals.erase(decimals.find_last_not_of('0') + 1);
  return (steps < 0 ? "-" : "") + grouped(size / scale) + decimals.substr(1);
}

}  // namespace

std::string duration_text(double ns, TimeAxis axis) {
  const bool negative = ns < 0;
  double size = std::abs(ns);
  if (!std::isfinite(size)) return "–";
  std::string text;
  if (axis == TimeAxis::events) {
    size /= std::max<std::uint32_t>(axis.scale, 1);
    text = size == std::floor(size) && size < 1e18 ? grouped(static_cast<std::uint64_t>(size))
                                                   : five_digits(size);
  } else if (size < 999.5 && size == std::floor(size)) {
    text = fmt::format("{} ns", static_cast<std::uint64_t>(size));
  } else if (size >= 59.995e9) {
    text = long_duration(size);
  } else {
    // A value that rounds up to a thousand of a unit is one of the next.
    std::size_t i = 0;
    while (i + 1 < kUnits.size() && size >= 999.95 * static_cast<double>(kUnits.at(i).ns)) ++i;
    text = fmt::format("{} {}", five_digits(size / static_cast<double>(kUnits.at(i).ns)),
                       kUnits.at(i).name);
  }
  return negative ? "-" + text : text;
}

std::string duration_text(std::int64_t ns, TimeAxis axis) {
  if (axis == TimeAxis::events) return counted_text(ns, axis);
  return duration_text(static_cast<double>(ns), axis);
}

std::string duration_text(std::int64_t ns, std::int64_t longest_ns, TimeAxis axis) {
  if (axis == TimeAxis::events) return counted_text(ns, axis);
  const std::uint64_t size = magnitude(ns);
  const ShownUnit shown = unit_for(magnitude(longest_ns));
  if (shown == ShownUnit::minutes && size >= kMinuteNs) {
    return (ns < 0 ? "-" : "") + long_duration(static_cast<double>(size));
  }
  const auto unit_ns =
      static_cast<std::uint64_t>(kUnits.at(static_cast<std::size_t>(groups_of(shown))).ns);
  // Three decimals; more where a small value would have no digits left.
  int groups = 1;
  if (size > 0 && size < unit_ns) ++groups;
  if (size > 0 && size < unit_ns / 1'000'000) ++groups;
  return (ns < 0 ? "-" : "") + in_unit(size, shown, 1, groups);
}

std::string exact_text(std::int64_t ns, TimeAxis axis) {
  if (axis == TimeAxis::events) return counted_text(ns, axis);
  const std::uint64_t size = magnitude(ns);
  const ShownUnit shown = unit_for(size);
  const int least = shown == ShownUnit::minutes ? 0 : groups_of(shown) - 1;
  return (ns < 0 ? "-" : "") + in_unit(size, shown, least, groups_of(shown));
}

std::string length_text(std::int64_t ns, TimeAxis axis) {
  return duration_text(ns, axis).append(unit_of_length(ns, axis));
}

std::string exact_length_text(std::int64_t ns, TimeAxis axis) {
  return exact_text(ns, axis).append(unit_of_length(ns, axis));
}

ShownUnit unit_of(const Timeline& timeline, TimeShown shown) {
  if (shown == TimeShown::from_start) {
    return unit_for(magnitude(saturating_difference(timeline.end_ns, timeline.begin_ns)));
  }
  // A file's clock is compared with what other programs print, and those print seconds.
  const std::uint64_t most = std::max(magnitude(timeline.begin_ns), magnitude(timeline.end_ns));
  return std::min(unit_for(most), ShownUnit::seconds);
}

TimestampFormat timestamp_format(const Timeline& timeline, const TimelineState& state) {
  const bool possible = why_not_shown(timeline, state.time_shown).empty();
  TimestampFormat format{.axis = timeline.axis,
                         .threads_apart = timeline.threads_apart,
                         .shown = possible ? state.time_shown : TimeShown::from_start,
                         .origin_ns = timeline.begin_ns,
                         .all_digits = timeline.show_ns_unit};
  if (state.lane) {  // times of two traces have only their distance from there in common
    format.shown = TimeShown::from_start;
    format.origin_ns = state.lane->zero_ns;
    format.lined_up = true;
  }
  format.unit = unit_of(timeline, format.shown);
  return format;
}

std::string timestamp_text(std::int64_t time_ns, const TimestampFormat& format) {
  const bool from_start = format.axis == TimeAxis::events || format.shown == TimeShown::from_start;
  std::int64_t since_ns = time_ns;
  if (from_start && __builtin_sub_overflow(time_ns, format.origin_ns, &since_ns)) {
    since_ns = time_ns;
  }
  if (format.axis == TimeAxis::events) return counted_text(since_ns, format.axis);
  if (format.shown == TimeShown::time_of_day) {
    const std::string time = time_of_day_text(time_ns, format.all_digits ? 3 : 2, 3);
    return same_day(time_ns, format.origin_ns) ? time : date_text(time_ns) + " " + time;
  }
  // Down to the microsecond where that is zero, so that most times have equal lengths; minutes are
  // long enough without.
  const int groups = groups_of(format.unit);
  const int usual = format.unit == ShownUnit::minutes ? 1 : groups - (groups > 1 ? 1 : 0);
  const int least = format.all_digits ? groups : usual;
  return (since_ns < 0 ? "-" : "") + in_unit(magnitude(since_ns), format.unit, least, groups);
}

std::string place_text(std::int64_t time_ns, const TimestampFormat& format) {
  const std::string time = timestamp_text(time_ns, format);
  if (format.axis == TimeAxis::events) {
    return format.axis.unit.text().empty() ? "event " + time
                                           : fmt::format("at {} {}", time, format.axis.word());
  }
  switch (format.shown) {
    case TimeShown::from_start:
      return "at " + time + (format.lined_up ? " from where they line up" : " from start");
    case TimeShown::clock:
      return "at " + time + " of file clock";
    case TimeShown::time_of_day:
      break;
  }
  return "at " + time;
}

std::string why_not_shown(const Timeline& timeline, TimeShown shown) {
  if (shown == TimeShown::from_start) return {};
  if (timeline.axis == TimeAxis::events) {
    return fmt::format("This trace has no clock: its axis counts {}.", timeline.axis.word());
  }
  if (shown == TimeShown::clock || counts_from_1970(timeline.begin_ns)) return {};
  return "The clock of this file does not count from 1970: it tells no time of day.";
}

TimeShown next_shown(const Timeline& timeline, TimeShown shown) {
  for (int i = 0; i < 2; ++i) {
    shown = static_cast<TimeShown>((static_cast<int>(shown) + 1) % 3);
    if (why_not_shown(timeline, shown).empty()) return shown;
  }
  return TimeShown::from_start;
}

std::string shown_text(const TimestampFormat& format) {
  if (!format.axis.unit.text().empty()) {
    return fmt::format("{}{}, the heaviest calls first", format.axis.word(),
                       format.threads_apart ? " of each thread by itself" : "");
  }
  if (format.threads_apart) {
    return "number of the event in its own thread: two threads do not compare in time";
  }
  if (format.axis == TimeAxis::events) return "number of the event";
  switch (format.shown) {
    case TimeShown::from_start:
      return format.lined_up ? "from where they line up" : "from the start of the trace";
    case TimeShown::clock:
      return "in the file's clock";
    case TimeShown::time_of_day:
      return "as time of day, " + date_text(format.origin_ns) + ", " + zone_text(format.origin_ns);
  }
  return {};
}

std::string count_text(std::uint64_t count) {
  return grouped(count);
}

std::string signed_count_text(std::int64_t count) {
  return (count < 0 ? "-" : "") + grouped(magnitude(count));
}

std::string number_text(double value) {
  if (std::isnan(value)) return "not a number";
  if (value == std::floor(value) && std::abs(value) < 1e7) {
    return signed_count_text(static_cast<std::int64_t>(value));
  }
  const double size = std::abs(value);
  if (size >= 1e4 && size < 1e7) return signed_count_text(std::llround(value));
  return fmt::format("{:.5g}", value);
}

}  // namespace cinderscope
