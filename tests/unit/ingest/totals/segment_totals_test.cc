#include "ingest/totals/segment_totals.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/build/timeline_builder.h"
#include "ingest/totals/precomputed/kept_totals.h"
#include "ingest/totals/segment_aggregator.h"
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

std::string written_totals(const SliceSet& set, std::uint64_t most_bytes = kMostPrecomputedBytes) {
  const std::atomic<bool> cancelled{false};
  std::string bytes;
  write_totals(set, 2, cancelled, [&bytes](std::string_view more) { bytes += more; }, most_bytes,
               {60, 1});
  return bytes;
}

TEST(PartSumsTest, AreReadBackAsTheyWereWritten) {
  for (unsigned seed = 20; seed < 24; ++seed) {
    // Sums beyond 64 bits among them.
    const Timeline timeline =
        random_trace(seed, 900, seed % 2 == 0 ? 0 : 200, seed == 22 ? INT64_MAX / 40'000 : 1);
    const auto set = slice_set_of(timeline);
    const std::size_t names = set->strings->size();
    const ReadTotals read = read_totals(written_totals(*set), *set, 2);
    ASSERT_TRUE(read.sound);
    ASSERT_NE(read.totals, nullptr);
    ASSERT_GT(read.totals->of_track[0].size(), 10u);
    ASSERT_GT(read.totals->counts_of_track[0].size(), 1u);
    for (const Scope& scope : {Scope{}, Scope{300, 2600}, Scope{500, 2000, {TrackId{1}}}}) {
      SCOPED_TRACE(testing::Message() << seed << " " << scope.begin_ns);
      const StatisticsQuery query{scope, false};
      const auto tracks = measured_tracks(*set, query);
      const auto plain = add_up_segments(tracks, query, names, 1, nullptr);
      const auto quick = add_up_segments(tracks, query, names, 2, nullptr, {}, read.totals.get());
      for (std::size_t i = 0; i < names; ++i) expect_same(quick[i], plain[i]);
      const SliceStatistics a = slice_statistics(*set, query);
      const SliceStatistics b = slice_statistics(*set, query, 2, nullptr, {}, read.totals.get());
      ASSERT_EQ(a.names.size(), b.names.size());
      for (std::size_t i = 0; i < a.names.size(); ++i) {
        EXPECT_EQ(a.names[i].median_ns, b.names[i].median_ns);
        EXPECT_EQ(a.names[i].p99_ns, b.names[i].p99_ns);
        EXPECT_EQ(a.names[i].longest, b.names[i].longest);
      }
      if (HasFailure()) return;
    }
  }
}

TEST(PartSumsTest, AreWrittenAsNoneWhereTheyAreTooMany) {
  const auto set = slice_set_of(random_trace(1, 500, 0));
  const ReadTotals read = read_totals(written_totals(*set, 10'000), *set, 1);
  EXPECT_TRUE(read.sound);
  EXPECT_EQ(read.totals, nullptr);
}

// Whatever they say instead, asking for statistics with them ends well.
TEST(PartSumsTest, AreSurvivedWithAnyByteChanged) {
  const auto set = slice_set_of(random_trace(5, 120, 20));
  const std::string whole = written_totals(*set);
  std::size_t refused = 0, taken = 0;
  for (std::size_t at = 0; at < whole.size(); at += 1 + at % 3) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ (at % 5 == 0 ? 0xff : 1 << at % 8));
    const ReadTotals read = read_totals(changed, *set, 1);
    ++(read.sound ? taken : refused);
    if (read.totals == nullptr) continue;
    const StatisticsQuery query{Scope{20, 200}, false};
    const SliceStatistics made = slice_statistics(*set, query, 1, nullptr, {}, read.totals.get());
    EXPECT_TRUE(made.ranks_known);
  }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(taken, 100u);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const ReadTotals read = read_totals(std::string_view(whole).substr(0, length), *set, 1);
    EXPECT_FALSE(read.sound) << length;
  }
}

TEST(PartSumsTest, WorkersAreWorthTheirMemory) {
  EXPECT_EQ(jobs_worth_it(8, 400'000, 400'000), 1u);  // each call has a name of its own
  EXPECT_EQ(jobs_worth_it(8, 8'000, 1'000), 2u);
  EXPECT_EQ(jobs_worth_it(8, 1'000'000, 100), 8u);
  EXPECT_EQ(jobs_worth_it(0, 0, 0), 1u);
}

TEST(PartSumsTest, MayTakeMoreOfAVeryLargeTrace) {
  EXPECT_EQ(most_precomputed_bytes(*slice_set_of(random_trace(1, 500, 0))), kMostPrecomputedBytes);
  // A billion slices, most of them the same.
  std::vector<Slice> slices(kChunkSlices, Slice{});
  auto block = std::make_shared<SliceBlock>();
  block->rows.resize(2);
  for (SliceRow& row : block->rows) {
    row.chunks.assign(500'000'000 / kChunkSlices + 1, SliceChunk::seal(slices, nullptr));
  }
  SliceSet set;
  set.tracks.resize(1);
  set.tracks[0].blocks = {nullptr, block};
  EXPECT_GT(most_precomputed_bytes(set), 250'000'000u);
  EXPECT_LT(most_precomputed_bytes(set), 251'000'000u);
}

TEST(PartSumsTest, AreNotKeptWhereNamesAreTooMany) {
  const auto set = slice_set_of(random_trace(1, 500, 0));
  EXPECT_EQ(precomputed_totals_of(*set, 2, nullptr, 1000, {60, 1}), nullptr);
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
