#include "render/text/counter_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ingest/totals/counter_sums.h"
#include "render/text/label.h"
#include "render/text/size_text.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr double kMostDigits = 1e15;  // beyond this a double holds no exact integers

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

bool is_bytes(std::string_view unit) {
  return same_word(unit, "bytes") || same_word(unit, "byte") || same_word(unit, "B");
}

std::string with_unit(std::string text, std::string_view unit) {
  if (!unit.empty()) text.append(" ").append(unit);
  return text;
}

std::string odd_number(double value) {
  if (std::isnan(value)) return "not a number";
  return value > 0 ? "infinity" : "-infinity";
}

// The shortest digits that mean the value, those before the point in groups.
std::string digits_of(double value) {
  if (std::abs(value) >= kMostDigits) return fmt::format("{:.6g}", value);
  const std::string text = fmt::format("{}", std::abs(value));
  if (text.find('e') != std::string::npos) return fmt::format("{}", value);
  const std::string sign = value < 0 ? "-" : "";
  const std::string whole = count_text(static_cast<std::uint64_t>(std::abs(value)));
  const std::size_t point = text.find('.');
  const std::string rest = point == std::string::npos ? std::string() : text.substr(point);
  return sign + whole + (rest == ".0" ? "" : rest);
}

}  // namespace

std::string counter_text(double value, std::string_view unit) {
  return with_unit(std::isfinite(value) ? digits_of(value) : odd_number(value), unit);
}

std::string short_counter_text(double value, std::string_view unit) {
  if (!std::isfinite(value)) return odd_number(value);
  const double size = std::abs(value);
  const std::string sign = value < 0 ? "-" : "";
  if (is_bytes(unit) && size >= 1000 && size < 1e18) {
    return sign + size_text(static_cast<std::uint64_t>(size));
  }
  if (size < 99'999.5) {
    if (value == std::floor(value)) return counter_text(value, unit);
    if (size >= 9'999.5) return with_unit(signed_count_text(std::llround(value)), unit);
    return with_unit(fmt::format("{:.5g}", value), unit);
  }
  constexpr std::array<std::string_view, 5> kPrefixes = {"k", "M", "G", "T", "P"};
  double scaled = size / 1000;
  std::size_t prefix = 0;
  while (scaled >= 999.995 && prefix + 1 < kPrefixes.size()) {
    scaled /= 1000;
    ++prefix;
  }
  if (scaled >= 1e5) return with_unit(fmt::format("{:.5g}", value), unit);
  return fmt::format("{}{:.5g} {}{}", sign, scaled, kPrefixes.at(prefix), unit);
}

std::string_view unit_in(std::string_view name) {
  constexpr std::array<std::string_view, 26> kUnits = {
      "bytes", "byte",    "kb",     "mb",  "gb", "kib", "mib", "gib", "ns",
      "us",    "ms",      "s",      "sec", "%",  "hz",  "khz", "mhz", "ghz",
      "fps",   "percent", "pixels", "w",   "mw", "mv",  "ma",  "°c"};
  while (name.ends_with(' ')) name.remove_suffix(1);
  if (name.ends_with(')') || name.ends_with(']')) {
    const std::size_t open = name.find_last_of(name.ends_with(')') ? '(' : '[');
    if (open == std::string_view::npos) return {};
    name = name.substr(open + 1, name.size() - open - 2);
  } else {
    const std::size_t before = name.find_last_of(" _-.:");
    const bool is_all = before == std::string_view::npos;
    // One letter alone is a name rather than a unit.
    if (is_all && name.size() < 2) return {};
    if (!is_all) name.remove_prefix(before + 1);
  }
  const bool known =
      std::ranges::any_of(kUnits, [&](std::string_view unit) { return same_word(unit, name); });
  return known ? name : std::string_view();
}

std::string_view unit_of(const Timeline& timeline, const Track& track,
                         const CounterSeries& series) {
  const std::string_view own = unit_in(timeline.text(series.name));
  return own.empty() ? unit_in(timeline.text(track.name)) : own;
}

std::string_view series_label(const Timeline& timeline, const Track& track,
                              const CounterSeries& series) {
  const std::string_view name = timeline.text(series.name);
  // A unit stands behind each value.
  const bool is_unit = !name.empty() && unit_in(name).size() == name.size();
  const bool says_nothing = same_word(name, "value") || series.name == track.name || is_unit;
  return track.series.size() == 1 && says_nothing ? std::string_view() : name;
}

std::string counter_value_text(const Timeline& timeline, const Track& track,
                               std::optional<std::int64_t> cursor_ns) {
  constexpr std::size_t kMaxSeries = 3;  // more do not fit into the gutter
  std::string text;
  for (std::size_t i = 0; i < track.series.size(); ++i) {
    const CounterSeries& series = track.series[i];
    if (i > 0) text += "  ";
    if (i == kMaxSeries) return text + "…";
    const std::string_view name = series_label(timeline, track, series);
    if (!name.empty()) text.append(name).append(" ");
    const std::int64_t time_ns = cursor_ns.value_or(timeline.end_ns);
    const std::size_t point = point_at(series, time_ns);
    const bool known = point < series.value.size() && time_ns <= timeline.end_ns;
    text += known ? short_counter_text(series.value[point], unit_of(timeline, track, series)) : "–";
  }
  return drawable(text);
}

}  // namespace cinderscope
