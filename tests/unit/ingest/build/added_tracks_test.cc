#include "ingest/build/added_tracks.h"

#include <gtest/gtest.h>

#include <memory>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

Timeline one_call() {
  TimelineBuilder builder;
  builder.slices(builder.thread(builder.process("1"), "1"))
      .complete(0, 100, builder.intern("a"), 1);
  return builder.finish();
}

TEST(AddedTracksTest, StandBesideTheTraceAndGo) {
  Timeline timeline = one_call();
  const std::size_t tracks = timeline.tracks.size(), processes = timeline.processes.size();
  add_tracks(timeline, "SQL",
             {{.name = "overlapping",
               .slices = {{50, 20, "x"}, {10, 90, "y"}, {60, -5, "z"}, {INT64_MAX - 1, 9, "end"}}},
              {.name = "nothing"},
              {.name = "counter", .values = {{20, 2}, {10, -1}, {20, 3}}}});
  ASSERT_EQ(timeline.tracks.size(), tracks + 2);
  ASSERT_EQ(timeline.processes.size(), processes + 1);
  EXPECT_TRUE(timeline.processes.back().added);
  const Track& slices = timeline.tracks[tracks];
  EXPECT_EQ(slices.slice_count, 4U);
  EXPECT_EQ(slices.row_count, 3U);
  EXPECT_EQ(timeline.text(slices.root().rows[0].slice(0).name), "y");
  const CounterSeries& series = timeline.tracks.back().series.front();
  EXPECT_EQ(series.time_ns, (std::vector<std::int64_t>{10, 20}));
  EXPECT_EQ(series.value.back(), 3);
  EXPECT_EQ(series.min, -1);
  EXPECT_EQ(timeline.lifetime_count, 0U);
  EXPECT_EQ(timeline.end_ns, 100);
  remove_added_tracks(timeline);
  EXPECT_EQ(timeline.tracks.size(), tracks);
  EXPECT_EQ(timeline.processes.size(), processes);
}

TEST(AddedTracksTest, WithoutRowsNothingIsAdded) {
  Timeline timeline = one_call();
  add_tracks(timeline, "SQL", {});
  add_tracks(timeline, "SQL", {{.name = "none"}});
  EXPECT_EQ(timeline.processes.size(), one_call().processes.size());
  remove_added_tracks(timeline);
  EXPECT_EQ(timeline.tracks.size(), one_call().tracks.size());
}

}  // namespace
}  // namespace cinderscope
