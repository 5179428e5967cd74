#include "render/text/ruler_ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ingest/base/grouped_text.h"
#include "ingest/base/saturating.h"
#include "ingest/base/time_units.h"
#include "render/text/day_text.h"

namespace cinderscope {
namespace {

constexpr std::int64_t kMillisecondNs = 1'000'000;
constexpr std::int64_t kMinuteNs = 60 * kSecondNs, kHourNs = 60 * kMinuteNs, kDayNs = 24 * kHourNs;
constexpr double kWidestNs = 4e18;  // between two ticks

std::int64_t floor_to(std::int64_t value, std::int64_t step) {
  const std::int64_t rest = value % step;
  const std::int64_t down = rest < 0 ? rest + step : rest;
  std::int64_t result = 0;
  return __builtin_sub_overflow(value, down, &result) ? value - rest : result;
}

TimeUnit unit_for_span(double span_ns) {
  TimeUnit unit = kTimeUnits[0];
  for (const TimeUnit& candidate : kTimeUnits) {
    if (candidate.ns <= kSecondNs && span_ns >= static_cast<double>(candidate.ns)) unit = candidate;
  }
  return unit;
}

// What a weight is written in where boxes write it in larger units, or in seconds; no name: in
// numbers of what the axis counts.
TimeUnit unit_of_weight(const TimeAxis& axis, double span) {
  const std::string_view word = axis.unit.text();
  const std::int64_t one = std::max<std::uint32_t>(axis.scale, 1);
  if (word == "bytes" || word == "byte") {
    TimeUnit unit{one, "bytes"};
    for (const std::string_view name : {"kB", "MB", "GB", "TB"}) {
      if (span < static_cast<double>(unit.ns) * 1000) break;
      unit = {unit.ns * 1000, name};
    }
    return unit;
  }
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kTimes = {
      {{"nanoseconds", 1'000'000'000},
       {"microseconds", 1'000'000},
       {"milliseconds", 1000},
       {"seconds", 1}}};
  for (const auto& [name, in_second] : kTimes) {
    if (word == name) return {one * in_second, "s"};
  }
  return {one, ""};
}

std::string with_unit(std::string text, const TimeUnit& unit) {
  return unit.name.empty() ? text : text.append(" ").append(unit.name);
}

// As many decimals as a multiple of `step_ns` needs in `unit`; more than three in whole groups.
std::string in_unit(std::int64_t ns, std::int64_t step_ns, const TimeUnit& unit) {
  const std::uint64_t size = magnitude(ns);
  const auto unit_ns = static_cast<std::uint64_t>(unit.ns);
  int decimals = 0, groups = 0;
  for (std::int64_t part = unit.ns; part > step_ns && part > 1; part /= 10) ++decimals;
  for (std::int64_t part = unit.ns; part > 1; part /= 1000) ++groups;
  std::string text = grouped(size / unit_ns);
  if (decimals == 0) return text;
  const int shown = (decimals + 2) / 3;
  std::string digits = decimal_groups(size % unit_ns, groups, shown, shown);
  if (decimals < 3) digits.resize(static_cast<std::size_t>(decimals) + 1);
  return text + digits;
}

// 1, 2 or 5 times a power of ten.
std::int64_t decimal_step_ns(double wanted_ns) {
  std::int64_t decade = 1;
  while (static_cast<double>(decade) * 10 <= wanted_ns && decade < 1'000'000'000'000'000'000) {
    decade *= 10;
  }
  std::int64_t found = decade;
  for (const std::int64_t factor : {1, 2, 5, 10}) {
    std::int64_t step = 0;
    if (__builtin_mul_overflow(decade, factor, &step)) break;
    found = step;
    if (static_cast<double>(step) >= wanted_ns) break;
  }
  return found;
}

// Parts of a minute, an hour and a day, then days.
std::int64_t clock_step_ns(double wanted_ns) {
  if (wanted_ns <= 0.5e9) return decimal_step_ns(wanted_ns);
  constexpr auto kSteps = std::to_array<std::int64_t>(
      {kSecondNs,  2 * kSecondNs, 5 * kSecondNs, 10 * kSecondNs, 15 * kSecondNs, 30 * kSecondNs,
       kMinuteNs,  2 * kMinuteNs, 5 * kMinuteNs, 10 * kMinuteNs, 15 * kMinuteNs, 30 * kMinuteNs,
       kHourNs,    2 * kHourNs,   3 * kHourNs,   6 * kHourNs,    12 * kHourNs,   kDayNs,
       2 * kDayNs, 5 * kDayNs,    10 * kDayNs,   20 * kDayNs,    50 * kDayNs,    100 * kDayNs});
  std::int64_t step = kSteps.back();
  for (const std::int64_t candidate : kSteps) {
    if (static_cast<double>(candidate) < wanted_ns) continue;
    step = candidate;
    break;
  }
  while (static_cast<double>(step) < wanted_ns && step < INT64_MAX / 2) step *= 2;
  return step;
}

// Ticks at multiples of the step counted from `zero_ns`; `label` gets the time since then.
template <class Label>
void fill_ticks(const Viewport& view, std::int64_t zero_ns, Ruler& out, const Label& label) {
  std::int64_t since_ns = floor_to(saturating_difference(view.begin_ns, zero_ns), out.step_ns);
  const std::int64_t end_ns = view.end_ns();
  // Two steps of the smallest distance fill a screen at most this often; also ends on overflow.
  for (std::size_t i = 0; i < 4096; ++i) {
    const std::int64_t time_ns = saturating_sum(since_ns, zero_ns);
    if (time_ns > end_ns) break;
    if (time_ns >= view.begin_ns) {
      out.ticks.push_back({.time_ns = time_ns,
                           .major = (since_ns / out.step_ns) % 2 == 0,
                           .label = label(since_ns)});
    }
    if (__builtin_add_overflow(since_ns, out.step_ns, &since_ns)) break;
  }
}

// "0 min", "50 min", "1 h", "1 h 10 min", "1 h 02 min 30 s": what the step needs.
std::string clock_label(std::int64_t ns, std::int64_t step_ns) {
  const auto seconds = static_cast<std::int64_t>(magnitude(ns)) / kSecondNs;
  const std::int64_t hours = seconds / 3600, minutes = seconds / 60 % 60, rest = seconds % 60;
  std::string text;
  const auto add = [&text](std::int64_t number, std::string_view unit) {
    text += text.empty() ? fmt::format("{} {}", grouped(static_cast<std::uint64_t>(number)), unit)
                         : fmt::format(" {:02} {}", number, unit);
  };
  if (hours > 0) add(hours, "h");
  if (minutes > 0 || (hours > 0 && rest > 0)) add(minutes, "min");
  if (rest > 0) add(rest, "s");
  if (text.empty()) return step_ns >= kHourNs ? "0 h" : step_ns >= kMinuteNs ? "0 min" : "0 s";
  return text;
}

// Distances from a base, or from where two traces line up, have a sign.
std::string sign_of(std::int64_t since_base_ns, bool from_base, const TimestampFormat& format) {
  if (since_base_ns < 0) return "-";
  return from_base || (format.lined_up && since_base_ns > 0) ? "+" : "";
}

// Labels are whole times from the start; those with seconds count from the hour.
void minutes_ruler(const Viewport& view, const TimestampFormat& format, std::int64_t origin_ns,
                   Ruler& out) {
  out.labels = Ruler::Labels::minutes;
  const std::int64_t begin_ns = saturating_difference(view.begin_ns, origin_ns);
  const std::int64_t base_ns =
      out.step_ns < kMinuteNs ? std::max<std::int64_t>(floor_to(begin_ns, kHourNs), 0) : 0;
  out.base_ns = saturating_sum(base_ns, origin_ns);
  out.base_label = base_ns == 0 ? "0 s" : clock_label(base_ns, kHourNs);
  fill_ticks(view, origin_ns, out, [&](std::int64_t since_ns) {
    const std::int64_t offset_ns = saturating_difference(since_ns, base_ns);
    return sign_of(offset_ns, base_ns != 0, format) + clock_label(offset_ns, out.step_ns);
  });
}

// Ticks at round local times; the first one of a day has the date instead.
void day_ruler(const Viewport& view, std::int64_t first_day_ns, Ruler& out) {
  out.labels = Ruler::Labels::of_day;
  out.origin_ns = out.base_ns = 0;
  // The margin before the trace may lie in the day before.
  const std::int64_t shown_ns =
      view.end_ns() > first_day_ns ? std::max(view.begin_ns, first_day_ns) : view.begin_ns;
  out.base_label = date_text(shown_ns) + "  " + zone_text(shown_ns);
  const std::int64_t zone_ns = zone_offset_ns(shown_ns);
  std::int64_t before_ns = shown_ns;
  int decimals = 0;
  for (std::int64_t part = kSecondNs; part > out.step_ns; part /= 10) ++decimals;
  fill_ticks(view, -zone_ns, out, [&](std::int64_t since_ns) {
    const std::int64_t time_ns = saturating_difference(since_ns, zone_ns);
    const bool dated = out.step_ns >= kDayNs || !same_day(before_ns, time_ns);
    before_ns = time_ns;
    if (dated) return date_text(time_ns);
    std::string text = time_of_day_text(time_ns, 1, 1);  // "12:03:04.500"
    text.resize(decimals == 0 ? text.size() - 4
                              : text.size() - 3 + static_cast<std::size_t>(std::min(decimals, 3)));
    return text;
  });
}

// Labels count from a base that is a multiple of a power of ten longer than the view, or of whole
// minutes: it changes once in a screen.
void decimal_ruler(const Viewport& view, const TimestampFormat& format, std::int64_t origin_ns,
                   Ruler& out) {
  const bool events = format.axis == TimeAxis::events;
  const bool of_day = !events && format.shown == TimeShown::time_of_day;
  const std::int64_t begin_ns = saturating_difference(view.begin_ns, origin_ns);
  std::int64_t base_step_ns = 1;
  while (static_cast<double>(base_step_ns) < view.span_ns() &&
         base_step_ns < 1'000'000'000'000'000'000) {
    base_step_ns *= 10;
  }
  const bool in_minutes = !events && !out.in_ns && format.unit == ShownUnit::minutes;
  if (in_minutes && base_step_ns > 10 * kSecondNs) base_step_ns = kMinuteNs;
  std::int64_t base_ns = floor_to(begin_ns, base_step_ns);
  if (base_ns < 0 && saturating_difference(view.end_ns(), origin_ns) > 0) base_ns = 0;
  const TimeUnit unit = events ? unit_of_weight(format.axis, view.span_ns())
                               : unit_for_span(out.in_ns ? 0 : view.span_ns());
  fill_ticks(view, origin_ns, out, [&](std::int64_t since_ns) {
    const std::int64_t offset_ns = saturating_difference(since_ns, base_ns);
    return with_unit(
        sign_of(offset_ns, base_ns != 0, format) + in_unit(offset_ns, out.step_ns, unit), unit);
  });
  out.base_ns = saturating_sum(base_ns, origin_ns);
  const std::string sign = base_ns < 0 ? "-" : "";
  if (events) {
    const std::string base = sign + in_unit(base_ns, out.step_ns, unit);
    out.base_label = format.axis.unit.text().empty() ? "Event " + base
                     : unit.name.empty() ? fmt::format("{} {}", base, format.axis.word())
                                         : with_unit(base, unit);
    if (format.threads_apart) out.base_note = "(counted per thread)";
  } else if (of_day) {
    const std::string time = time_of_day_text(out.base_ns, 0, 3);
    const bool first_day = same_day(out.base_ns, format.origin_ns);
    // Beside many digits the date is left to the ruler's head.
    out.base_label = first_day || time.size() > 12 ? time : date_text(out.base_ns) + " " + time;
  } else if (in_minutes && magnitude(base_ns) >= static_cast<std::uint64_t>(kMinuteNs)) {
    out.base_label = sign + minutes_text(magnitude(base_ns), 0, 3);
  } else {
    const auto shown = static_cast<std::size_t>(std::min(format.unit, ShownUnit::seconds));
    const TimeUnit base_unit = out.in_ns ? unit : kTimeUnits[shown];
    out.base_label = sign;
    out.base_label +=
        base_ns == 0 ? "0" : in_unit(base_ns, std::max(base_step_ns / 10, out.step_ns), base_unit);
    out.base_label.append(" ").append(base_unit.name);
  }
}

}  // namespace

void ruler_of(const Viewport& view, const TimestampFormat& format, double min_step_px, Ruler& out,
              bool in_ns) {
  const bool events = format.axis == TimeAxis::events;
  const bool from_start = events || format.shown == TimeShown::from_start;
  std::int64_t origin_ns = from_start ? format.origin_ns : 0;
  std::int64_t ignored = 0;
  if (__builtin_sub_overflow(view.begin_ns, origin_ns, &ignored)) origin_ns = 0;
  out.origin_ns = origin_ns;
  out.in_ns = in_ns;
  out.labels = Ruler::Labels::decimal;
  out.base_note.clear();
  out.ticks.clear();
  const double wanted_ns = std::min(view.ns_per_px * min_step_px, kWidestNs);
  out.step_ns = clock_step_ns(wanted_ns);
  if (!events && format.shown == TimeShown::time_of_day && out.step_ns >= kMillisecondNs) {
    return day_ruler(view, format.origin_ns, out);
  }
  if (!events && from_start && format.unit == ShownUnit::minutes && !in_ns &&
      out.step_ns >= kSecondNs) {
    return minutes_ruler(view, format, origin_ns, out);
  }
  out.step_ns = decimal_step_ns(wanted_ns);
  decimal_ruler(view, format, origin_ns, out);
}

std::string ruler_head_help(const Timeline& timeline, const Ruler& ruler,
                            const TimestampFormat& format) {
  if (format.axis == TimeAxis::events) return "Positions are the " + shown_text(format) + ".";
  std::string help = "Times of day, " +
                     date_text(ruler.ticks.empty() ? format.origin_ns : ruler.ticks[0].time_ns) +
                     ", " + zone_text(format.origin_ns);
  if (ruler.labels != Ruler::Labels::of_day) {
    help = "Ruler starts at " + timestamp_text(ruler.base_ns, format);
    help += " " + shown_text(format);
  }
  constexpr std::array<std::string_view, 3> kNames = {"from start", "file clock", "time of day"};
  std::string others;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const auto shown = static_cast<TimeShown>(i);
    if (shown == format.shown || !why_not_shown(timeline, shown).empty()) continue;
    others += (others.empty() ? "" : ", ") + std::string(kNames.at(i));
  }
  return help + ". Click: " + others;
}

std::string relative_text(const Ruler& ruler, const Viewport& view, std::int64_t time_ns,
                          const TimestampFormat& format) {
  const double px_ns = view.ns_per_px;
  // Digits far below a pixel would say nothing.
  const int groups = px_ns >= 3e8 ? 0 : px_ns >= 3e5 ? 1 : px_ns >= 300 ? 2 : 3;
  if (ruler.labels == Ruler::Labels::of_day) return time_of_day_text(time_ns, groups, groups);
  if (ruler.labels == Ruler::Labels::minutes) {
    const std::int64_t since_ns = saturating_difference(time_ns, ruler.origin_ns);
    const std::uint64_t size = magnitude(since_ns);
    constexpr auto kSecond = static_cast<std::uint64_t>(kSecondNs);
    const std::string sign = since_ns < 0 ? "-" : "";
    if (size >= 60 * kSecond) return sign + minutes_text(size, groups, groups);
    return fmt::format("{}{}{} s", sign, size / kSecond,
                       decimal_groups(size % kSecond, 3, groups, groups));
  }
  std::int64_t offset_ns = 0;
  if (__builtin_sub_overflow(time_ns, ruler.base_ns, &offset_ns)) {
    return exact_text(time_ns, format.axis);
  }
  std::string text = sign_of(offset_ns, ruler.base_ns != ruler.origin_ns, format);
  if (format.axis == TimeAxis::events) {
    const TimeUnit unit = unit_of_weight(format.axis, view.span_ns());
    const std::int64_t digit = unit.name.empty() ? 1 : std::max<std::int64_t>(unit.ns / 1000, 1);
    return with_unit(text + in_unit(offset_ns, digit, unit), unit);
  }
  const TimeUnit unit = unit_for_span(ruler.in_ns ? 0 : view.span_ns());
  // Digits below a pixel say nothing, but where the file asks for all of them.
  const std::int64_t digit_ns = format.all_digits ? 1 : std::max<std::int64_t>(unit.ns / 1000, 1);
  text += in_unit(offset_ns, digit_ns, unit);
  return text.append(" ").append(unit.name);
}

}  // namespace cinderscope
