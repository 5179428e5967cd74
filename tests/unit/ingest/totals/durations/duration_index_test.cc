#include "ingest/totals/durations/duration_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "ingest/build/timeline_builder.h"
#include "ingest/totals/durations/duration_buckets.h"
#include "ingest/totals/precomputed/precompute.h"
#include "ingest/totals/segment_totals.h"

namespace cinderscope {
namespace {

// Two threads of nested calls, a few of them very long; three names with many calls, one with few.
Timeline random_trace(unsigned seed) {
  std::mt19937_64 random(seed);
  TimelineBuilder builder;
  for (int t = 0; t < 2; ++t) {
    TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), std::to_string(t)));
    std::int64_t now = 0;
    for (RecordOffset i = 0; i < 20'000; ++i) {
      const auto length =
          static_cast<std::int64_t>(random() % (random() % 500 == 0 ? 1 << 20 : 900));
      const std::string name =
          i % 997 == 0 ? "rare" : std::string(1, static_cast<char>('a' + random() % 3));
      writer.complete(now, length, builder.intern(name), i);
      if (length > 10) writer.complete(now + 1, length / 2, builder.intern("inner"), i);
      now += length;
    }
  }
  return builder.finish();
}

TEST(DurationBucketsTest, AscendWithTheDuration) {
  std::uint32_t last = 0;
  for (std::uint64_t value = 0; value < 130; ++value) {
    EXPECT_EQ(duration_bucket(value), value == 0 ? 0 : std::max(last, duration_bucket(value)));
    last = duration_bucket(value);
  }
  for (int power = 7; power < 63; ++power) {
    const std::uint64_t one = std::uint64_t{1} << power;
    EXPECT_EQ(duration_bucket(one - 1) + 1, duration_bucket(one)) << power;
    EXPECT_EQ(duration_bucket(one), duration_bucket(one + (one >> 7))) << power;
  }
  EXPECT_LT(duration_bucket(INT64_MAX), kBuckets);
}

