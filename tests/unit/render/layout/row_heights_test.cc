#include "render/layout/row_heights.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

// A thread with a pile of calls at 0 above one with a single call.
Timeline piled(std::int64_t depth) {
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
  // Frames with the pointer on the second thread until nothing moves.
  void settle(const Timeline& timeline, std::uint64_t version) {
    main_.update(timeline, state_, version);
    pinned_.update(timeline, state_, version);
    do {
      heights_.update({.timeline = timeline,
                       .state = state_,
                       .version = version,
                       .seconds = 0.02,
                       .main = {main_, layout_},
                       .pinned = {pinned_, layout_},
                       .pointed_px = main_.row_of(TrackId(1))->y_px + 1});
    } while (heights_.moving());
  }

  TimelineState state_;
  RowHeights heights_;
  TrackList main_, pinned_{TrackPart::pinned};
  Layout layout_;
};

TEST_F(RowHeightsTest, WhatComesWhileATraceLoadsLeavesTheTopInSight) {
  state_.view = showing(0, 1000, 1000);
  const Timeline some = piled(2), more = piled(40);
  settle(some, 1);
  settle(more, 2);
  EXPECT_GT(main_.row_of(TrackId(1))->y_px, 40 * 10);
  EXPECT_EQ(state_.scroll_px, 0);
}

TEST_F(RowHeightsTest, WhatIsPointedAtStaysWhileTheViewMoves) {
  const Timeline timeline = piled(40);
  state_.view = showing(0, 3, 1000);
  settle(timeline, 1);
  const double before_px = main_.row_of(TrackId(1))->y_px;
  state_.view = showing(0, 1000, 1000);
  settle(timeline, 1);
  EXPECT_GT(main_.row_of(TrackId(1))->y_px, before_px + 30 * 10);
  EXPECT_EQ(main_.row_of(TrackId(1))->y_px - state_.scroll_px, before_px);
}

}  // namespace
}  // namespace cinderscope
