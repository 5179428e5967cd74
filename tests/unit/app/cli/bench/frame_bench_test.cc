#include "app/cli/bench/frame_bench.h"

#include <gtest/gtest.h>

#include <set>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

Timeline calls(std::int64_t count, std::int64_t step_ns) {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  for (std::int64_t i = 0; i < count; ++i) {
    builder.slices(thread).complete(i * step_ns, step_ns / 2, builder.intern("f"),
                                    static_cast<RecordOffset>(i));
  }
  return builder.finish();
}

TEST(FrameBenchTest, FliesFromTheWholeTraceToSingleCalls) {
  const auto costs = measure_frames(calls(20'000, 1000), layout_only());
  std::set<std::string> zooms;
  for (const FrameCost& cost : costs) {
    EXPECT_TRUE(zooms.insert(cost.zoom).second) << cost.zoom;
    EXPECT_GE(cost.all.frames, 50u) << cost.zoom;
    EXPECT_EQ(cost.first.frames + cost.later.frames, cost.all.frames) << cost.zoom;
    EXPECT_EQ(cost.wall.frames, cost.all.frames) << cost.zoom;
    EXPECT_GT(cost.boxes, 0u) << cost.zoom;
    for (const Milliseconds& part : {cost.all, cost.first, cost.later}) {
      EXPECT_LE(part.median, part.p99);
      EXPECT_LE(part.p99, part.max);
      EXPECT_LE(part.max, cost.all.max);
    }
  }
  for (const char* zoom : {"whole", "1/10", "1/100000", "flight", "pan", "scroll", "all"}) {
    EXPECT_TRUE(zooms.contains(zoom)) << zoom;
  }
}

TEST(FrameBenchTest, TellsTheFirstFrameAtAPlaceFromTheOthers) {
  std::uint64_t first = 0;
  for (const FrameCost& cost : measure_frames(calls(20'000, 1000), layout_only())) {
    const bool zoomed_in = cost.zoom.starts_with("1/");
    if (cost.zoom == "all") {
      EXPECT_EQ(cost.first.frames, first);
    } else {
      EXPECT_EQ(cost.first.frames, zoomed_in ? 10u : 0u) << cost.zoom;
      first += cost.first.frames;
    }
  }
}

TEST(FrameBenchTest, ShowsTheSameBoxesEachTime) {
  const Timeline timeline = calls(5000, 100);
  const auto one = measure_frames(timeline, layout_only());
  const auto other = measure_frames(timeline, layout_only());
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].boxes, other[i].boxes);
}

TEST(FrameBenchTest, TakesTracesOfNoLength) {
  EXPECT_TRUE(measure_frames(Timeline(), layout_only()).empty());
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  builder.slices(thread).complete(5, 0, builder.intern("f"), 0);
  EXPECT_FALSE(measure_frames(builder.finish(), layout_only()).empty());
}

TEST(FrameBenchTest, TakesTracesOfExtremeLength) {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  builder.slices(thread).complete(-kFar, 10, builder.intern("f"), 0);
  builder.slices(thread).complete(kFar - 10, 10, builder.intern("f"), 1);
  EXPECT_FALSE(measure_frames(builder.finish(), layout_only()).empty());
}

}  // namespace
}  // namespace cinderscope
