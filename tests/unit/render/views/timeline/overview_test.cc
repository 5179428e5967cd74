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

// Very many threads are read over several frames; a trace that grows in every one of them is seen
// nevertheless.
TEST(OverviewTest, AFrameReadsABoundedNumberOfThreads) {
  const auto of = [](std::int64_t threads) {
    TimelineBuilder builder;
    const ProcessId process = builder.process("1");
    for (std::int64_t i = 0; i < threads; ++i) {
      builder.slices(builder.thread(process, std::to_string(i)))
          .complete(0, 1000, builder.intern("f"), 1);
    }
    return builder.finish();
  };
  const Timeline timeline = of(2000), grown = of(2001);
  TrackList pinned(TrackPart::pinned), tracks, more;
  tracks.update(timeline, {});
  more.update(grown, {});
  Overview overview;
  const auto frames_until = [&](bool grows, auto done) {
    int frames = 0;
    do {
      if (grows) {
        overview.update(grown, pinned, more, 100, 5, true);
      } else {
        overview.update(timeline, pinned, tracks, 100, 10, frames == 0);
      }
    } while (++frames < 100 && !done());
    return frames;
  };
  const int frames = frames_until(false, [&] { return overview.settled(); });
  EXPECT_GT(frames, 2);
  EXPECT_LT(frames, 20);
  ASSERT_EQ(overview.lines().size(), 10u);
  for (const Overview::Line& line : overview.lines()) EXPECT_EQ(line.busy[50], 255);
  overview.update(timeline, pinned, tracks, 100, 5, false);
  EXPECT_FALSE(overview.settled());
  EXPECT_EQ(overview.lines().size(), 10u);  // until all are new
  EXPECT_LT(frames_until(true, [&] { return overview.lines().size() == 5; }), 40);
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
