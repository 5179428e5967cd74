#include "ingest/model/columns/narrow_numbers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

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

TEST(FlowPointsTest, GivePointsBackAsTheyWere) {
  const std::vector<FlowPoint> told = {
      {TrackId{3}, 1, 7, INT64_MIN + 5}, {kNoTrack, 0, 0, 12},   {TrackId{3}, 0, 0, INT64_MAX},
      {TrackId{9}, 4, 1000000, 0},       {TrackId{3}, 1, 0, -1}, {TrackId{3}, 1, 6, 1},
      {TrackId{0}, 0, 5000000000, 3},    {TrackId{9}, 4, 0, 5},
  };
  const FlowPoints points = FlowPoints::of(told);
  ASSERT_EQ(points.size(), told.size());
  for (std::size_t i = 0; i < told.size(); ++i) {
    const FlowPoint point = points[i];
    EXPECT_EQ(point.track, told[i].track) << i;
    EXPECT_EQ(point.row, told[i].row) << i;
    EXPECT_EQ(point.slice, told[i].slice) << i;
    EXPECT_EQ(point.time_ns, told[i].time_ns) << i;
    EXPECT_EQ(points.is_bound(i), told[i].track != kNoTrack) << i;
  }
  EXPECT_EQ(FlowPoints::of({}).size(), 0u);
}

TEST(FlowPointsTest, RowsWithoutSlicesHideNoOthers) {
  FlowPoints points;
  points.add_row(TrackId{1}, 0, 0);
  const auto full = points.add_row(TrackId{2}, 0, 3);
  points.add_row(TrackId{3}, 0, 0);
  const auto last = points.add_row(TrackId{4}, 0, 1);
  points.make_room(2, 10, 20);
  points.bind(0, full, 2);
  points.bind(1, last, 0);
  EXPECT_EQ(points[0].track, TrackId{2});
  EXPECT_EQ(points[0].slice, 2u);
  EXPECT_EQ(points[1].track, TrackId{4});
}

}  // namespace
}  // namespace cinderscope
