// Reads numbers from text, without regard to the locale.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace cinderscope {

// All of `text` must be the number, as a locale-free program writes it: no blanks, no plus sign.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

}  // namespace cinderscope
