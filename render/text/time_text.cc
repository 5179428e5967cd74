#include "render/text/time_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "ingest/base/saturating.h"
#include "ingest/base/time_units.h"
#include "render/text/day_text.h"

namespace cinderscope {
namespace {

using Unit = TimeUnit;
constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::array<Unit, 4> kUnits = {kTimeUnits[0], kTimeUnits[1], kTimeUnits[2],
                                        kTimeUnits[3]};  // up to the second
// A clock that begins earlier counts from the machine's start, not from 1970.
constexpr std::int64_t kYear1990Ns = 631'152'000 * kSecondNs;
constexpr double kHourFromSeconds = 100'000;  // hours are easier to read than six digits of seconds

// Groups are parted by plain blanks: they copy well, and every font has them.
std::string grouped(std::uint64_t number) {
  const std::string digits = fmt::format("{}", number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
}

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

// Decimals of `rest` (below 10^9, the part after the point in billionths), in groups of three, as
// many as are not all zero but at least `min_groups`.
std::string decimal_groups(std::uint64_t rest, int groups, int min_groups) {
  std::string text;
  std::uint64_t divisor = 1;
  for (int i = 1; i < groups; ++i) divisor *= 1000;
  for (int i = 0; i < groups && (i < min_groups || rest != 0); ++i) {
    text += fmt::format("{}{:03}", i == 0 ? "." : " ", rest / divisor);
    rest %= divisor;
    divisor = std::max<std::uint64_t>(divisor / 1000, 1);
  }
  return text;
}

const Unit& unit_for_span(double span_ns) {
  const Unit* unit = &kUnits.front();
  for (const Unit& candidate : kUnits) {
    if (span_ns >= static_cast<double>(candidate.ns)) unit = &candidate;
  }
  return *unit;
}

std::int64_t floor_to(std::int64_t value, std::int64_t step) {
  const std::int64_t rest = value % step;
  const std::int64_t down = rest < 0 ? rest + step : rest;
  std::int64_t result = 0;
  return __builtin_sub_overflow(value, down, &result) ? value - rest : result;
}

// As many decimals as a multiple of `step_ns` needs in `unit`.
std::string in_unit(std::int64_t ns, std::int64_t step_ns, const Unit& unit) {
  int decimals = 0;
  for (std::int64_t part = unit.ns; part > step_ns && part > 1; part /= 10) ++decimals;
  const std::uint64_t size = magnitude(ns);
  const auto unit_ns = static_cast<std::uint64_t>(unit.ns);
  std::string text = grouped(size / unit_ns);
  if (decimals > 0) {
    const double rest = static_cast<double>(size % unit_ns) / static_cast<double>(unit_ns);
    text += fmt::format("{:.{}f}", rest, decimals).substr(1);
  }
  return text;
}

}  // namespace

std::string duration_text(double ns, TimeAxis axis) {
  const bool negative = ns < 0;
  const double size = std::abs(ns);
  if (!std::isfinite(size)) return "–";
  std::string text;
  if (axis == TimeAxis::events) {
    text = size == std::floor(size) && size < 1e18 ? grouped(static_cast<std::uint64_t>(size))
                                                   : five_digits(size);
  } else if (size < 999.5 && size == std::floor(size)) {
    text = fmt::format("{} ns", static_cast<std::uint64_t>(size));
  } else {
    // A value that rounds up to a thousand of a unit is one of the next.
    std::size_t i = 0;
    while (i + 1 < kUnits.size() && size >= 999.95 * static_cast<double>(kUnits.at(i).ns)) ++i;
    const double value = size / static_cast<double>(kUnits.at(i).ns);
    text = i + 1 == kUnits.size() && value >= kHourFromSeconds
               ? five_digits(value / 3600) + " h"
               : fmt::format("{} {}", five_digits(value), kUnits.at(i).name);
  }
  return negative ? "-" + text : text;
}

std::string duration_text(std::int64_t ns, TimeAxis axis) {
  if (axis == TimeAxis::events) return signed_count_text(ns);
  return duration_text(static_cast<double>(ns), axis);
}

std::string exact_text(std::int64_t ns, TimeAxis axis) {
  if (axis == TimeAxis::events) return signed_count_text(ns);
  const std::uint64_t size = magnitude(ns);
  std::size_t i = kUnits.size() - 1;
  while (i > 0 && size < static_cast<std::uint64_t>(kUnits.at(i).ns)) --i;
  const auto unit_ns = static_cast<std::uint64_t>(kUnits.at(i).ns);
  const int groups = static_cast<int>(i);
  return fmt::format("{}{}{} {}", ns < 0 ? "-" : "", grouped(size / unit_ns),
                     decimal_groups(size % unit_ns, groups, groups - 1), kUnits.at(i).name);
}

std::string timestamp_text(std::int64_t ns, TimeAxis axis) {
  if (axis == TimeAxis::events) return signed_count_text(ns);
  constexpr auto kSecond = static_cast<std::uint64_t>(kSecondNs);
  const std::uint64_t size = magnitude(ns);
  return fmt::format("{}{}{} s", ns < 0 ? "-" : "", grouped(size / kSecond),
                     decimal_groups(size % kSecond, 3, 2));
}

std::string timestamp_text(std::int64_t time_ns, std::int64_t origin_ns, TimeAxis axis) {
  std::int64_t since_ns = 0;
  return timestamp_text(__builtin_sub_overflow(time_ns, origin_ns, &since_ns) ? time_ns : since_ns,
                        axis);
}

TimestampFormat timestamp_format(const Timeline& timeline, const TimelineState& state) {
  const bool possible = why_not_shown(timeline, state.time_shown).empty();
  return {.axis = timeline.axis,
          .threads_apart = timeline.threads_apart,
          .shown = possible ? state.time_shown : TimeShown::from_start,
          .origin_ns = timeline.begin_ns};
}

std::string timestamp_text(std::int64_t time_ns, const TimestampFormat& format) {
  if (format.axis == TimeAxis::nanoseconds && format.shown == TimeShown::clock) {
    return timestamp_text(time_ns);
  }
  if (format.axis == TimeAxis::nanoseconds && format.shown == TimeShown::time_of_day) {
    const std::string time = time_of_day_text(time_ns, 2, 3);
    return same_day(time_ns, format.origin_ns) ? time : date_text(time_ns) + " " + time;
  }
  return timestamp_text(time_ns, format.origin_ns, format.axis);
}

bool counts_from_1970(std::int64_t begin_ns) {
  return begin_ns >= kYear1990Ns;
}

std::string why_not_shown(const Timeline& timeline, TimeShown shown) {
  if (shown == TimeShown::from_start) return {};
  if (timeline.axis == TimeAxis::events) {
    return "This format has no clock: its axis counts events.";
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
  if (format.threads_apart) {
    return "number of the event in its own thread: two threads do not compare in time";
  }
  if (format.axis == TimeAxis::events) return "number of the event";
  switch (format.shown) {
    case TimeShown::from_start:
      return "from the start of the trace";
    case TimeShown::clock:
      return "in the file's clock";
    case TimeShown::time_of_day:
      return "as time of day, " + zone_text(format.origin_ns);
  }
  return {};
}

std::string count_text(std::uint64_t count) {
  return grouped(count);
}

std::string signed_count_text(std::int64_t count) {
  return (count < 0 ? "-" : "") + grouped(magnitude(count));
}

void ruler_of(const Viewport& absolute_view, TimeAxis axis, double min_step_px, Ruler& out,
              std::int64_t origin_ns, bool in_ns) {
  Viewport view = absolute_view;
  if (__builtin_sub_overflow(view.begin_ns, origin_ns, &view.begin_ns)) {
    view.begin_ns = absolute_view.begin_ns;
    origin_ns = 0;
  }
  out.origin_ns = origin_ns;
  out.in_ns = in_ns;
  out.of_day = false;
  out.ticks.clear();
  const double wanted_ns = std::min(view.ns_per_px * min_step_px, 4e18);
  std::int64_t decade = 1;
  while (static_cast<double>(decade) * 10 <= wanted_ns && decade < 1'000'000'000'000'000'000) {
    decade *= 10;
  }
  out.step_ns = decade;
  for (const std::int64_t factor : {1, 2, 5, 10}) {
    std::int64_t step = 0;
    if (__builtin_mul_overflow(decade, factor, &step)) break;
    out.step_ns = step;
    if (static_cast<double>(step) >= wanted_ns) break;
  }
  // The base is a multiple of a power of ten longer than the view: it changes once in a screen.
  std::int64_t base_step = 1;
  while (static_cast<double>(base_step) < view.span_ns() && base_step < 1'000'000'000'000'000'000) {
    base_step *= 10;
  }
  out.base_ns = floor_to(view.begin_ns, base_step);
  if (out.base_ns < 0 && view.end_ns() > 0) out.base_ns = 0;
  const bool events = axis == TimeAxis::events;
  const Unit unit = events ? Unit{1, ""} : unit_for_span(in_ns ? 0 : view.span_ns());
  const Unit& base_unit = events || in_ns ? unit : kUnits.back();
  out.base_label = out.base_ns < 0 ? "-" : "";
  out.base_label += out.base_ns == 0
                        ? "0"
                        : in_unit(out.base_ns, std::max(base_step / 10, out.step_ns), base_unit);
  out.base_label.append(" ").append(events ? "events" : base_unit.name);

  std::int64_t time_ns = floor_to(view.begin_ns, out.step_ns);
  const std::int64_t end_ns = view.end_ns();
  while (time_ns < view.begin_ns && !__builtin_add_overflow(time_ns, out.step_ns, &time_ns)) {
  }
  // Two steps of the smallest distance fill a screen at most this often; also ends on overflow.
  for (std::size_t i = 0; time_ns <= end_ns && i < 4096; ++i) {
    RulerTick& tick = out.ticks.emplace_back();
    tick.time_ns = time_ns;
    tick.major = (time_ns / out.step_ns) % 2 == 0;
    std::int64_t offset_ns = 0;
    if (__builtin_sub_overflow(time_ns, out.base_ns, &offset_ns)) offset_ns = time_ns;
    tick.label = offset_ns < 0 ? "-" : (out.base_ns == 0 ? "" : "+");
    tick.label += in_unit(offset_ns, out.step_ns, unit);
    if (!events) tick.label.append(" ").append(unit.name);
    if (__builtin_add_overflow(time_ns, out.step_ns, &time_ns)) break;
  }
  // No trace reaches beyond the range of integers.
  const auto absolute = [&](std::int64_t relative_ns) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(relative_ns, origin_ns, &sum)) return sum;
    return origin_ns > 0 ? INT64_MAX : INT64_MIN;
  };
  out.base_ns = absolute(out.base_ns);
  for (RulerTick& tick : out.ticks) tick.time_ns = absolute(tick.time_ns);
}

namespace {

// Steps of whole seconds, minutes, hours and days.
std::int64_t day_step_ns(double wanted_ns) {
  constexpr std::int64_t kMinute = 60, kHour = 3600, kDay = 86'400;
  std::int64_t step_s = 100 * kDay;
  for (const std::int64_t candidate : {50 * kDay,
                                       20 * kDay,
                                       10 * kDay,
                                       5 * kDay,
                                       2 * kDay,
                                       kDay,
                                       12 * kHour,
                                       6 * kHour,
                                       3 * kHour,
                                       2 * kHour,
                                       kHour,
                                       30 * kMinute,
                                       15 * kMinute,
                                       10 * kMinute,
                                       5 * kMinute,
                                       2 * kMinute,
                                       kMinute,
                                       std::int64_t{30},
                                       std::int64_t{15},
                                       std::int64_t{10},
                                       std::int64_t{5},
                                       std::int64_t{2},
                                       std::int64_t{1}}) {
    if (static_cast<double>(candidate) * 1e9 >= wanted_ns) step_s = candidate;
  }
  while (static_cast<double>(step_s) * 1e9 < wanted_ns && step_s < 2'000'000'000) step_s *= 2;
  return step_s * kSecondNs;
}

// Ticks at round local times, each with its time; the first one of a day has the date instead.
void ruler_of_day(const Viewport& view, std::int64_t first_day_ns, std::int64_t step_ns,
                  Ruler& out) {
  constexpr std::int64_t kDayNs = 86'400 * kSecondNs;
  out.of_day = true;
  out.origin_ns = out.base_ns = 0;
  out.step_ns = step_ns;
  out.ticks.clear();
  // The margin before the trace may lie in the day before.
  const std::int64_t shown_ns =
      view.end_ns() > first_day_ns ? std::max(view.begin_ns, first_day_ns) : view.begin_ns;
  out.base_label = date_text(shown_ns);
  const std::int64_t zone_ns = zone_offset_ns(shown_ns);
  std::int64_t time_ns =
      saturating_difference(floor_to(saturating_sum(view.begin_ns, zone_ns), step_ns), zone_ns);
  const std::int64_t end_ns = view.end_ns();
  std::int64_t before_ns = shown_ns;
  for (std::size_t i = 0; time_ns <= end_ns && i < 4096; ++i) {
    if (time_ns >= view.begin_ns) {
      RulerTick& tick = out.ticks.emplace_back();
      tick.time_ns = time_ns;
      const std::int64_t local_ns = saturating_sum(time_ns, zone_ns);
      tick.major = floor_to(local_ns, 2 * step_ns) == local_ns;
      const bool dated = step_ns >= kDayNs || !same_day(before_ns, time_ns);
      tick.label = dated ? date_text(time_ns) : time_of_day_text(time_ns, 0, 0);
      before_ns = time_ns;
    }
    if (__builtin_add_overflow(time_ns, step_ns, &time_ns)) break;
  }
}

}  // namespace

void ruler_of(const Viewport& view, const TimestampFormat& format, double min_step_px, Ruler& out,
              bool in_ns) {
  const bool from_start = format.axis == TimeAxis::events || format.shown == TimeShown::from_start;
  ruler_of(view, format.axis, min_step_px, out, from_start ? format.origin_ns : 0, in_ns);
  if (format.threads_apart) out.base_label = "thread's event " + signed_count_text(out.base_ns);
  if (from_start || format.shown == TimeShown::clock) return;
  if (out.step_ns >= kSecondNs) {
    const double wanted_ns = std::min(view.ns_per_px * min_step_px, 4e18);
    ruler_of_day(view, format.origin_ns, day_step_ns(wanted_ns), out);
    return;
  }
  const std::string time = time_of_day_text(out.base_ns, 0, 3);
  const bool first_day = same_day(out.base_ns, format.origin_ns);
  // Beside many digits the date is left to the ruler's head.
  out.base_label = first_day || time.size() > 12 ? time : date_text(out.base_ns) + " " + time;
}

std::string relative_text(const Ruler& ruler, const Viewport& view, std::int64_t time_ns,
                          TimeAxis axis) {
  if (ruler.of_day) {
    const double px_ns = view.ns_per_px;
    const int groups = px_ns >= 1e9 ? 0 : px_ns >= 1e6 ? 1 : 2;
    return time_of_day_text(time_ns, groups, groups);
  }
  std::int64_t offset_ns = 0;
  if (__builtin_sub_overflow(time_ns, ruler.base_ns, &offset_ns)) return exact_text(time_ns, axis);
  std::string text = offset_ns < 0 ? "-" : (ruler.base_ns == ruler.origin_ns ? "" : "+");
  if (axis == TimeAxis::events) return text + grouped(magnitude(offset_ns));
  const Unit& unit = unit_for_span(ruler.in_ns ? 0 : view.span_ns());
  text += in_unit(offset_ns, std::max<std::int64_t>(unit.ns / 1000, 1), unit);
  return text.append(" ").append(unit.name);
}

}  // namespace cinderscope
