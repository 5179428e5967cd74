#include "ingest/model/flow_links.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

// Threads with one call in each ten nanoseconds: call i of a thread lasts from 10 i to 10 i + 8.
class FlowLinksTest : public testing::Test {
 protected:
  FlowLinksTest() {
    for (int t = 0; t < 4; ++t) {
      threads_.push_back(builder_.thread(builder_.process("1"), std::to_string(t)));
      for (int i = 0; i < 10; ++i) {
        builder_.slices(threads_.back()).complete(10 * i, 8, builder_.intern("call"), 0);
      }
    }
  }
  // Through call i of thread t, in order of time; a negative thread is bound to nothing.
  struct Stop {
    int thread, call;
  };
  void flow(const std::vector<Stop>& stops) {
    std::vector<FlowEnd> ends;
    for (const Stop& stop : stops) {
      const bool bound = stop.thread >= 0;
      ends.push_back({threads_[static_cast<std::size_t>(std::max(stop.thread, 0))],
                      10 * stop.call + (bound ? 3 : 9), FlowBinding::enclosing});
    }
    builder_.flow(builder_.intern("f"), false, ends);
  }
  static SliceRef call(std::uint32_t thread, std::uint64_t i) {
    return {TrackId{thread}, BlockId{}, 0, i};
  }
  static std::vector<SliceRef> others(const Flows& flows, const std::vector<FlowLink>& links,
                                      bool in) {
    std::vector<SliceRef> found;
    for (const FlowLink& link : links) {
      found.push_back(flows.points.slice(in ? link.from : link.to));
    }
    return found;
  }
  static std::vector<SliceRef> all_of(const PickedSlices& picked) {
    std::vector<SliceRef> all;
    for (const PickedRow& row : picked.rows) {
      for (const SliceRun& run : row.runs) {
        for (std::uint64_t i = run.first; i < run.end; ++i) {
          all.push_back({row.track, row.block, row.row, i});
        }
      }
    }
    return all;
  }

  TimelineBuilder builder_;
  std::vector<ThreadId> threads_;
};

TEST_F(FlowLinksTest, TellsWhatLeadsToASliceAndOnFromIt) {
  flow({{0, 1}, {1, 3}, {2, 5}});
  flow({{3, 0}, {1, 3}});
  const Timeline timeline = builder_.finish();
  const Flows& flows = *timeline.flows;
  const FlowLinks links = flow_links(timeline, call(1, 3));
  EXPECT_EQ(others(flows, links.in, true), (std::vector{call(3, 0), call(0, 1)}));  // by time
  EXPECT_EQ(others(flows, links.out, false), (std::vector{call(2, 5)}));
  EXPECT_TRUE(flow_links(timeline, call(1, 4)).empty());
  EXPECT_TRUE(flow_links(timeline, {}).empty());
  EXPECT_TRUE(flow_links(timeline, {TrackId{1}, BlockId{2}, 0, 3}).empty());
}

TEST_F(FlowLinksTest, PassesOverPointsWithoutASliceAndJoinsThoseOfOneSlice) {
  flow({{0, 1}, {-1, 1}, {-1, 2}, {1, 3}, {1, 3}, {1, 3}, {2, 5}});
  const Timeline timeline = builder_.finish();
  const Flows& flows = *timeline.flows;
  EXPECT_EQ(others(flows, flow_links(timeline, call(0, 1)).out, false), (std::vector{call(1, 3)}));
  const FlowLinks middle = flow_links(timeline, call(1, 3));
  EXPECT_EQ(others(flows, middle.in, true), (std::vector{call(0, 1)}));
  EXPECT_EQ(others(flows, middle.out, false), (std::vector{call(2, 5)}));
}

