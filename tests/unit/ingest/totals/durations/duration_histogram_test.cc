#include "ingest/totals/durations/duration_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>

#include "ingest/build/timeline_builder.h"
#include "tests/support/go_on.h"

namespace cinderscope {
namespace {

using test::kGoOn;

// Calls of the name one after another, each with a call of half its time inside.
Timeline with_durations(const std::vector<std::int64_t>& durations) {
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  std::int64_t now = 0;
  for (std::size_t i = 0; i < durations.size(); ++i) {
    slices.complete(now, durations[i], builder.intern("call"), 2 * i);
    if (durations[i] > 1) slices.complete(now, durations[i] / 2, builder.intern("in"), 2 * i + 1);
    now += durations[i] + 1;
  }
  return builder.finish();
}

DurationHistogram histogram_of(const Timeline& timeline, std::string_view name = "call",
                               std::uint64_t most_kept = kMaxKeptDurations) {
  const StringId id = timeline.strings->find(name).value_or(kNoName);
  return duration_histogram(*slice_set_of(timeline), id, {}, kGoOn, {}, most_kept);
}

std::uint64_t count_in(const std::vector<DurationBar>& bars) {
  return std::accumulate(bars.begin(), bars.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const DurationBar& bar) { return sum + bar.count; });
}

TEST(DurationHistogramTest, EqualsASortOfAllDurations) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 60; ++round) {
    std::vector<std::int64_t> durations(1 + random() % 400);
    const auto bits = static_cast<int>(random() % 40);
    for (std::int64_t& duration : durations) {
      duration = static_cast<std::int64_t>(random() >> (63 - bits));
    }
    const Timeline timeline = with_durations(durations);
    // Also with next to nothing kept, so that the columns are read again and again.
    for (const std::uint64_t most_kept : {kMaxKeptDurations, std::uint64_t{1}}) {
      const DurationHistogram found = histogram_of(timeline, "call", most_kept);
      std::vector<std::int64_t> sorted = durations;
      std::sort(sorted.begin(), sorted.end());
      const auto ranked = [&](std::size_t per_cent) {
        return sorted[(sorted.size() * per_cent + 99) / 100 - 1];
      };
      ASSERT_TRUE(found.whole);
      EXPECT_EQ(found.count, durations.size());
      EXPECT_EQ(found.min_ns, sorted.front());
      EXPECT_EQ(found.max_ns, sorted.back());
      EXPECT_EQ(found.median_ns, ranked(50));
      EXPECT_EQ(found.p90_ns, ranked(90));
      EXPECT_EQ(found.p99_ns, ranked(99));
      std::int64_t total = 0, self = 0;
      for (const std::int64_t duration : durations) {
        total += duration;
        self += duration > 1 ? duration - duration / 2 : duration;
      }
      EXPECT_EQ(found.total_ns, total);
      EXPECT_EQ(found.self_ns, self);
      for (const auto* bars : {&found.log_bars, &found.linear_bars}) {
        EXPECT_LE(bars->size(), kMaxDurationBars);
        for (const DurationBar& bar : *bars) {
          EXPECT_LE(bar.shortest_ns, bar.longest_ns);
          const auto inside = std::count_if(sorted.begin(), sorted.end(), [&](std::int64_t ns) {
            return ns >= bar.shortest_ns && ns <= bar.longest_ns;
          });
          EXPECT_EQ(bar.count, static_cast<std::uint64_t>(inside));
        }
        EXPECT_EQ(count_in(*bars), durations.size());
      }
    }
  }
}

TEST(DurationHistogramTest, ZeroHasABarOfItsOwnOnTheLogarithmicAxis) {
  const DurationHistogram found = histogram_of(with_durations({0, 0, 1, 10, 100, 1000}));
  EXPECT_EQ(found.log_bars.front().shortest_ns, 0);
  EXPECT_EQ(found.log_bars.front().longest_ns, 0);
  EXPECT_EQ(found.log_bars.front().count, 2u);
  EXPECT_EQ(found.linear_bars.front().count, 4u);  // 0 to 20
}

