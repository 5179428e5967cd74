#include "render/layout/row_heights.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

// A thread with a pile of calls at 0 above one with a single call.
Timeline piled_on_one_track(std::int64_t depth) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  const StringId name = builder.intern("f");
  TrackWriter& deep = builder.slices(builder.thread(process, "1"));
  for (std::int64_t i = 0; i < depth; ++i) deep.complete(i, 1000 - 2 * i, name, 1);
  builder.slices(builder.thread(process, "2")).complete(0, 1000, name, 2);
  return builder.finish();
}

class RowHeightsTest : public testing::Test {
 protected:
  // A frame with the pointer on the second thread.
  void frame(const Timeline& timeline, std::uint64_t version, double seconds) {
    main_.update(timeline, state_, version);
    pinned_.update(timeline, state_, version);
    heights_.update({.timeline = timeline,
                     .state = state_,
                     .version = version,
                     .seconds = seconds,
                     .main = {main_, layout_},
                     .pinned = {pinned_, layout_},
                     .pointed_px = main_.row_of(TrackId(1))->y_px + 1});
  }
  // Frames until nothing moves.
  void settle(const Timeline& timeline, std::uint64_t version) {
    do {
      frame(timeline, version, 0.02);
    } while (heights_.moving());
  }

  TimelineState state_;
  RowHeights heights_;
  TrackList main_, pinned_{TrackPart::pinned};
  Layout layout_;
};

TEST_F(RowHeightsTest, WhatComesWhileATraceLoadsLeavesTheTopInSight) {
  state_.view = showing(0, 1000, 1000);
  const Timeline some = piled_on_one_track(2), more = piled_on_one_track(40);
  settle(some, 1);
  settle(more, 2);
  EXPECT_GT(main_.row_of(TrackId(1))->y_px, 40 * 10);
  EXPECT_EQ(state_.scroll_px, 0);
}

TEST_F(RowHeightsTest, WhatIsPointedAtStaysWhileTheViewMoves) {
  const Timeline timeline = piled_on_one_track(40);
  state_.view = showing(0, 3, 1000);
  settle(timeline, 1);
  const double before_px = main_.row_of(TrackId(1))->y_px;
  state_.view = showing(0, 1000, 1000);
  settle(timeline, 1);
  EXPECT_GT(main_.row_of(TrackId(1))->y_px, before_px + 30 * 10);
  EXPECT_EQ(main_.row_of(TrackId(1))->y_px - state_.scroll_px, before_px);
}

TEST_F(RowHeightsTest, WhatIsPointedAtStaysLongAfterItWasScrolled) {
  const Timeline timeline = piled_on_one_track(40);
  state_.view = showing(0, 3, 1000);
  settle(timeline, 1);
  state_.scroll_px = 10;
  frame(timeline, 1, 0.02);
  const double before_px = main_.row_of(TrackId(1))->y_px - state_.scroll_px;
  state_.view = showing(0, 1000, 1000);
  frame(timeline, 1, 5);
  settle(timeline, 1);
  EXPECT_NEAR(main_.row_of(TrackId(1))->y_px - state_.scroll_px, before_px, 1e-6);
}

}  // namespace
}  // namespace cinderscope
