#include "render/layout/fit_rows.h"

#include <gtest/gtest.h>

#include <memory>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

// One thread: a call of 1000 ns with a pile of `depth` calls inside from 400 on, each 1 ns shorter
// on either side; a second one with two calls beside each other.
Timeline piled(std::int64_t depth) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  const StringId name = builder.intern("f");
  TrackWriter& deep = builder.slices(builder.thread(process, "1"));
  deep.complete(0, 1000, name, 1);
  for (std::int64_t i = 0; i < depth; ++i) deep.complete(400 + i, 200 - 2 * i, name, 2);
  TrackWriter& flat = builder.slices(builder.thread(process, "2"));
  flat.complete(0, 10, name, 3);
  flat.complete(500, 10, name, 4);
  return builder.finish();
}

TEST(RowsInViewTest, EndWithTheDeepestSliceInView) {
  const Timeline timeline = piled(50);
  const Track& deep = timeline.tracks[0];
  EXPECT_EQ(rows_in_view(deep, 0, 1000), 51u);
  EXPECT_EQ(rows_in_view(deep, 0, 400), 1u);
  EXPECT_EQ(rows_in_view(deep, 0, 401), 2u);
  EXPECT_EQ(rows_in_view(deep, 410, 411), 12u);  // all of these began before
  EXPECT_EQ(rows_in_view(deep, 600, 700), 1u);
  EXPECT_EQ(rows_in_view(deep, 5000, 6000), 1u);  // its name needs a row, too
  EXPECT_EQ(rows_in_view(Track{}, 0, 10), 0u);
}

TEST(RowsInViewTest, LooksAtEachRowWhereSlicesOverlap) {
  TimelineBuilder builder;
  const StringId name = builder.intern("f");
  const ProcessId process = builder.process("1");
  TrackWriter& slices = builder.slices(builder.thread(process, "1"));
  slices.complete(0, 100, name, 1);
  slices.complete(50, 200, name, 2);  // on the second row, which goes on where the first is free
  const AsyncTrackId async = builder.async_track(process, builder.intern("load"));
  builder.async_group(async, {{{0, 100, name}, 0}});
  builder.async_group(async, {{{50, 200, name}, 0}});
  const Timeline timeline = builder.finish();
  ASSERT_EQ(timeline.tracks.size(), 2u);
  for (const Track& track : timeline.tracks) {
    EXPECT_EQ(rows_in_view(track, 0, 40), 1u);
    EXPECT_EQ(rows_in_view(track, 150, 200), 2u);
    EXPECT_EQ(rows_in_view(track, 260, 270), 1u);
  }
}

// A frame has no time for a million rows.
TEST(RowsInViewTest, KeepsVeryManyRowsThatOverlap) {
  const auto rows_of = [](std::size_t count) {
    const auto block = std::make_shared<SliceBlock>();
    block->rows.resize(count);
    Track track;
    track.has_overlaps = true;
    track.row_count = static_cast<std::uint32_t>(count);
    track.begin_ns = 0;
    track.end_ns = 100;
    track.blocks.push_back(block);
    return rows_in_view(track, 10, 20);
  };
  EXPECT_EQ(rows_of(1000), 1u);
  EXPECT_EQ(rows_of(1'000'000), 1'000'000u);
}

class FitRowsTest : public testing::Test {
 protected:
  void update(double seconds, SliceRef sought = {}) {
    rows_.update({.timeline = timeline_, .state = state_, .seconds = seconds, .sought = sought});
  }
  Timeline timeline_ = piled(50);
  TimelineState state_;
  FitRows rows_;
};

TEST_F(FitRowsTest, FollowTheViewWithin120Milliseconds) {
  state_.view = showing(0, 1000, 1000);
  update(0);
  EXPECT_EQ(rows_.rows()[0], 51);  // at once in a timeline that was not there before
  EXPECT_TRUE(rows_.settled());
  state_.view = showing(0, 300, 1000);
  update(0.05);
  EXPECT_FALSE(rows_.settled());
  EXPECT_LT(rows_.rows()[0], 51);
  EXPECT_GT(rows_.rows()[0], 1);
  EXPECT_EQ(rows_.rows()[1], 1);
  update(0.05);
  update(0.05);
  EXPECT_TRUE(rows_.settled());
  EXPECT_EQ(rows_.rows()[0], 1);
}

TEST_F(FitRowsTest, AreAllRowsWhereTheyAreNotToFit) {
  state_.view = showing(0, 300, 1000);
  state_.fit_rows = false;
  update(0);
  EXPECT_EQ(rows_.rows()[0], 51);
  state_.fit_rows = state_.reduced_motion = true;
  update(0);
  EXPECT_EQ(rows_.rows()[0], 1);  // without motion
  EXPECT_TRUE(rows_.settled());
}

TEST_F(FitRowsTest, MakeRoomForWhatTheViewIsOnItsWayTo) {
  state_.view = showing(0, 300, 1000);
  state_.reduced_motion = true;
  update(0);
  update(0, {TrackId{0}, BlockId{}, 20, 0});
  EXPECT_EQ(rows_.rows()[0], 21);
}

// Each with two rows, of which the second has nothing before 900.
Timeline of_threads(int count) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  for (int i = 0; i < count; ++i) {
    TrackWriter& slices = builder.slices(builder.thread(process, std::to_string(i)));
    slices.complete(0, 1000, builder.intern("outer"), 1);
    slices.complete(900, 10, builder.intern("inner"), 2);
  }
  return builder.finish();
}

TEST(FitRowsOfManyTest, KeepTheirHeightsWhenATraceGrows) {
  const Timeline timeline = of_threads(5000), grown = of_threads(5001);
  TimelineState state;
  state.view = showing(0, 100, 1000);
  FitRows rows;
  for (int i = 0; i < 30; ++i) rows.update({.timeline = timeline, .state = state, .seconds = 0.05});
  ASSERT_TRUE(rows.settled());
  rows.update({.timeline = grown, .state = state, .version = 1, .seconds = 0.05});
  for (std::size_t i = 0; i < 5000; ++i) ASSERT_EQ(rows.rows()[i], 1) << i;
}

TEST(FitRowsOfManyTest, OthersFollowInLaterFrames) {
  const Timeline timeline = of_threads(5000);
  TimelineState state;
  state.view = showing(0, 1000, 1000);
  state.reduced_motion = true;
  const TrackId last{4999};
  FitRows rows;
  const FitRows::Frame frame{.timeline = timeline, .state = state, .visible = {&last, 1}};
  for (int i = 0; i < 4; ++i) rows.update(frame);
  ASSERT_TRUE(rows.settled());
  state.view = showing(0, 100, 1000);
  rows.update(frame);
  EXPECT_EQ(rows.rows()[4999], 1);  // on screen
  EXPECT_FALSE(rows.settled());
  for (int i = 0; i < 3; ++i) rows.update(frame);
  EXPECT_TRUE(rows.settled());
  for (std::size_t i = 0; i < 5000; ++i) ASSERT_EQ(rows.rows()[i], 1) << i;
}

}  // namespace
}  // namespace cinderscope
