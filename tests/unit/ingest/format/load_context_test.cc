#include "ingest/format/load_context.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

constexpr SnapshotRhythm kAtOnce{.first_after_ms = 0};

class LoadContextTest : public testing::Test {
 protected:
  // The bytes done at which a snapshot was handed out.
  std::vector<std::uint64_t> snapshots(LoadContext& context, std::vector<std::uint64_t> ticks) {
    std::vector<std::uint64_t> handed_out;
    std::uint64_t now = 0;
    context.on_snapshot([&](const Timeline&) { handed_out.push_back(now); });
    for (const std::uint64_t done : ticks) {
      now = done;
      context.tick(builder_, done);
    }
    return handed_out;
  }

  TimelineBuilder builder_;
};

TEST_F(LoadContextTest, HandsOutSnapshotsWheneverTheBytesReadHaveDoubled) {
  LoadContext context({.snapshots = kAtOnce});
  EXPECT_EQ(snapshots(context, {1, 2, 3, 4, 5, 7, 8, 15, 100}),
            (std::vector<std::uint64_t>{1, 2, 4, 8, 100}));
}

TEST_F(LoadContextTest, HandsOutNoneBeforeTheFirstIsDue) {
  LoadContext context({.snapshots = {.first_after_ms = INT64_MAX}});
  EXPECT_TRUE(snapshots(context, {1, 2, 4}).empty());
}

TEST_F(LoadContextTest, HandsOutNoneOnceTheyWereForbidden) {
  LoadContext context({.snapshots = kAtOnce});
  int count = 0;
  context.on_snapshot([&](const Timeline&) { ++count; });
  context.no_more_snapshots();
  EXPECT_TRUE(context.tick(builder_, 1));
  EXPECT_EQ(count, 0);
}

TEST_F(LoadContextTest, TellsTheSourceToStopOnceCancelled) {
  LoadContext context;
  EXPECT_TRUE(context.tick(builder_, 1));
  context.cancel();
  EXPECT_FALSE(context.tick(builder_, 2));
  EXPECT_EQ(context.done_bytes(), 2u);
}

TEST_F(LoadContextTest, CountsTheProgressOfSeveralInputsTogether) {
  LoadContext context;
  context.begin_input(100, 50, 30);
  EXPECT_EQ(context.done_bytes(), 100u);
  EXPECT_EQ(context.total_bytes(), 180u);
  context.set_total_bytes(70);  // its true size
  context.tick(builder_, 20);
  EXPECT_EQ(context.done_bytes(), 120u);
  EXPECT_EQ(context.total_bytes(), 200u);
}

TEST_F(LoadContextTest, AReplayChangesNeitherProgressNorPicture) {
  LoadContext context({.snapshots = kAtOnce});
  context.tick(builder_, 50);
  context.begin_replay();
  EXPECT_TRUE(snapshots(context, {1, 100}).empty());
  EXPECT_EQ(context.done_bytes(), 50u);
  context.cancel();
  EXPECT_FALSE(context.tick(builder_, 1));
}

// What a load is told of the machine's memory: less and less.
std::uint64_t g_free_bytes = 0;
std::uint64_t shrinking_memory() {
  return std::exchange(g_free_bytes, 0);
}

class LoadContextMemoryTest : public LoadContextTest {
 protected:
  // Until the load was told to end, or for a while.
  bool ends(LoadContext& context) {
    const auto from = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - from < std::chrono::milliseconds(200)) {
      if (!context.tick(builder_, 1)) return true;
    }
    return false;
  }
};

TEST_F(LoadContextMemoryTest, EndsALoadThatLeavesHardlyAnyMemory) {
  g_free_bytes = std::uint64_t{8} << 30;
  LoadContext context({.free_memory = shrinking_memory});
  EXPECT_TRUE(ends(context));
  EXPECT_TRUE(context.short_of_memory());
  EXPECT_FALSE(context.cancelled());
}

TEST_F(LoadContextMemoryTest, GoesOnWhereThatIsWanted) {
  g_free_bytes = std::uint64_t{8} << 30;
  LoadContext context({.beyond_memory = true, .free_memory = shrinking_memory});
  EXPECT_FALSE(ends(context));
}

// A load that keeps a byte for each that it reads.
std::uint64_t g_own_bytes = 0;

// How many of 1000 bytes were read when columns began to go to disk.
std::uint64_t read_in_memory(std::uint64_t limit_bytes, std::uint64_t total_bytes) {
  LoadContext context(
      {.memory_limit_bytes = limit_bytes, .own_memory = [] { return g_own_bytes; }});
  context.set_total_bytes(total_bytes);
  TimelineBuilder builder;
  for (std::uint64_t done = 0; done <= 1000; done += 10) {
    g_own_bytes = 500 + done;
    context.tick(builder, done);
    if (builder.keeps_columns_on_disk()) return done;
    std::this_thread::sleep_for(std::chrono::milliseconds(25));  // memory is looked at now and then
  }
  return 1000;
}

TEST(LoadContextLimitTest, ColumnsGoToDiskBeforeWhatStaysInMemoryIsTooLarge) {
  EXPECT_EQ(read_in_memory(2000, 1000), 1000u);
  // A seventh of the 800 bytes to come will be kept in memory.
  EXPECT_EQ(read_in_memory(500 + 200 + 800 / 7, 1000), 200u);
  EXPECT_EQ(read_in_memory(500 + 200, 0), 200u);  // how much is to come is not known
}

TEST_F(LoadContextMemoryTest, GoesOnWhereLittleWasFreeFromTheStart) {
  LoadContext context({.free_memory = [] { return std::uint64_t{1} << 20; }});
  EXPECT_FALSE(ends(context));
}

}  // namespace
}  // namespace cinderscope
