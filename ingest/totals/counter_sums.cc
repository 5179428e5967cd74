#include "ingest/totals/counter_sums.h"

#include <algorithm>
#include <cmath>

namespace cinderscope {
namespace {

constexpr std::size_t kBlock = 256;

}  // namespace

std::size_t point_at(const CounterSeries& series, std::int64_t time_ns) {
  const auto after = std::upper_bound(series.time_ns.begin(), series.time_ns.end(), time_ns);
  if (after == series.time_ns.begin()) return series.time_ns.size();
  return static_cast<std::size_t>(after - series.time_ns.begin()) - 1;
}

void CounterSums::Block::add(double value, double for_ns) {
  if (!std::isfinite(value)) return;
  min = points == 0 ? value : std::min(min, value);
  max = points == 0 ? value : std::max(max, value);
  ++points;
  sum += value * for_ns;
  time_ns += for_ns;
}

void CounterSums::Block::add(const Block& other) {
  if (other.points == 0) return;
  min = points == 0 ? other.min : std::min(min, other.min);
  max = points == 0 ? other.max : std::max(max, other.max);
  points += other.points;
  sum += other.sum;
  time_ns += other.time_ns;
}

CounterSums::CounterSums(const CounterSeries& series, std::int64_t end_ns)
    : series_(&series), end_ns_(end_ns) {
  for (std::size_t first = 0; first < series.value.size(); first += kBlock) {
    const std::size_t end = std::min(first + kBlock, series.value.size());
    blocks_.push_back(block_of(first, end, INT64_MIN, INT64_MAX));
  }
}

// Points [first, end), and of the time that each holds what lies in [from_ns, until_ns).
CounterSums::Block CounterSums::block_of(std::size_t first, std::size_t end, std::int64_t from_ns,
                                         std::int64_t until_ns) const {
  Block block;
  const std::vector<std::int64_t>& times = series_->time_ns;
  for (std::size_t i = first; i < end; ++i) {
    const std::int64_t next_ns = i + 1 < times.size() ? times[i + 1] : end_ns_;
    const std::int64_t begin_ns = std::max(times[i], from_ns),
                       last_ns = std::min(next_ns, until_ns);
    const double held_ns = static_cast<double>(last_ns) - static_cast<double>(begin_ns);
    block.add(series_->value[i], std::max(held_ns, 0.0));
  }
  return block;
}

CounterMeasure CounterSums::over(std::int64_t begin_ns, std::int64_t end_ns) const {
  const std::vector<std::int64_t>& times = series_->time_ns;
  if (times.empty() || end_ns <= begin_ns || end_ns <= times.front() || begin_ns > end_ns_) {
    return {};
  }
  std::size_t i = point_at(*series_, begin_ns);
  if (i == times.size()) i = 0;
  const auto end = static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), end_ns) -
                                            times.begin());
  Block all;
  while (i < end) {
    // Blocks that lie in the range with all the time of their points.
    const bool whole = i % kBlock == 0 && i + kBlock < end && times[i] >= begin_ns;
    const std::size_t next = whole ? i + kBlock : std::min((i / kBlock + 1) * kBlock, end);
    all.add(whole ? blocks_[i / kBlock] : block_of(i, next, begin_ns, end_ns));
    i = next;
  }
  const double mean = all.time_ns > 0 ? all.sum / all.time_ns : (all.min + all.max) / 2;
  return {all.points, all.min, all.max, mean};
}

}  // namespace cinderscope
