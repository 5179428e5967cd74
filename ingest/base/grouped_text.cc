#include "ingest/base/grouped_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace cinderscope {

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
}

std::string grouped(std::uint64_t number) {
  const std::string digits = fmt::format("{}", number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

std::string decimal_groups(std::uint64_t rest, int groups, int min_groups, int max_groups) {
  std::string text;
  std::uint64_t divisor = 1;
  for (int i = 1; i < groups; ++i) divisor *= 1000;
  for (int i = 0; i < max_groups && (i < min_groups || rest != 0); ++i) {
    text += fmt::format("{}{:03}", i == 0 ? "." : " ", rest / divisor);
    rest %= divisor;
    divisor = std::max<std::uint64_t>(divisor / 1000, 1);
  }
  return text;
}

std::string minutes_text(std::uint64_t ns, int min_groups, int max_groups) {
  constexpr std::uint64_t kSecondNs = 1'000'000'000;
  const std::uint64_t seconds = ns / kSecondNs;
  const std::string minutes =
      seconds < 3600 ? fmt::format("{} min", seconds / 60)
                     : fmt::format("{} h {:02} min", grouped(seconds / 3600), seconds / 60 % 60);
  return fmt::format("{} {:02}{} s", minutes, seconds % 60,
                     decimal_groups(ns % kSecondNs, 3, min_groups, max_groups));
}

}  // namespace cinderscope
