#include "render/text/size_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace cinderscope {

std::string size_text(std::uint64_t bytes) {
  if (bytes == 1) return "1 byte";
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  constexpr std::array<std::string_view, 6> kUnits = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", value, value < 9.95 ? 1 : 0, kUnits.at(unit));
}

std::string rate_text(double bytes_per_second) {
  constexpr double kMost = 1e18;
  if (!(bytes_per_second > 0)) return size_text(0) + "/s";
  return size_text(static_cast<std::uint64_t>(std::min(bytes_per_second, kMost))) + "/s";
}

}  // namespace cinderscope