TEST(KnownCountsTest, HaveEveryCallOfTheirStretchOnce) {
  const Timeline timeline = random_trace(1);
  const auto set = slice_set_of(timeline);
  const auto tracks = measured_tracks(*set, {});
  DurationCounter counter(set->strings->size());
  const TimeSegment part{.track = &tracks[1], .begin_ns = 100'000, .end_ns = 5'000'000};
  for (int again = 0; again < 2; ++again) {  // nothing is left of the first time
    DurationIndex counts;
    ASSERT_TRUE(counter.count(part, counts));
    std::map<std::uint32_t, std::map<std::uint32_t, std::uint64_t>> expected, found;
    for (const SliceSpan& row : tracks[1].rows) {
      for (std::uint64_t i = 0; i < row.row->count(); ++i) {
        if (row.row->begin_ns(i) < part.begin_ns || row.row->begin_ns(i) >= part.end_ns) continue;
        const auto duration = static_cast<std::uint64_t>(row.row->duration_ns(i));
        ++expected[index(row.row->name(i))][duration_bucket(duration)];
      }
    }
    EXPECT_TRUE(std::is_sorted(counts.names.begin(), counts.names.end()));
    std::uint32_t first = 0;
    for (std::size_t n = 0; n < counts.names.size(); first = counts.ends[n++]) {
      for (std::uint32_t e = first; e < counts.ends[n]; ++e) {
        found[counts.names[n]][DurationIndex::bucket(counts.entries[e])] +=
            DurationIndex::count(counts.entries[e]);
      }
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(found.size(), 5u);
  }
}

TEST(KnownCountsTest, MoreOfOneDurationThanAnEntryHoldsTakeSeveral) {
  TimelineBuilder builder;
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  constexpr std::uint64_t kCalls = DurationIndex::kMostInEntry + 1000;
  const StringId name = builder.intern("tick");
  for (std::uint64_t i = 0; i < kCalls; ++i) {
    writer.complete(static_cast<std::int64_t>(i * 10), 5, name, i);
  }
  const Timeline timeline = builder.finish();
  const auto set = slice_set_of(timeline);
  const auto tracks = measured_tracks(*set, {});
  DurationIndex counts;
  ASSERT_TRUE(DurationCounter(set->strings->size()).count({.track = &tracks[0]}, counts));
  ASSERT_EQ(counts.entries.size(), 2u);
  EXPECT_EQ(DurationIndex::count(counts.entries[0]) + DurationIndex::count(counts.entries[1]),
            kCalls);
}

TEST(KnownCountsTest, PercentilesAreTheSameWithThem) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const Timeline timeline = random_trace(seed);
    const auto set = slice_set_of(timeline);
    const auto known = precomputed_totals_of(*set, 2, nullptr, kMostPrecomputedBytes, {300, 1});
    ASSERT_NE(known, nullptr);
    ASSERT_GT(known->counts_of_track.at(0).size(), 5u);
    EXPECT_GT(kept_bytes(*known), 10'000u);
    std::mt19937_64 random(seed);
    for (int i = 0; i < 20; ++i) {
      const std::int64_t end = timeline.slices_end_ns;
      Scope scope;
      if (i > 0) scope.begin_ns = static_cast<std::int64_t>(random()) & ((1 << 24) - 1);
      if (i > 0) scope.end_ns = scope.begin_ns + 1 + (end - scope.begin_ns) / (1 + i % 3);
      for (const bool whole : {false, true}) {
        const StatisticsQuery query{.scope = scope, .whole_calls = whole};
        const SliceStatistics plain = slice_statistics(*set, query, 2);
        const SliceStatistics quick = slice_statistics(*set, query, 2, nullptr, {}, known.get());
        ASSERT_EQ(plain.names.size(), quick.names.size());
        for (std::size_t n = 0; n < plain.names.size(); ++n) {
          SCOPED_TRACE(testing::Message() << seed << ' ' << i << ' ' << whole << ' ' << n);
          EXPECT_EQ(plain.names[n].name, quick.names[n].name);
          EXPECT_EQ(plain.names[n].median_ns, quick.names[n].median_ns);
          EXPECT_EQ(plain.names[n].p90_ns, quick.names[n].p90_ns);
          EXPECT_EQ(plain.names[n].p99_ns, quick.names[n].p99_ns);
        }
      }
    }
  }
}

TEST(KnownCountsTest, AreOfLongerSegmentsWhereTheirSumsTakeLessMemory) {
  const Timeline timeline = random_trace(2);
  const auto set = slice_set_of(timeline);
  const SegmentSize size{30, 1};
  const auto all = precomputed_totals_of(*set, 2, nullptr, kMostPrecomputedBytes, size);
  ASSERT_NE(all, nullptr);
  PrecomputedTotals sums = *all;
  sums.counts_of_track.clear();
  const auto fewer = precomputed_totals_of(*set, 2, nullptr, kept_bytes(sums) * 3 / 4, size);
  ASSERT_NE(fewer, nullptr);
  EXPECT_LT(fewer->of_track[0].size(), all->of_track[0].size());
  ASSERT_FALSE(fewer->counts_of_track.empty());
  EXPECT_LT(fewer->counts_of_track[0].size(), all->counts_of_track[0].size());
  const SliceStatistics plain = slice_statistics(*set, {}, 2);
  const SliceStatistics quick = slice_statistics(*set, {}, 2, nullptr, {}, fewer.get());
  ASSERT_EQ(plain.names.size(), quick.names.size());
  for (std::size_t n = 0; n < plain.names.size(); ++n) {
    EXPECT_EQ(plain.names[n].self_ns, quick.names[n].self_ns);
    EXPECT_EQ(plain.names[n].p99_ns, quick.names[n].p99_ns);
  }
}

TEST(KnownCountsTest, AreLeftOutWhereTheyTakeTooMuchMemory) {
  const Timeline timeline = random_trace(2);
  const auto set = slice_set_of(timeline);
  const auto some = precomputed_totals_of(*set, 2, nullptr, 8'000, {10'000, 1});
  ASSERT_NE(some, nullptr);
  std::uint64_t count_bytes = 0;
  std::size_t counted = 0, all_counted = 0;
  for (const auto& of_track : some->counts_of_track) {
    for (const DurationIndex& each : of_track) count_bytes += each.bytes();
    counted += of_track.size();
  }
  EXPECT_LE(count_bytes, 8'000u);
  const auto all = precomputed_totals_of(*set, 2, nullptr, kMostPrecomputedBytes, {10'000, 1});
  for (const auto& of_track : all->counts_of_track) all_counted += of_track.size();
  EXPECT_LT(counted, all_counted);
}

}  // namespace
}  // namespace cinderscope
