#include "ingest/totals/precomputed/precompute.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

constexpr SegmentSize kSmallSegments{50, 1};

// Two threads of calls of twenty names, one behind the other.
Timeline many_calls() {
  TimelineBuilder builder;
  for (int thread = 0; thread < 2; ++thread) {
    TrackWriter& writer =
        builder.slices(builder.thread(builder.process("1"), std::to_string(thread)));
    for (std::int64_t i = 0; i < 4000; ++i) {
      const StringId name = builder.intern("n" + std::to_string(i * 7 % 20));
      writer.complete(i * 100, 1 + i * i % 97, name, static_cast<RecordOffset>(i));
    }
  }
  return builder.finish();
}

void expect_same(const PrecomputedSegment& a, const PrecomputedSegment& b) {
  EXPECT_EQ(a.begin_ns, b.begin_ns);
  EXPECT_EQ(a.end_ns, b.end_ns);
  EXPECT_EQ(a.last_end_ns, b.last_end_ns);
  ASSERT_EQ(a.sums.size(), b.sums.size());
  for (std::size_t i = 0; i < a.sums.size(); ++i) {
    EXPECT_EQ(a.sums[i].first, b.sums[i].first);
    EXPECT_EQ(a.sums[i].second.count, b.sums[i].second.count);
    EXPECT_TRUE(a.sums[i].second.sum_ns == b.sums[i].second.sum_ns);
    EXPECT_TRUE(a.sums[i].second.self_ns == b.sums[i].second.self_ns);
    EXPECT_EQ(a.sums[i].second.longest_slice, b.sums[i].second.longest_slice);
  }
}
void expect_same(const DurationIndex& a, const DurationIndex& b) {
  EXPECT_EQ(a.begin_ns, b.begin_ns);
  EXPECT_EQ(a.end_ns, b.end_ns);
  EXPECT_EQ(a.last_end_ns, b.last_end_ns);
  EXPECT_EQ(a.names, b.names);
  EXPECT_EQ(a.ends, b.ends);
  EXPECT_EQ(a.entries, b.entries);
}

template <class Made>
void expect_same(const std::vector<Made>& a, const std::vector<Made>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) expect_same(a[i], b[i]);
}

// What was handed over, and in how many pieces.
struct Taken {
  PrecomputedTotals totals;
  std::size_t pieces = 0, largest_piece = 0;
  std::optional<std::uint64_t> bytes;
};
Taken taken_piece_by_piece(const SliceSet& set, const PrecomputeLimits& limits) {
  Taken out;
  const auto append = [&out](auto& of_all, std::uint32_t track, auto made) {
    if (track >= of_all.size()) of_all.resize(track + 1);
    ++out.pieces;
    out.largest_piece = std::max(out.largest_piece, made.size());
    for (auto& each : made) of_all[track].push_back(std::move(each));
  };
  out.bytes = precompute(
      set, 2, nullptr, limits, kSmallSegments,
      {.sums = [&](std::uint32_t track,
                   auto made) { append(out.totals.of_track, track, std::move(made)); },
       .counts = [&](std::uint32_t track,
                     auto made) { append(out.totals.counts_of_track, track, std::move(made)); }});
  return out;
}

TEST(PrecomputeTest, PiecesAreTheSameAsAllAtOnce) {
  const Timeline timeline = many_calls();
  const auto set = slice_set_of(timeline);
  const auto all = precomputed_totals_of(*set, 2, nullptr, kMostPrecomputedBytes, kSmallSegments);
  ASSERT_NE(all, nullptr);
  ASSERT_GT(all->of_track.at(1).size(), 50u);
  ASSERT_GT(all->counts_of_track.at(1).size(), 5u);
  for (const std::uint64_t bytes_at_once : {std::uint64_t{1}, std::uint64_t{20'000}, UINT64_MAX}) {
    SCOPED_TRACE(bytes_at_once);
    const Taken taken = taken_piece_by_piece(
        *set, {.bytes_at_once = bytes_at_once, .calls_at_once = bytes_at_once});
    ASSERT_TRUE(taken.bytes.has_value());
    ASSERT_EQ(taken.totals.of_track.size(), 2u);
    ASSERT_EQ(taken.totals.counts_of_track.size(), 2u);
    for (std::size_t track = 0; track < 2; ++track) {
      expect_same(taken.totals.of_track[track], all->of_track[track]);
      expect_same(taken.totals.counts_of_track[track], all->counts_of_track[track]);
    }
    if (bytes_at_once == UINT64_MAX) {
      EXPECT_EQ(taken.pieces, 4u);  // sums and counts of each track
    } else {
      // Before anything is known of their size sixteen are worked out.
      EXPECT_LE(taken.largest_piece, 16u);
      EXPECT_GT(taken.pieces, 10u);
    }
  }
}

TEST(PrecomputeTest, GivesNothingWhereSumsDoNotFit) {
  const Timeline timeline = many_calls();
  const auto set = slice_set_of(timeline);
  const Taken whole = taken_piece_by_piece(*set, {.bytes_at_once = 1});
  ASSERT_TRUE(whole.bytes.has_value());
  EXPECT_EQ(*whole.bytes, kept_bytes(whole.totals));
  // Not even with the longest segments.
  EXPECT_FALSE(taken_piece_by_piece(*set, {.most_bytes = 5'000}).bytes.has_value());
  EXPECT_FALSE(
      taken_piece_by_piece(*set, {.most_bytes = 5'000, .bytes_at_once = 1}).bytes.has_value());
}

TEST(PrecomputeTest, EndsOnceCancelled) {
  const Timeline timeline = many_calls();
  const std::atomic<bool> cancelled{true};
  EXPECT_EQ(precomputed_totals_of(*slice_set_of(timeline), 2, &cancelled), nullptr);
}

}  // namespace
}  // namespace cinderscope
