#include "ingest/totals/counter_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace cinderscope {
namespace {

TEST(CounterSumsTest, WeighsValuesByTheTimeThatTheyHold) {
  const CounterSeries series{.time_ns = {0, 10, 40}, .value = {2, 4, 8}};
  const CounterSums sums(series, 50);
  const CounterMeasure all = sums.over(0, 50);
  EXPECT_EQ(all.points, 3u);
  EXPECT_EQ(all.min, 2);
  EXPECT_EQ(all.max, 8);
  EXPECT_DOUBLE_EQ(all.mean, (2 * 10 + 4 * 30 + 8 * 10) / 50.0);
  EXPECT_DOUBLE_EQ(sums.over(5, 20).mean, (2 * 5 + 4 * 10) / 15.0);
  // A range within one value, and one that reaches over the trace's end.
  EXPECT_EQ(sums.over(12, 13).min, 4);
  EXPECT_EQ(sums.over(12, 13).max, 4);
  EXPECT_DOUBLE_EQ(sums.over(45, 500).mean, 8);
}

TEST(CounterSumsTest, HasNothingBeforeTheFirstValueAndBehindTheEnd) {
  const CounterSeries series{.time_ns = {10, 20}, .value = {1, 3}};
  const CounterSums sums(series, 20);
  EXPECT_EQ(sums.over(0, 10).points, 0u);
  EXPECT_EQ(sums.over(21, 30).points, 0u);
  EXPECT_EQ(sums.over(5, 5).points, 0u);
  EXPECT_EQ(sums.over(0, 11).max, 1);
  // The last value, at the trace's end, holds for no time.
  EXPECT_EQ(sums.over(0, 21).max, 3);
  EXPECT_DOUBLE_EQ(sums.over(0, 21).mean, 1);
  EXPECT_DOUBLE_EQ(sums.over(20, 21).mean, 3);
}

TEST(CounterSumsTest, BlocksTellWhatAllPointsTell) {
  std::mt19937 random(7);
  CounterSeries series;
  std::int64_t time_ns = 0;
  for (int i = 0; i < 3000; ++i) {
    series.time_ns.push_back(time_ns += static_cast<std::int64_t>(random() % 5));
    series.value.push_back(i % 100 == 0 ? std::nan("") : static_cast<double>(random() % 1000));
  }
  const CounterSums sums(series, time_ns);
  for (int round = 0; round < 300; ++round) {
    const auto begin = static_cast<std::int64_t>(random() % static_cast<unsigned>(time_ns));
    const auto end = begin + 1 + static_cast<std::int64_t>(random() % 4000);
    const CounterMeasure found = sums.over(begin, end);
    double sum = 0, held = 0, low = HUGE_VAL, high = -HUGE_VAL;
    for (std::size_t i = 0; i < series.value.size(); ++i) {
      const std::int64_t next = i + 1 < series.time_ns.size() ? series.time_ns[i + 1] : time_ns;
      const bool at_begin = i == point_at(series, begin);
      const bool inside = series.time_ns[i] >= begin && series.time_ns[i] < end;
      if ((!at_begin && !inside) || !std::isfinite(series.value[i])) continue;
      const auto for_ns = static_cast<double>(
          std::max<std::int64_t>(0, std::min(next, end) - std::max(series.time_ns[i], begin)));
      sum += series.value[i] * for_ns;
      held += for_ns;
      low = std::min(low, series.value[i]);
      high = std::max(high, series.value[i]);
    }
    if (found.points == 0) continue;
    EXPECT_EQ(found.min, low) << begin << " " << end;
    EXPECT_EQ(found.max, high) << begin << " " << end;
    if (held > 0) {
      EXPECT_NEAR(found.mean, sum / held, 1e-6) << begin << " " << end;
    }
  }
}

}  // namespace
}  // namespace cinderscope
