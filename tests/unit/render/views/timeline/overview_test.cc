#include "render/views/timeline/overview.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

Overview overview_of(const Timeline& timeline, std::size_t max_lines) {
  TrackList pinned(TrackPart::pinned), tracks;
  tracks.update(timeline, {});
  Overview overview;
  overview.update(timeline, pinned, tracks, 100, max_lines, true);
  return overview;
}

// Each of 62 threads is busy for a sixty-second of the time.
TEST(OverviewTest, ShowsAllThreadsWhereTheyHaveNoLineEach) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  for (std::int64_t i = 0; i < 62; ++i) {
    const ThreadId thread = builder.thread(process, std::to_string(i));
    builder.slices(thread).complete(i * 100, 100, builder.intern("f"), 1);
  }
  const Timeline timeline = builder.finish();
  const Overview overview = overview_of(timeline, 10);
  ASSERT_EQ(overview.lines().size(), 10u);
  for (std::size_t column = 0; column < 100; ++column) {
    int busy = 0;  // two threads that share the column may be on two lines
    for (const Overview::Line& line : overview.lines()) busy += line.busy[column];
    EXPECT_GT(busy, 240) << column;
  }
  EXPECT_EQ(overview_of(timeline, 100).lines().size(), 62u);
}

TEST(OverviewTest, ShowsAsyncTracks) {
  TimelineBuilder builder;
  const AsyncTrackId async = builder.async_track(builder.process("1"), builder.intern("load"));
  builder.async_group(async, {{{0, 100, builder.intern("load")}, 0}});
  builder.async_group(async, {{{50, 150, builder.intern("load")}, 0}});
  const Timeline timeline = builder.finish();
  const Overview overview = overview_of(timeline, 10);
  ASSERT_EQ(overview.lines().size(), 1u);
  EXPECT_EQ(overview.lines()[0].busy[80], 255);  // on its second row
}

}  // namespace
}  // namespace cinderscope
