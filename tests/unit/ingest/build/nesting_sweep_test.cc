#include "ingest/build/nesting_sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace cinderscope {
namespace {

struct Interval {
  std::int64_t begin, end;
};

std::vector<Interval> random_intervals(std::uint64_t seed, std::size_t count, std::int64_t span,
                                       std::int64_t longest) {
  std::mt19937_64 random(seed);
  const auto below = [&random](std::int64_t limit) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
  };
  std::vector<Interval> intervals(count);
  for (Interval& interval : intervals) {
    interval.begin = below(span);
    interval.end = interval.begin + below(longest);
  }
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  return intervals;
}

TEST(NestingSweepTest, NeverPutsTwoSlicesInOnePlace) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto intervals = random_intervals(seed, 400, 300, seed % 2 == 0 ? 40 : 300);
    NestingSweep sweep;
    std::vector<std::int64_t> row_end;
    for (const Interval& interval : intervals) {
      const Placement placement = sweep.place(interval.begin, interval.end);
      if (placement.row >= row_end.size()) row_end.resize(placement.row + 1, INT64_MIN);
      EXPECT_LE(row_end[placement.row], interval.begin) << "seed " << seed;
      row_end[placement.row] = interval.end;
    }
  }
}

TEST(NestingSweepTest, PutsASliceBelowEverySliceThatContainsIt) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto intervals = random_intervals(seed, 150, 300, 60);
    NestingSweep sweep;
    std::vector<std::uint32_t> rows;
    for (const Interval& interval : intervals) {
      rows.push_back(sweep.place(interval.begin, interval.end).row);
    }
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      // The innermost container: the latest that begins no later and ends no earlier.
      for (std::size_t j = i; j-- > 0;) {
        if (intervals[j].end < intervals[i].end || intervals[j].end <= intervals[i].begin) continue;
        EXPECT_GT(rows[i], rows[j]) << "seed " << seed << " slice " << i << " in " << j;
        break;
      }
    }
  }
}

TEST(NestingSweepTest, UsesTheDepthAsTheRowWhereAllIsNested) {
  NestingSweep sweep;
  EXPECT_EQ(sweep.place(0, 100).row, 0u);
  EXPECT_EQ(sweep.place(0, 50).row, 1u);
  EXPECT_EQ(sweep.place(10, 20).row, 2u);
  EXPECT_EQ(sweep.place(20, 50).row, 2u);
  EXPECT_EQ(sweep.place(50, 100).row, 1u);
  EXPECT_EQ(sweep.place(100, 101).row, 0u);
}

TEST(NestingSweepTest, FindsAFreeRowAmongManyBusyOnes) {
  NestingSweep sweep;
  constexpr std::uint32_t kCount = 50'000;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(sweep.place(i, std::int64_t{kCount} + i).row, i);  // all overlap each other
  }
  // At kCount the first row is free again, one later the second, ...
  for (std::uint32_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(sweep.place(std::int64_t{kCount} + i, std::int64_t{3} * kCount + i).row, i);
  }
}

}  // namespace
}  // namespace cinderscope
