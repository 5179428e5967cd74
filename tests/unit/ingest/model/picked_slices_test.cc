#include "ingest/model/picked_slices.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace cinderscope {
namespace {

SliceRef slice(std::uint32_t track, std::uint32_t row, std::uint64_t i) {
  return {TrackId{track}, BlockId{}, row, i};
}

TEST(PickedSlicesTest, JoinsNeighboursAndForgetsDoubles) {
  const PickedSlices picked = picked_slices(
      {slice(1, 0, 7), slice(0, 2, 4), slice(1, 0, 6), slice(1, 0, 7), slice(1, 0, 9)});
  ASSERT_EQ(picked.rows.size(), 2u);
  EXPECT_EQ(picked.rows[1].runs, (std::vector<SliceRun>{{6, 8}, {9, 10}}));
  EXPECT_EQ(picked.count(), 4u);
  EXPECT_EQ(picked.of_track(TrackId{1}).size(), 1u);
  EXPECT_TRUE(picked.of_track(TrackId{5}).empty());
}

TEST(PickedSlicesTest, HasWhatWasGivenAndNothingElse) {
  std::mt19937 random(7);
  std::vector<SliceRef> given;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> expected;
  for (int i = 0; i < 300; ++i) {
    const auto track = static_cast<std::uint32_t>(random() % 3);
    const auto row = static_cast<std::uint32_t>(random() % 3);
    const std::uint64_t at = random() % 60;
    given.push_back(slice(track, row, at));
    expected.insert({track, row, at});
  }
  const PickedSlices picked = picked_slices(given);
  EXPECT_EQ(picked.count(), expected.size());
  for (std::uint32_t track = 0; track < 4; ++track) {
    for (std::uint32_t row = 0; row < 4; ++row) {
      for (std::uint64_t at = 0; at < 62; ++at) {
        EXPECT_EQ(picked.has(slice(track, row, at)), expected.contains({track, row, at}));
      }
    }
  }
  EXPECT_FALSE(PickedSlices{}.has(slice(0, 0, 0)));
}

}  // namespace
}  // namespace cinderscope
