#include "render/layout/counter_lod.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "ingest/totals/counter_sums.h"

namespace cinderscope {
namespace {

CounterSeries random_series(std::size_t count) {
  std::mt19937 random(3);
  CounterSeries series;
  std::int64_t time = 0;
  for (std::size_t i = 0; i < count; ++i) {
    time += 1 + static_cast<std::int64_t>(random() % 100);
    series.time_ns.push_back(time);
    series.value.push_back(static_cast<double>(random() % 1000));
  }
  return series;
}

TEST(CounterLodTest, AgreesWithLookingAtEveryPoint) {
  std::mt19937 random(5);
  for (const std::size_t count : {1u, 15u, 16u, 17u, 255u, 5000u}) {
    const CounterSeries series = random_series(count);
    const CounterLod lod(series);
    for (int round = 0; round < 200; ++round) {
      const std::size_t begin = random() % count;
      const std::size_t end = begin + 1 + random() % (count - begin);
      const auto [low, high] =
          std::minmax_element(series.value.begin() + static_cast<std::ptrdiff_t>(begin),
                              series.value.begin() + static_cast<std::ptrdiff_t>(end));
      const ValueSpan span = lod.over(series, begin, end);
      ASSERT_EQ(span.min, static_cast<float>(*low));
      ASSERT_EQ(span.max, static_cast<float>(*high));
    }
  }
}

TEST(CounterLodTest, KeepsPeaksBetweenPixels) {
  CounterSeries series = random_series(100'000);
  series.value[50'000] = 1e6;
  const CounterLod lod(series);
  std::vector<CounterColumn> columns;
  counter_columns(series, lod, showing(0, series.time_ns.back(), 300), series.time_ns.back(),
                  columns);
  float highest = 0;
  for (const CounterColumn& column : columns) highest = std::max(highest, column.values.max);
  EXPECT_EQ(highest, 1e6f);
}

TEST(CounterLodTest, HoldsAValueUntilTheNext) {
  const CounterSeries series{.time_ns = {100, 200}, .value = {5, 9}};
  const CounterLod lod(series);
  std::vector<CounterColumn> columns;
  counter_columns(series, lod, showing(0, 400, 4), 400, columns);
  ASSERT_EQ(columns.size(), 4u);  // the first point lies on the border of the first column
  EXPECT_EQ(columns[1].values.min, 5);
  EXPECT_EQ(columns[3].values.max, 9);
  EXPECT_EQ(columns[3].values.min, 9);
  // Nothing is drawn behind the trace's end, where it holds no longer.
  counter_columns(series, lod, showing(0, 400, 4), 250, columns);
  EXPECT_EQ(columns.size(), 3u);
  EXPECT_EQ(point_at(series, 150), 0u);
  EXPECT_EQ(point_at(series, 99), 2u);
}

TEST(CounterLodTest, SurvivesValuesThatAreNoNumbers) {
  const CounterSeries series{.time_ns = {1, 2, 3}, .value = {std::nan(""), HUGE_VAL, -HUGE_VAL}};
  const CounterLod lod(series);
  EXPECT_EQ(lod.over(series, 0, 3).max, 0);
}

TEST(CounterLodTest, SumsSeriesThatShareTheirTimesExactly) {
  Track track;
  track.series.push_back({kEmptyString, {0, 10, 20}, {1, 5, 2}, 1, 5});
  track.series.push_back({kEmptyString, {0, 10, 20}, {9, 5, 7}, 5, 9});
  EXPECT_EQ(highest_sum(track), 10);
  track.series[1].time_ns[2] = 21;  // apart: no sum of the two at one time is larger than this
  EXPECT_EQ(highest_sum(track), 14);
  EXPECT_EQ(highest_sum(Track{}), 0);
}

}  // namespace
}  // namespace cinderscope
