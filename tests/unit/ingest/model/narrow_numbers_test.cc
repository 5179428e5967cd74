#include "ingest/model/columns/narrow_numbers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "ingest/model/columns/mostly_narrow_numbers.h"
#include "ingest/model/flows/flow_points.h"

namespace cinderscope {
namespace {

TEST(NarrowNumbersTest, GiveWhatWasSetWhateverTheirWidth) {
  for (unsigned bits = 0; bits <= 64; ++bits) {
    const std::uint64_t most = bits == 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1;
    NarrowNumbers numbers(50, most);
    for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(numbers[i], 0u);
    // Backwards, so that one that writes too much spoils the one behind it.
    for (std::size_t i = 50; i-- > 0;) numbers.set(i, most - most / 50 * i);
    for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(numbers[i], most - most / 50 * i) << bits;
    EXPECT_LE(numbers.kept_bytes(), (50 * bits + 7) / 8 + 16);
  }
}

TEST(MostlyNarrowNumbersTest, GiveWhatWasAdded) {
  std::mt19937_64 random(3);
  for (unsigned narrow = 0; narrow < 64; narrow += 3) {
    for (unsigned wide = narrow; wide <= 64; wide += 4) {
      for (const std::size_t every : {1u, 2u, 40u, 5000u}) {
        const auto drawn = [&random](unsigned bits) {
          // All ones, and what comes before, are odd.
          const std::uint64_t most = bits == 0 ? 0 : UINT64_MAX >> (64 - bits);
          return random() % 8 == 0 ? most - std::min<std::uint64_t>(most, random() % 2)
                                   : random() & most;
        };
        std::vector<std::uint64_t> told;
        MostlyNarrowNumbers::Lengths lengths{};
        for (std::size_t i = 0; i < 300; ++i) {
          told.push_back(drawn(i % every == every - 1 ? wide : narrow));
          ++lengths[MostlyNarrowNumbers::bits_of(told.back())];
        }
        MostlyNarrowNumbers numbers(lengths);
        for (const std::uint64_t each : told) numbers.add(each);
        ASSERT_EQ(numbers.size(), told.size());
        for (std::size_t i = 0; i < told.size(); ++i) ASSERT_EQ(numbers[i], told[i]) << i;
        EXPECT_LE(numbers.kept_bytes(), (300 * (wide + 1) + 7) / 8 + 24);
        if (every != 40) continue;
        EXPECT_LE(numbers.kept_bytes(), (300 * (narrow + 1) + 7) / 8 + 24 + 7 * 12);
      }
    }
  }
  EXPECT_EQ(MostlyNarrowNumbers(MostlyNarrowNumbers::Lengths{}).size(), 0u);
}

void expect_points(std::span<const FlowPoint> told) {
  const FlowPoints points = FlowPoints::of(told.size(), [&](std::size_t i) { return told[i]; });
  ASSERT_EQ(points.size(), told.size());
  for (std::size_t i = 0; i < told.size(); ++i) {
    ASSERT_EQ(points.slice(i), slice_of(told[i])) << i;
    ASSERT_EQ(points.own_time_ns(i), told[i].own_time_ns()) << i;
    ASSERT_EQ(points.is_bound(i), told[i].track != kNoTrack) << i;
  }
}

TEST(FlowPointsTest, GivePointsBackAsTheyWere) {
  const std::vector<FlowPoint> told = {
      {TrackId{3}, 1, 7, INT64_MIN + 5, 9}, {kNoTrack, 0, 0, 12},
      {TrackId{3}, 0, 0, INT64_MAX, -7},    {TrackId{9}, 4, 1000000, 0, 0},
      {TrackId{3}, 1, 0, -1, INT64_MAX},    {TrackId{3}, 1, 6, 1, 1},
      {TrackId{0}, 0, 5000000000, 3, 4},    {TrackId{9}, 4, 0, 5, 0},
      {kNoTrack, 0, 0, INT64_MIN},          {kNoTrack, 0, 0, INT64_MAX},
  };
  expect_points(told);
  for (std::size_t i = 0; i < told.size(); ++i) expect_points(std::span(told).subspan(i, 1));
  EXPECT_EQ(FlowPoints::of(0, nullptr).size(), 0u);
}

// Of `with_slice` per mille of the points, whatever share of the others is bound.
TEST(FlowPointsTest, KeepNoTimeOfThoseThatBeginWithTheirSlices) {
  std::mt19937 random(1);
  for (const unsigned with_slice : {0u, 5u, 300u, 990u, 1000u}) {
    for (const unsigned unbound : {0u, 5u, 300u, 990u, 1000u}) {
      std::vector<FlowPoint> told;
      std::size_t timed = 0;
      for (std::int64_t i = 0; i < 3000; ++i) {
        const std::int64_t begin_ns = i * 1'000'000;
        if (random() % 1000 < unbound) {
          told.push_back({.time_ns = begin_ns});
          ++timed;
          continue;
        }
        const bool begins = random() % 1000 < with_slice;
        const std::int64_t since_ns = begins ? 0 : static_cast<std::int64_t>(random() % 1000) - 200;
        told.push_back(
            {TrackId{1}, 0, static_cast<std::uint64_t>(i), begin_ns + since_ns, begin_ns});
        timed += since_ns != 0 ? 1 : 0;
      }
      expect_points(told);
      if (unbound != 0) continue;
      const FlowPoints points = FlowPoints::of(told.size(), [&](std::size_t i) { return told[i]; });
      // Twelve bits for each slice, a bit for each time that is kept, ten for each of these.
      EXPECT_LE(points.kept_bytes(), (3000 * 13 + (with_slice < 100 ? 3000 : timed) * 10) / 8 + 120)
          << with_slice;
    }
  }
}

TEST(FlowListTest, GivesFlowsBackAndKnowsWhoseAPointIs) {
  EXPECT_EQ(FlowList(std::span<const Flow>()).size(), 0u);
  const std::vector<Flow> told = {{StringId{7}, 0, false},
                                  {kEmptyString, 3, true},
                                  {StringId{90000}, 4, false},
                                  {StringId{1}, 1000000, true}};
  const FlowList flows(told);
  ASSERT_EQ(flows.size(), told.size());
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(flows[i].name, told[i].name);
    EXPECT_EQ(flows[i].first_point, told[i].first_point);
    EXPECT_EQ(flows[i].by_bind_id, told[i].by_bind_id);
    EXPECT_EQ(flows.flow_of(told[i].first_point), i);
  }
  EXPECT_EQ(flows.flow_of(999999), 2u);
}

TEST(FlowPointsTest, RowsWithoutSlicesHideNoOthers) {
  FlowPoints points;
  points.add_row(TrackId{1}, 0, 0);
  const auto full = points.add_row(TrackId{2}, 0, 3);
  points.add_row(TrackId{3}, 0, 0);
  const auto last = points.add_row(TrackId{4}, 0, 1);
  points.make_room(2);
  points.bind(0, full, 2);
  points.bind(1, last, 0);
  EXPECT_EQ(points.slice(0).track, TrackId{2});
  EXPECT_EQ(points.slice(0).slice, 2u);
  EXPECT_EQ(points.slice(1).track, TrackId{4});
}

}  // namespace
}  // namespace cinderscope
