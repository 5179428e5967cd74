#include "ingest/build/load_filter.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

std::uint64_t left_out(const Timeline& timeline) {
  const auto& by_code = timeline.diagnostics.by_code();
  const auto found = by_code.find("left_out");
  return found == by_code.end() ? 0 : found->second.count;
}

TEST(LoadFilterTest, NamesThreadsByTheirIdWithOrWithoutTheProcess) {
  EXPECT_TRUE(LoadFilter{}.has_thread("1", "2"));
  const LoadFilter part{.threads = {"2", "5/6"}};
  EXPECT_TRUE(part.has_thread("9", "2"));
  EXPECT_TRUE(part.has_thread("5", "6"));
  EXPECT_FALSE(part.has_thread("1", "6"));
}

// Begins and ends one inside the other, 100 ns each call, at 0, 1000, 2000, ...
Timeline begins_and_ends(const LoadFilter& part) {
  TimelineBuilder builder;
  builder.keep_only(part);
  const StringId name = builder.intern("f");
  for (const char* tid : {"1", "2"}) {
    TrackWriter& writer = builder.slices(builder.thread(builder.process("7"), tid));
    RecordOffset record = 0;
    writer.begin(0, name, record++);
    for (std::int64_t i = 1; i < 10; ++i) {
      writer.begin(i * 1000, name, record++);
      writer.end(i * 1000 + 100, kNoName, record++);
    }
    writer.end(20'000, kNoName, record++);
    writer.begin(30'000, name, record++);  // stays open
  }
  return builder.finish();
}

TEST(LoadFilterTest, KeepsSlicesThatOverlapARangeAndCountsTheRest) {
  EXPECT_EQ(begins_and_ends({}).slice_count, 22u);
  EXPECT_EQ(left_out(begins_and_ends({})), 0u);
  const LoadFilter part{.from = 2050, .to = 4000};
  const Timeline timeline = begins_and_ends(part);
  ASSERT_EQ(timeline.slice_count, 6u);  // on each thread the outer one and those at 2000 and 3000
  EXPECT_EQ(left_out(timeline), 16u);
  const std::vector<SliceRow>& rows = timeline.tracks[0].root().rows;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].begin_ns(0), 2000);
  EXPECT_EQ(rows[1].begin_ns(1), 3000);
}

TEST(LoadFilterTest, KeepsTheThreadsThatAreListed) {
  const LoadFilter part{.threads = {"7/2"}};
  const Timeline timeline = begins_and_ends(part);
  EXPECT_EQ(timeline.slice_count, 11u);
  EXPECT_EQ(left_out(timeline), 11u);
  ASSERT_EQ(timeline.tracks.size(), 1u);
  EXPECT_EQ(timeline.text(timeline.threads[index(timeline.tracks[0].thread)].tid), "2");
}

TEST(LoadFilterTest, HoldsForCompleteSlicesAndInstants) {
  const LoadFilter part{.from = 500, .to = 600};
  TimelineBuilder builder;
  builder.keep_only(part);
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  const StringId name = builder.intern("x");
  TrackWriter& writer = builder.slices(thread);
  writer.complete(500, 0, name, 1);  // of no length: counts where it begins
  writer.complete(600, 10, name, 2);
  writer.complete(100, 400, name, 3);  // ends where the range begins
  writer.complete(0, 1000, name, 4);
  writer.complete_unfinished(590, name, 5);
  builder.instant(thread, 550, name, 6);
  builder.instant(thread, 600, name, 7);
  const Timeline timeline = builder.finish();
  EXPECT_EQ(timeline.slice_count, 3u);
  EXPECT_EQ(timeline.instant_count, 1u);
  EXPECT_EQ(left_out(timeline), 2u);
}

TEST(LoadFilterTest, HoldsForThreadsThatAreReadTwice) {
  const LoadFilter part{.from = 0, .to = 150};
  TimelineBuilder builder;
  builder.keep_only(part);
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  const StringId name = builder.intern("x");
  const auto feed = [&] {
    writer.begin(200, name, 1);
    writer.end(300, kNoName, 2);
    writer.begin(0, name, 3);
    writer.end(100, kNoName, 4);
  };
  feed();
  ASSERT_TRUE(builder.needs_replay());
  builder.begin_replay();
  feed();
  EXPECT_EQ(builder.snapshot().slice_count, 1u);
  const Timeline timeline = builder.finish();
  EXPECT_EQ(timeline.slice_count, 1u);
  EXPECT_EQ(left_out(timeline), 1u);
}

}  // namespace
}  // namespace cinderscope
