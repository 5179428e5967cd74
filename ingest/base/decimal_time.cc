#include "ingest/base/decimal_time.h"

#include <algorithm>
#include <array>
#include <bit>

#include "ingest/base/ascii.h"
#include "ingest/base/text_bytes.h"

namespace cinderscope {
namespace {

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

DecimalTime round_decimal(const Decimal& number, int power) {
  const std::size_t count = number.digit_count();
  // Digits [first, point) are whole nanoseconds; what follows decides the rounding.
  const std::int64_t point =
      static_cast<std::int64_t>(number.whole.size()) + number.exponent + power;
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

// The number that the low `count` bytes of a word spell, first one lowest; up to 8 digits.
std::uint64_t number_of_digits(std::uint64_t word, std::size_t count) {
  // What is shifted in stands for leading zeros.
  word = (word & 0x0f0f0f0f0f0f0f0fu) << (64 - 8 * count);
  // Neighbours are joined: digits to pairs, pairs to fours, fours to the number.
  word = word * 10 + (word >> 8);
  constexpr std::uint64_t kPairs = 0x000000ff000000ffu;
  return (((word & kPairs) * 0x000f424000000064u) +
          (((word >> 16) & kPairs) * 0x0000271000000001u)) >>
         32;
}

// As nearly all numbers are written: digits with a point among them, of which none is lost, and
// whose value is far from the end of what fits.
bool short_decimal(std::string_view text, int power, DecimalTime& out) {
  constexpr int kMostDigits = 18;
  constexpr std::array<std::int64_t, kMostDigits + 1> kTens = [] {
    std::array<std::int64_t, kMostDigits + 1> tens{1};
    for (std::size_t i = 1; i < tens.size(); ++i) tens[i] = tens[i - 1] * 10;
    return tens;
  }();
  if (text.empty() || text.size() > kMostDigits + 2) return false;
  const bool negative = text[0] == '-';
  std::size_t at = negative ? 1 : 0;
  std::uint64_t digits_read = 0;  // wraps where there are too many
  int digits = 0, decimals = 0;
  const auto take_all = [&](int& count) {
    for (; at < text.size() && is_digit(text[at]); ++at, ++count) {
      digits_read = digits_read * 10 + static_cast<std::uint64_t>(text[at] - '0');
    }
  };
  take_all(digits);
  if (at < text.size() && text[at] == '.') {
    ++at;
    take_all(decimals);
    digits += decimals;
  }
  if (at < text.size() || digits == 0 || decimals > power ||
      digits + power - decimals > kMostDigits) {
    return false;
  }
  const std::int64_t value =
      static_cast<std::int64_t>(digits_read) * kTens[static_cast<std::size_t>(power - decimals)];
  out = {negative ? -value : value, decimals, false};
  return true;
}

}  // namespace

bool usual_time(std::string_view padded_text, DecimalTime& out) {
  const char* const text = padded_text.data();
  const std::size_t size = padded_text.size();
  if (size == 0 || size > 20) return false;
  std::uint32_t digits = 0, points = 0;
  if (size <= 16) {
    const SixteenBytes bytes(text);
    digits = bytes.digits();
    points = bytes.equal('.');
  } else {
    const ThirtyTwoBytes bytes(text);
    digits = bytes.digits();
    points = bytes.equal('.');
  }
  const std::uint32_t behind = 1u << size;
  const auto whole = static_cast<std::size_t>(std::countr_zero(points | behind));
  const std::uint32_t others = (digits ^ (behind - 1)) & (behind - 1);
  if (others != ((1u << whole) & (behind - 1))) return false;
  const std::size_t decimals = size - whole - (others != 0 ? 1 : 0);
  if (whole - 1 >= 16 || decimals > 3) return false;
  std::uint64_t value = 0;
  if (whole <= 8) {
    value = number_of_digits(word_of(text, 8), whole);
  } else {
    value = number_of_digits(word_of(text, 8), whole - 8) * 100'000'000 +
            number_of_digits(word_of(text + whole - 8, 8), 8);
    constexpr std::uint64_t kMostWhole = static_cast<std::uint64_t>(kMaxTimeNs) / 1000 - 1;
    if (value > kMostWhole) return false;
  }
  // Tenths, hundredths, thousandths; what lies behind the text is taken as zeros.
  const std::uint64_t fraction = word_of(text + whole + 1, decimals) & 0x0f0f0fu;
  const std::uint64_t rest =
      (fraction & 0xff) * 100 + (fraction >> 8 & 0xff) * 10 + (fraction >> 16);
  out = {static_cast<std::int64_t>(value * 1000 + rest), static_cast<int>(decimals), false};
  return true;
}

std::optional<DecimalTime> time_from_decimal(std::string_view text, int power) {
  if (DecimalTime out; short_decimal(text, power, out)) return out;
  const std::optional<Decimal> number = decimal_from_text(text);
  if (!number) return std::nullopt;
  return round_decimal(*number, power);
}

}  // namespace cinderscope