TEST_F(FlowLinksTest, ConnectedIsWhatLeadsHereAndWhatThisLeadsToNotTheirOtherWays) {
  flow({{0, 1}, {1, 3}});
  flow({{1, 3}, {2, 5}});
  flow({{2, 5}, {3, 8}});
  flow({{0, 1}, {3, 2}});  // another way on from what leads here
  flow({{0, 9}, {1, 9}});  // somewhere else
  const Timeline timeline = builder_.finish();
  const auto slices = slice_set_of(timeline);
  EXPECT_EQ(all_of(connected_slices(*slices, call(1, 3))),
            (std::vector{call(0, 1), call(1, 3), call(2, 5), call(3, 8)}));
  EXPECT_EQ(all_of(connected_slices(*slices, call(0, 1))),
            (std::vector{call(0, 1), call(1, 3), call(2, 5), call(3, 2), call(3, 8)}));
  EXPECT_EQ(all_of(connected_slices(*slices, call(2, 0))), (std::vector{call(2, 0)}));
  EXPECT_TRUE(connected_slices(*slices, {}).rows.empty());
  EXPECT_TRUE(connected_slices(*slices, {TrackId{1}, BlockId{7}, 0, 0}).rows.empty());
  EXPECT_TRUE(connected_slices(*slices, {TrackId{1}, BlockId{}, 0, 99}).rows.empty());
}

TEST_F(FlowLinksTest, FlowsOfCallsInsideCountAsItsOwn) {
  builder_.slices(threads_[0]).complete(200, 100, builder_.intern("op"), 0);
  builder_.slices(threads_[0]).complete(210, 20, builder_.intern("launch"), 0);
  builder_.slices(threads_[1]).complete(400, 20, builder_.intern("kernel"), 0);
  builder_.flow(
      builder_.intern("f"), false,
      {{threads_[0], 215, FlowBinding::enclosing}, {threads_[1], 405, FlowBinding::enclosing}});
  const Timeline timeline = builder_.finish();
  const SliceRef op = call(0, 10), launch{TrackId{0}, BlockId{}, 1, 0}, kernel = call(1, 10);
  EXPECT_EQ(points_inside(*timeline.flows, timeline.tracks[0].root(), op, false), 1u);
  EXPECT_EQ(points_inside(*timeline.flows, timeline.tracks[0].root(), launch, false), 0u);
  EXPECT_EQ(all_of(connected_slices(*slice_set_of(timeline), op)),
            (std::vector{op, launch, kernel}));
}

TEST_F(FlowLinksTest, WhatOnlyPartlyOverlapsIsNotInside) {
  builder_.slices(threads_[0]).complete(200, 100, builder_.intern("A"), 0);
  builder_.slices(threads_[0]).complete(250, 100, builder_.intern("B"), 0);
  builder_.flow(
      builder_.intern("f"), false,
      {{threads_[0], 320, FlowBinding::enclosing}, {threads_[1], 95, FlowBinding::enclosing}});
  const Timeline timeline = builder_.finish();
  ASSERT_TRUE(timeline.tracks[0].has_overlaps);
  EXPECT_EQ(points_inside(*timeline.flows, timeline.tracks[0].root(), call(0, 10), true), 0u);
}

TEST_F(FlowLinksTest, AChainGoesRoundCirclesOnceAndIsCutWhereItIsTooLong) {
  flow({{0, 1}, {1, 2}});
  flow({{1, 2}, {2, 3}});
  for (int i = 4; i < 9; ++i) flow({{2, 3}, {3, i}});
  const Timeline timeline = builder_.finish();
  const Flows& flows = *timeline.flows;
  EXPECT_EQ(flow_chain(flows, call(1, 2), 100).links.size(), 7u);
  EXPECT_TRUE(flow_chain(flows, call(1, 2), 100).whole);
  const FlowChain cut = flow_chain(flows, call(1, 2), 4);
  EXPECT_FALSE(cut.whole);
  ASSERT_EQ(cut.links.size(), 4u);
  EXPECT_EQ(flows.points.slice(cut.links[0].to), call(2, 3));  // the nearest of each side
  EXPECT_EQ(flows.points.slice(cut.links[3].from), call(0, 1));
}

}  // namespace
}  // namespace cinderscope
