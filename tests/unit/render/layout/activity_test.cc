#include "render/layout/activity.h"

#include <gtest/gtest.h>

#include <numeric>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

std::vector<std::uint32_t> all_of(const Timeline& timeline) {
  std::vector<std::uint32_t> tracks(timeline.tracks.size());
  std::iota(tracks.begin(), tracks.end(), 0u);
  return tracks;
}

TEST(ActivityTest, AddsUpTracksByColumn) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  const StringId name = builder.intern("f");
  builder.slices(builder.thread(process, "1")).complete(0, 50, name, 1);
  builder.slices(builder.thread(process, "2")).complete(50, 25, name, 2);
  // Busy on its second row alone.
  const AsyncTrackId async = builder.async_track(process, builder.intern("load"));
  builder.async_group(async, {{{75, 5, name}, 0}});
  builder.async_group(async, {{{76, 14, name}, 0}});
  const Timeline timeline = builder.finish();
  std::vector<float> covered(10, 0);
  add_activity(timeline, all_of(timeline), kReadClosely, showing(0, 100, 10), covered);
  const std::vector<std::uint8_t> busy = busy_bytes(covered);
  EXPECT_NEAR(busy[4], 255, 1);
  EXPECT_NEAR(busy[5], 255, 1);
  EXPECT_NEAR(busy[7], 255, 1);  // half by the second thread, half by the async slices
  EXPECT_NEAR(busy[8], 255, 1);
  EXPECT_EQ(busy[9], 0);
  EXPECT_DOUBLE_EQ(busy_ns_of(timeline.tracks[0]), 50);
}

// Of very many tracks only some are read closely; none is left out.
TEST(ActivityTest, LeavesNoneOfVeryManyOut) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  const StringId name = builder.intern("f");
  constexpr int kMany = 5000;
  for (int i = 0; i < kMany; ++i) {
    builder.slices(builder.thread(process, std::to_string(i))).complete(i, 1, name, 1);
  }
  const Timeline timeline = builder.finish();
  std::vector<float> covered(50, 0);
  add_activity(timeline, all_of(timeline), kReadClosely, showing(0, kMany, 50), covered);
  // What is read closely is known to 1/255 of a column, rounded down: here 2 of 2.55.
  for (const float share : covered) EXPECT_NEAR(share, 1, 0.22);
}

TEST(ActivityTest, AnyActivityCanBeSeen) {
  const std::vector<float> covered{0, 1e-4f, 0.5f, 7};
  EXPECT_EQ(busy_bytes(covered), (std::vector<std::uint8_t>{0, 1, 127, 255}));
}

}  // namespace
}  // namespace cinderscope
