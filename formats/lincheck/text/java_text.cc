#include "formats/lincheck/text/java_text.h"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace cinderscope::lincheck {
namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

bool is_high(std::uint32_t unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}
bool is_low(std::uint32_t unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}

void append_code(std::string& out, std::uint32_t code) {
  const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6);
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

// The UTF-16 unit at `at`, which moves on by at least one byte.
std::uint32_t next_unit(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const std::uint32_t first = byte(0);
  if (first < 0x80) {
    ++at;
    return first;
  }
  if ((first & 0xe0) == 0xc0 && follows(1)) {
    const std::uint32_t unit = (first & 0x1f) << 6 | (byte(1) & 0x3f);
    at += 2;
    return unit;
  }
  if ((first & 0xf0) == 0xe0 && follows(1) && follows(2)) {
    const std::uint32_t unit = (first & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
    at += 3;
    return unit;
  }
  ++at;
  return kReplacement;
}

// Java's forms: plain between 10^-3 and 10^7, else one digit, the point, and an exponent.
template <class T>
void append_number(std::string& out, T value) {
  if (std::isnan(value)) {
    out += "NaN";
    return;
  }
  if (std::signbit(value)) out += '-';
  value = std::abs(value);
  if (std::isinf(value)) {
    out += "Infinity";
    return;
  }
  if (value == 0) {
    out += "0.0";
    return;
  }
  char buffer[64];
  const auto written =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  const std::string_view text(buffer, static_cast<std::size_t>(written.ptr - buffer));
  const std::size_t e = text.find('e');
  std::string digits(1, text[0]);
  if (e > 2) digits += text.substr(2, e - 2);
  int exponent = 0;
  std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), text.data() + text.size(),
                  exponent);
  const auto count = static_cast<int>(digits.size());
  if (exponent >= 7 || exponent < -3) {
    out += digits[0];
    out += '.';
    out += count > 1 ? digits.substr(1) : "0";
    out += 'E';
    out += std::to_string(exponent);
  } else if (exponent < 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-exponent - 1), '0');
    out += digits;
  } else {
    if (count < exponent + 2) digits.append(static_cast<std::size_t>(exponent + 2 - count), '0');
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    out += digits.substr(0, whole);
    out += '.';
    out += digits.substr(whole);
  }
}

}  // namespace

void append_java_text(std::string& out, std::string_view modified) {
  std::size_t at = 0;
  while (at < modified.size()) {
    std::size_t plain = at;
    while (plain < modified.size() && static_cast<unsigned char>(modified[plain]) < 0x80) ++plain;
    out += modified.substr(at, plain - at);
    at = plain;
    if (at == modified.size()) break;
    const std::uint32_t unit = next_unit(modified, at);
    if (is_high(unit)) {
      std::size_t after = at;
      const std::uint32_t low = next_unit(modified, after);
      if (at < modified.size() && is_low(low)) {
        append_code(out, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
        at = after;
        continue;
      }
    }
    append_code(out, is_high(unit) || is_low(unit) ? kReplacement : unit);
  }
}

std::string java_text(std::string_view modified) {
  std::string out;
  out.reserve(modified.size());
  append_java_text(out, modified);
  return out;
}

void append_utf16_unit(std::string& out, char16_t unit) {
  append_code(out, is_high(unit) || is_low(unit) ? kReplacement : unit);
}

void append_java_number(std::string& out, float value) {
  append_number(out, value);
}

void append_java_number(std::string& out, double value) {
  append_number(out, value);
}

}  // namespace cinderscope::lincheck
