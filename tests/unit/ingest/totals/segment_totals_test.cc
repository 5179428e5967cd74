#include "ingest/totals/segment_totals.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "ingest/build/timeline_builder.h"
#include "ingest/totals/slice_statistics.h"

namespace cinderscope {
namespace {

// Threads of random calls of few names, so that many lie within calls of their own name; a long one
// around all of them. `overlaps` of a thousand calls stick out of their callers.
Timeline random_trace(unsigned seed, int calls, unsigned overlaps, std::int64_t scale = 1) {
  std::mt19937 random(seed);
  TimelineBuilder builder;
  RecordOffset record = 0;
  for (int t = 0; t < 2; ++t) {
    TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), std::to_string(t)));
    const auto name = [&] { return builder.intern("n" + std::to_string(random() % 150)); };
    writer.begin(0, name(), record++);
    int open = 1;
    std::int64_t now = 0;
    for (int i = 0; i < 2 * calls; ++i) {
      now += static_cast<std::int64_t>(random() % 4) * scale;
      if (random() % 1000 < overlaps) {
        writer.complete(now, static_cast<std::int64_t>(random() % 40) * scale, name(), record++);
      } else if (open == 1 || (random() % 2 == 0 && open < 9)) {
        writer.begin(now, name(), record++);
        ++open;
      } else {
        writer.end(now, kNoName, record++);
        --open;
      }
    }
    for (; open > (t == 0 ? 1 : 0); --open) writer.end(now += scale, kNoName, record++);
  }
  return builder.finish();
}

void expect_same(const NameSums& a, const NameSums& b) {
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.unfinished_count, b.unfinished_count);
  EXPECT_TRUE(a.sum_ns == b.sum_ns && a.unfinished_sum_ns == b.unfinished_sum_ns);
  EXPECT_EQ(clamped(a.self_ns), clamped(b.self_ns));
  EXPECT_EQ(clamped(a.recursive_ns), clamped(b.recursive_ns));
  EXPECT_EQ(a.min_ns, b.min_ns);
  EXPECT_EQ(a.max_ns, b.max_ns);
  EXPECT_EQ(a.longest_track, b.longest_track);
  EXPECT_EQ(a.longest_row, b.longest_row);
  EXPECT_EQ(a.longest_slice, b.longest_slice);
}

// A whole track at once is what slice_statistics_test.cc compares with the plain definition.
TEST(PartSumsTest, AddUpToTheSameHoweverTracksAreCut) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const unsigned overlaps = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 4 : 200;
    const Timeline timeline = random_trace(seed, 1500, overlaps);
    const auto set = slice_set_of(timeline);
    for (const Scope& scope : {Scope{}, Scope{700, 2100}}) {
      for (const bool whole : {false, true}) {
        SCOPED_TRACE(testing::Message() << seed << (whole ? " whole " : " ") << scope.begin_ns);
        const StatisticsQuery query{scope, whole};
        const auto tracks = measured_tracks(*set, query);
        const std::size_t names = set->strings->size();
        const auto at_once = add_up_segments(tracks, query, names, 1, nullptr);
        ASSERT_GT(segments_of(tracks, scope, {40, 1}).size(), 3 * tracks.size());
        for (const SegmentSize& size : {SegmentSize{40, 1}, SegmentSize{300, 4}}) {
          const auto in_parts = add_up_segments(tracks, query, names, 3, nullptr, size);
          for (std::size_t i = 0; i < names; ++i) expect_same(in_parts[i], at_once[i]);
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST(PartSumsTest, AddUpToTheSameFromPartsThatAreKnown) {
  for (unsigned seed = 20; seed < 32; ++seed) {
    const unsigned overlaps = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 4 : 200;
    const Timeline timeline = random_trace(seed, 1500, overlaps);
    const auto set = slice_set_of(timeline);
    const std::size_t names = set->strings->size();
    const auto known = precomputed_totals_of(*set, 2, nullptr, kMostPrecomputedBytes, {60, 1});
    ASSERT_NE(known, nullptr);
    ASSERT_GT(known->of_track[0].size(), 10u);
    for (const Scope& scope : {Scope{}, Scope{INT64_MIN, 1900}, Scope{800, INT64_MAX},
                               Scope{300, 2600}, Scope{700, 720}, Scope{500, 2000, {TrackId{1}}}}) {
      for (const bool whole : {false, true}) {
        SCOPED_TRACE(testing::Message() << seed << (whole ? " whole " : " ") << scope.begin_ns);
        const StatisticsQuery query{scope, whole};
        const auto tracks = measured_tracks(*set, query);
        const auto plain = add_up_segments(tracks, query, names, 1, nullptr);
        const auto quick = add_up_segments(tracks, query, names, 2, nullptr, {}, known.get());
        for (std::size_t i = 0; i < names; ++i) expect_same(quick[i], plain[i]);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(PartSumsTest, AreNotKeptWhereNamesAreTooMany) {
  const auto set = slice_set_of(random_trace(1, 500, 0));
  EXPECT_EQ(precomputed_totals_of(*set, 2, nullptr, 10'000, {60, 1}), nullptr);
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(precomputed_totals_of(*set, 2, &cancelled), nullptr);
}

// Parts are cut by the row with the most calls: here by the outermost, and nearly all others lie
// within one of those.
TEST(PartSumsTest, CutWhereCallsCrowd) {
  TimelineBuilder builder;
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  RecordOffset record = 0;
  std::int64_t now = 0;
  for (int i = 0; i < 2000; ++i) {
    writer.begin(now, builder.intern("root"), record++);
    for (int k = 0; i == 1000 && k < 1800; ++k) {
      writer.begin(++now, builder.intern("in"), record++);
      writer.begin(now, builder.intern(k % 3 == 0 ? "in" : "deep"), record++);
      writer.end(++now, kNoName, record++);
      writer.end(++now, kNoName, record++);
    }
    writer.end(now += 10, kNoName, record++);
  }
  const Timeline timeline = builder.finish();
  const auto set = slice_set_of(timeline);
  const auto tracks = measured_tracks(*set, {});
  const std::size_t names = set->strings->size();
  const auto at_once = add_up_segments(tracks, {}, names, 1, nullptr);
  const auto in_parts = add_up_segments(tracks, {}, names, 2, nullptr, {40, 1});
  for (std::size_t i = 0; i < names; ++i) expect_same(in_parts[i], at_once[i]);
  EXPECT_EQ(at_once[index(*timeline.strings->find("in"))].recursive_ns, 600);
}

// Sums that 64 bits do not hold are exact on the way and end at the limit.
TEST(PartSumsTest, EndsAtTheLimitOnlyWithTheLastSum) {
  const Timeline timeline = random_trace(1, 300, 0, std::int64_t{1} << 50);
  const auto set = slice_set_of(timeline);
  const StatisticsQuery query;
  const auto tracks = measured_tracks(*set, query);
  const auto at_once = add_up_segments(tracks, query, set->strings->size(), 1, nullptr);
  const auto in_parts = add_up_segments(tracks, query, set->strings->size(), 2, nullptr, {20, 1});
  WideSum all = 0;
  for (std::size_t i = 0; i < at_once.size(); ++i) {
    expect_same(in_parts[i], at_once[i]);
    all += at_once[i].sum_ns;
  }
  EXPECT_EQ(clamped(all), INT64_MAX);
}

}  // namespace
}  // namespace cinderscope
