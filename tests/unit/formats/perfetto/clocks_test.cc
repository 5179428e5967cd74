#include "formats/perfetto/state/clocks.h"

#include <gtest/gtest.h>

namespace cinderscope::perfetto {
namespace {

std::int64_t shown(const Clocks& clocks, ClockKey clock, std::int64_t ns) {
  const ClockOffset offset = clocks.offset(clock, ns);
  EXPECT_TRUE(offset.holds(ns));
  return ns + offset.add_ns;
}

TEST(PerfettoClocksTest, ShowsThePrimaryClockElseBootElseMonotonicElseTheLowest) {
  Clocks told, boot, monotonic, lowest;
  told.add({{{.clock = 6, .ns = 1}, {.clock = 1, .ns = 1}}, 1}, 0);
  boot.add({{{.clock = 3, .ns = 1}}, 0}, 0);
  boot.add({{{.clock = 6, .ns = 1}}, 0}, 0);
  monotonic.add({{{.clock = 9, .ns = 1}, {.clock = 3, .ns = 1}}, 0}, 0);
  lowest.add({{{.clock = 200, .ns = 1}, {.clock = 9, .ns = 1}}, 0}, 0);
  for (Clocks* clocks : {&told, &boot, &monotonic, &lowest}) clocks->find_ways();
  EXPECT_EQ(told.shown(), 1u);
  EXPECT_EQ(boot.shown(), 6u);
  EXPECT_EQ(monotonic.shown(), 3u);
  EXPECT_EQ(lowest.shown(), 9u);
}

TEST(PerfettoClocksTest, TakesTheLastReadingAtOrBeforeATime) {
  Clocks clocks;
  clocks.add({{{.clock = 6, .ns = 1000}, {.clock = 3, .ns = 100}}, 0}, 0);
  clocks.add({{{.clock = 6, .ns = 2000}, {.clock = 3, .ns = 200}}, 0}, 0);
  clocks.find_ways();
  EXPECT_EQ(shown(clocks, 3, 50), 950);
  EXPECT_EQ(shown(clocks, 3, 199), 1099);
  EXPECT_EQ(shown(clocks, 3, 200), 2000);
  EXPECT_EQ(shown(clocks, 3, 900), 2700);
}

TEST(PerfettoClocksTest, GoesTheShortestWayOverOtherClocks) {
  Clocks clocks;
  clocks.add({{{.clock = 64, .ns = 5}, {.clock = 3, .ns = 105}}, 0}, 7);
  clocks.add({{{.clock = 3, .ns = 100}, {.clock = 6, .ns = 1100}}, 0}, 0);
  clocks.find_ways();
  EXPECT_EQ(shown(clocks, clock_key(64, 7), 6), 1106);
  EXPECT_FALSE(clocks.has_way(clock_key(64, 8)));  // another sequence's
  EXPECT_FALSE(clocks.has_way(5));
}

TEST(PerfettoClocksTest, TheWayOverOtherClocksHasAnEnd) {
  Clocks clocks;
  clocks.add({{{.clock = 6, .ns = 1}, {.clock = 128, .ns = 1}}, 0}, 0);
  for (std::uint64_t clock = 128; clock < 1000; ++clock) {
    clocks.add({{{.clock = clock, .ns = 1}, {.clock = clock + 1, .ns = 2}}, 0}, 0);
  }
  clocks.find_ways();
  EXPECT_EQ(shown(clocks, 130, 10), 8);
  EXPECT_TRUE(clocks.has_way(150));
  EXPECT_FALSE(clocks.has_way(200));
}

TEST(PerfettoClocksTest, AClockThatWasSetBackIsNoSource) {
  Clocks clocks;
  clocks.add({{{.clock = 6, .ns = 10}, {.clock = 1, .ns = 500}}, 0}, 0);
  clocks.add({{{.clock = 6, .ns = 20}, {.clock = 1, .ns = 400}}, 0}, 0);
  clocks.find_ways();
  EXPECT_FALSE(clocks.has_way(1));
}

TEST(PerfettoClocksTest, ClocksThatStepBackTogetherAreThoseOfAnotherRecording) {
  Clocks clocks;
  for (int recording = 0; recording < 2; ++recording) {
    clocks.add({{{.clock = 6, .ns = 10}, {.clock = 3, .ns = 5}}, 0}, 0);
    clocks.add({{{.clock = 6, .ns = 20}, {.clock = 3, .ns = 15}}, 0}, 0);
  }
  clocks.find_ways();
  EXPECT_TRUE(clocks.has_way(3));
  EXPECT_EQ(shown(clocks, 3, 7), 12);
}

}  // namespace
}  // namespace cinderscope::perfetto
