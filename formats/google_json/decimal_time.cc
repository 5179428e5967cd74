#include "formats/google_json/decimal_time.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cinderscope::google_json {
namespace {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The parts of a decimal number: digits with a point somewhere, moved by an exponent.
struct Decimal {
  std::string_view whole, fraction;
  std::int64_t exponent = 0;
  bool negative = false;

  std::size_t digit_count() const { return whole.size() + fraction.size(); }
  int digit(std::size_t i) const {
    return (i < whole.size() ? whole[i] : fraction[i - whole.size()]) - '0';
  }
};

std::string_view take_digits(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  const std::string_view digits = text.substr(0, n);
  text.remove_prefix(n);
  return digits;
}

bool take_sign(std::string_view& text) {
  if (text.empty() || (text[0] != '-' && text[0] != '+')) return false;
  const bool negative = text[0] == '-';
  text.remove_prefix(1);
  return negative;
}

std::optional<Decimal> decimal_from_text(std::string_view text) {
  Decimal out;
  out.negative = take_sign(text);
  out.whole = take_digits(text);
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    out.fraction = take_digits(text);
  }
  if (out.digit_count() == 0) return std::nullopt;
  if (!text.empty() && (text[0] == 'e' || text[0] == 'E')) {
    text.remove_prefix(1);
    const bool down = take_sign(text);
    const std::string_view digits = take_digits(text);
    if (digits.empty()) return std::nullopt;
    for (const char c : digits) {
      // Far beyond every length a text can have, so further digits change nothing.
      if (out.exponent < std::int64_t{1} << 50) out.exponent = out.exponent * 10 + (c - '0');
    }
    if (down) out.exponent = -out.exponent;
  }
  if (!text.empty()) return std::nullopt;
  return out;
}

DecimalTime round_decimal(const Decimal& number) {
  const std::size_t count = number.digit_count();
  // Digits [first, point) are whole nanoseconds; what follows decides the rounding.
  const std::int64_t point = static_cast<std::int64_t>(number.whole.size()) + number.exponent + 3;
  std::size_t first = 0;
  while (first < count && number.digit(first) == 0) ++first;

  DecimalTime out;
  const std::int64_t places = static_cast<std::int64_t>(number.fraction.size()) - number.exponent;
  out.decimals = static_cast<int>(std::clamp<std::int64_t>(places, 0, 1000));
  if (first == count || point < static_cast<std::int64_t>(first)) return out;  // 0, or below 0.1 ns
  std::uint64_t ns = 0;
  if (point - static_cast<std::int64_t>(first) > 19) {
    out.clamped = true;
  } else {
    for (auto i = static_cast<std::int64_t>(first); i < point; ++i) {
      const auto at = static_cast<std::size_t>(i);
      ns = ns * 10 + (at < count ? static_cast<unsigned>(number.digit(at)) : 0u);
    }
    const auto next = static_cast<std::size_t>(point);
    if (next < count && number.digit(next) >= 5) {
      bool above_half = number.digit(next) > 5;
      for (std::size_t i = next + 1; i < count && !above_half; ++i)
        above_half = number.digit(i) > 0;
      if (above_half || ns % 2 == 1) ++ns;
    }
    out.clamped = ns > static_cast<std::uint64_t>(kMaxTimeNs);
  }
  if (out.clamped) ns = static_cast<std::uint64_t>(kMaxTimeNs);
  out.ns = number.negative ? -static_cast<std::int64_t>(ns) : static_cast<std::int64_t>(ns);
  return out;
}

// Eight digits at once, written most significant first; false if there is another character. After
// the digits of the first `count` characters (1 to 8); the others do not matter.
bool read_eight(const char* text, std::size_t count, std::uint64_t& value) {
  constexpr std::uint64_t kZeros = 0x3030303030303030u;
  std::uint64_t word;
  std::memcpy(&word, text, 8);
  if (count < 8) word = word << (64 - 8 * count) | kZeros >> (8 * count);
  if ((((word + 0x4646464646464646u) | (word - kZeros)) & 0x8080808080808080u) != 0) return false;
  // Neighbours are joined: digits to pairs, pairs to fours, fours to the number.
  word -= kZeros;
  word = word * 10 + (word >> 8);
  constexpr std::uint64_t kPairs = 0x000000ff000000ffu;
  value =
      (((word & kPairs) * 0x000f424000000064u) + (((word >> 16) & kPairs) * 0x0000271000000001u)) >>
      32;
  return true;
}

// The number that the first `count` characters spell, 1 to 16 digits.
bool read_digits(std::string_view text, std::size_t count, std::uint64_t& value) {
  value = 0;
  if (std::endian::native != std::endian::little || text.size() < 8) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_digit(text[i])) return false;
      value = value * 10 + static_cast<unsigned>(text[i] - '0');
    }
    return true;
  }
  if (count <= 8) return read_eight(text.data(), count, value);
  std::uint64_t low = 0;
  if (!read_eight(text.data(), count - 8, value) || !read_eight(text.data() + count - 8, 8, low)) {
    return false;
  }
  value = value * 100'000'000 + low;
  return true;
}

// Nearly every time is at most 16 digits, a point and up to three more.
bool read_usual(std::string_view text, DecimalTime& out) {
  std::size_t whole = text.size();
  for (const std::size_t decimals : {3, 2, 1}) {
    if (text.size() < decimals + 2 || text[text.size() - decimals - 1] != '.') continue;
    whole -= decimals + 1;
    break;
  }
  constexpr std::uint64_t kMostWhole = static_cast<std::uint64_t>(kMaxTimeNs) / 1000 - 1;
  std::uint64_t value = 0;
  if (whole == 0 || whole > 16 || !read_digits(text, whole, value) || value > kMostWhole) {
    return false;
  }
  const std::string_view fraction = text.substr(std::min(text.size(), whole + 1));
  std::uint64_t rest = 0, unit = 1000;
  for (const char c : fraction) {
    if (!is_digit(c)) return false;
    unit /= 10;
    rest += unit * static_cast<unsigned>(c - '0');
  }
  out.ns = static_cast<std::int64_t>(value * 1000 + rest);
  out.decimals = static_cast<int>(fraction.size());
  return true;
}

}  // namespace

std::optional<DecimalTime> time_from_decimal(std::string_view text) {
  DecimalTime usual;
  if (read_usual(text, usual)) return usual;
  const std::optional<Decimal> number = decimal_from_text(text);
  if (!number) return std::nullopt;
  return round_decimal(*number);
}

}  // namespace cinderscope::google_json
