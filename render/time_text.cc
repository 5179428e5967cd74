#include "render/time_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace cinderscope {
namespace {

struct Unit {
  std::int64_t ns;
  std::string_view name;
};
constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::array<Unit, 4> kUnits = {
    {{1, "ns"}, {1'000, "µs"}, {1'000'000, "ms"}, {kSecondNs, "s"}}};
constexpr double kHourFromSeconds = 100'000;  // six digits of seconds say less than hours

// Thin groups are written as plain blanks: they copy well, and every font has them.
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

std::string place_text(std::int64_t ns, TimeAxis axis) {
  if (axis == TimeAxis::events) return signed_count_text(ns);
  constexpr auto kSecond = static_cast<std::uint64_t>(kSecondNs);
  const std::uint64_t size = magnitude(ns);
  return fmt::format("{}{}{} s", ns < 0 ? "-" : "", grouped(size / kSecond),
                     decimal_groups(size % kSecond, 3, 2));
}

std::string place_text(std::int64_t time_ns, std::int64_t origin_ns, TimeAxis axis) {
  std::int64_t since_ns = 0;
  return place_text(__builtin_sub_overflow(time_ns, origin_ns, &since_ns) ? time_ns : since_ns,
                    axis);
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

void ruler_of(const Viewport& absolute_view, TimeAxis axis, double min_step_px, Ruler& out,
              std::int64_t origin_ns, bool in_ns) {
  Viewport view = absolute_view;
  if (__builtin_sub_overflow(view.begin_ns, origin_ns, &view.begin_ns)) {
    view.begin_ns = absolute_view.begin_ns;
    origin_ns = 0;
  }
  out.origin_ns = origin_ns;
  out.in_ns = in_ns;
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
  // The base is a multiple of a power of ten that exceeds the view: it changes once in a screen.
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
  // What lies beyond the end of integers is beyond every trace, too.
  const auto absolute = [&](std::int64_t relative_ns) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(relative_ns, origin_ns, &sum)) return sum;
    return origin_ns > 0 ? INT64_MAX : INT64_MIN;
  };
  out.base_ns = absolute(out.base_ns);
  for (RulerTick& tick : out.ticks) tick.time_ns = absolute(tick.time_ns);
}

std::string relative_text(const Ruler& ruler, const Viewport& view, std::int64_t time_ns,
                          TimeAxis axis) {
  std::int64_t offset_ns = 0;
  if (__builtin_sub_overflow(time_ns, ruler.base_ns, &offset_ns)) return exact_text(time_ns, axis);
  std::string text = offset_ns < 0 ? "-" : (ruler.base_ns == ruler.origin_ns ? "" : "+");
  if (axis == TimeAxis::events) return text + grouped(magnitude(offset_ns));
  const Unit& unit = unit_for_span(ruler.in_ns ? 0 : view.span_ns());
  text += in_unit(offset_ns, std::max<std::int64_t>(unit.ns / 1000, 1), unit);
  return text.append(" ").append(unit.name);
}

}  // namespace cinderscope
