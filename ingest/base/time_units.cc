#include "ingest/base/time_units.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ingest/base/ascii.h"

namespace cinderscope {

namespace {

Error error_at(std::size_t offset, std::string text) {
  return {.code = ErrorCode::damaged,
          .text = std::move(text),
          .offset_bytes = static_cast<std::int64_t>(offset)};
}

__extension__ using Wide = __int128;  // holds any time in any unit

// The size of a unit in nanoseconds; 0 if there is none of this name.
std::int64_t unit_ns(std::string_view name) {
  if (name.empty()) return 1;
  if (name == "us" || name == "\u03bcs") name = "µs";  // the other one is the Greek letter
  if (name == "m") name = "min";
  const auto* unit = std::ranges::find(kTimeUnits, name, &TimeUnit::name);
  return unit == kTimeUnits.end() ? 0 : unit->ns;
}

}  // namespace

// Decimal digits are taken one by one: a double could not hold all of them.
Result<Nanoseconds> nanoseconds_from(std::string_view text) {
  constexpr Wide kMost = Wide{1} << 80;  // far beyond 64 bits, and digits still fit
  const bool negative = text.starts_with('-');
  std::size_t at = negative ? 1 : 0;
  Wide whole = 0;
  bool exact = true;
  std::int64_t before = 0;  // the unit of the part before; 0: none
  do {
    const std::size_t digits = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    const std::size_t end = at;
    std::size_t fraction = end;
    if (at < text.size() && text[at] == '.') {
      fraction = ++at;
      while (at < text.size() && is_digit(text[at])) ++at;
    }
    const std::size_t fraction_end = at;
    if (end == digits && fraction_end == fraction) {
      return error_at(digits, "A time is expected here.");
    }
    while (at < text.size() && !is_digit(text[at]) && text[at] != '.') ++at;
    const std::string_view name = text.substr(fraction_end, at - fraction_end);
    const std::int64_t unit = unit_ns(name);
    if (unit == 0) {
      return error_at(fraction_end,
                      "There is no such unit of time; ns, us, ms, s, min and h are known.");
    }
    // "1h2m": from the largest to the smallest.
    if (before != 0 && (name.empty() || unit >= before)) {
      return error_at(digits, "A smaller unit of time is expected here.");
    }
    before = unit;
    Wide part = 0;
    for (std::size_t i = digits; i < end; ++i) part = std::min(part * 10 + (text[i] - '0'), kMost);
    whole = std::min(whole + part * unit, kMost);
    Wide rest = unit;  // what the next digit is a tenth of
    for (std::size_t i = fraction; i < fraction_end; ++i) {
      const int digit = text[i] - '0';
      // Below a nanosecond it only matters whether there is anything.
      if (rest % 10 != 0) {
        exact = exact && digit == 0;
        continue;
      }
      rest /= 10;
      whole += rest * digit;
    }
  } while (at < text.size());
  if (negative) whole = -whole - (exact ? 0 : 1);
  const Wide low = INT64_MIN, high = INT64_MAX;
  return Nanoseconds{static_cast<std::int64_t>(std::clamp(whole, low, high)), exact};
}

}  // namespace cinderscope