TEST(DurationHistogramTest, EqualDurationsAreOneBar) {
  for (const std::int64_t duration : {0, 1, 7, 1'000'000}) {
    const DurationHistogram found = histogram_of(with_durations({duration, duration, duration}));
    ASSERT_EQ(found.log_bars.size(), 1u);
    ASSERT_EQ(found.linear_bars.size(), 1u);
    EXPECT_EQ(found.log_bars[0].count, 3u);
    EXPECT_EQ(found.linear_bars[0].shortest_ns, duration);
    EXPECT_EQ(found.median_ns, duration);
  }
}

TEST(DurationHistogramTest, FindsTheBarOfADuration) {
  const DurationHistogram found = histogram_of(with_durations({3, 50, 700}));
  for (const std::int64_t duration : {3, 50, 700}) {
    const std::size_t bar = bar_of(found.log_bars, duration);
    ASSERT_LT(bar, found.log_bars.size());
    EXPECT_GT(found.log_bars[bar].count, 0u);
  }
  EXPECT_EQ(bar_of(found.log_bars, 2), found.log_bars.size());
  EXPECT_EQ(bar_of(found.log_bars, 701), found.log_bars.size());
  EXPECT_EQ(bar_of({}, 5), 0u);
}

TEST(DurationHistogramTest, CountsRecursionOnceInTotal) {
  TimelineBuilder builder;
  const StringId name = builder.intern("call");
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  slices.complete(0, 100, name, 1);
  slices.complete(10, 50, name, 2);
  slices.complete(20, 10, name, 3);
  const DurationHistogram found = histogram_of(builder.finish());
  EXPECT_EQ(found.count, 3u);
  EXPECT_EQ(found.total_ns, 100);
  EXPECT_EQ(found.self_ns, 100);
}

TEST(DurationHistogramTest, LongestDurationsDoNotWrap) {
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  TimelineBuilder builder;
  const StringId name = builder.intern("call");
  for (const char* tid : {"1", "2", "3"}) {
    TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), tid));
    slices.begin(-kFar, name, 1);
    slices.end(kFar - 1, kNoName, 2);
    slices.complete(kFar - 1, 1, name, 3);
  }
  const DurationHistogram found = histogram_of(builder.finish());
  EXPECT_EQ(found.count, 6u);
  EXPECT_EQ(found.min_ns, 1);
  EXPECT_EQ(found.max_ns, INT64_MAX);
  EXPECT_EQ(found.p99_ns, INT64_MAX);
  EXPECT_EQ(found.total_ns, INT64_MAX);
  EXPECT_EQ(count_in(found.log_bars), 6u);
  EXPECT_EQ(count_in(found.linear_bars), 6u);
}

TEST(DurationHistogramTest, ShowsDurationsBeforeTimesThatTakeLonger) {
  const Timeline timeline = with_durations({5, 6, 7});
  int shown = 0;
  duration_histogram(*slice_set_of(timeline), *timeline.strings->find("call"), {}, kGoOn,
                     [&](const DurationHistogram& first) {
                       ++shown;
                       EXPECT_EQ(first.count, 3u);
                       EXPECT_EQ(first.median_ns, 6);
                       EXPECT_FALSE(first.has_times);
                     });
  EXPECT_EQ(shown, 1);
}

TEST(DurationHistogramTest, NoCallsAtAllAreNoBars) {
  const DurationHistogram found = histogram_of(with_durations({5}), "other");
  EXPECT_EQ(found.count, 0u);
  EXPECT_TRUE(found.log_bars.empty());
  EXPECT_TRUE(found.whole);
}

TEST(DurationHistogramTest, StopsWhenCancelled) {
  const Timeline timeline = with_durations({5, 6, 7});
  const std::atomic<bool> cancelled = true;
  EXPECT_FALSE(duration_histogram(*slice_set_of(timeline), *timeline.strings->find("call"), {},
                                  cancelled, {})
                   .whole);
}

}  // namespace
}  // namespace cinderscope
