// Which of many sorted values a percentile is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cinderscope {

// Nearest rank: the index of the smallest value that at least `percent` of `count` do not exceed;
// `percent` in 0...100, `count` not 0. The same value as nearest_rank() of statistics.
inline std::uint64_t rank_of_percent(std::uint64_t count, double percent) {
  __extension__ using Wide = unsigned __int128;
  // In whole millionths: products of doubles would step over the next rank now and then.
  constexpr std::uint64_t kMillionths = 1'000'000, kWhole = 100 * kMillionths;
  const auto millionths =
      static_cast<std::uint64_t>(std::llround(std::clamp(percent, 0.0, 100.0) * kMillionths));
  const Wide least = Wide{count} * millionths + Wide{kWhole - 1};
  const auto rank = static_cast<std::uint64_t>(least / kWhole);
  return std::clamp<std::uint64_t>(rank, 1, count) - 1;
}

}  // namespace cinderscope
