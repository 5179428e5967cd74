#include "formats/spall/spall_clock.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace cinderscope::spall {
namespace {

std::int64_t ns_of(double ns_per_tick, std::uint64_t tick, std::uint64_t first_tick = 0) {
  const TickClock clock(ns_per_tick, first_tick);
  bool clamped = false;
  return clock.ns(clock.key(tick, clamped));
}

std::int64_t ns_of_double(double ns_per_tick, double ticks) {
  const DoubleClock clock(ns_per_tick);
  bool clamped = false;
  return clock.ns(clock.key(ticks, clamped));
}

TEST(SpallClockTest, KeepsTicksApartThatADoubleCannot) {
  const std::uint64_t far = (std::uint64_t{1} << 53) + 1;
  EXPECT_EQ(ns_of(1.0, far), static_cast<std::int64_t>(far));
  EXPECT_EQ(ns_of(0.5, 2 * far), static_cast<std::int64_t>(far));
}

TEST(SpallClockTest, RoundsToTheNearestNanosecond) {
  EXPECT_EQ(ns_of(0.25, 5), 1);  // 1.25
  EXPECT_EQ(ns_of(0.25, 6), 2);  // 1.5
  EXPECT_EQ(ns_of(0.001, 1499), 1);
  EXPECT_EQ(ns_of(0.001, 1501), 2);
  EXPECT_EQ(ns_of_double(1000, 0.0015), 2);
  EXPECT_EQ(ns_of_double(1000, -0.0016), -2);
}

TEST(SpallClockTest, KeepsFractionsOfTicks) {
  EXPECT_EQ(ns_of_double(1000, 0.25), 250);
  EXPECT_EQ(ns_of_double(1000, 1e12 + 0.125), 1'000'000'000'000'125);
}

TEST(SpallClockTest, TakesTheUsualUnitAsWholeNanoseconds) {
  EXPECT_EQ(ns_of_double(0.001 * 1000, 1'700'000'000'000'000'000.0), 1'700'000'000'000'000'000);
}

TEST(SpallClockTest, OrdersKeysAsTimes) {
  const DoubleClock clock(1);
  bool clamped = false;
  std::int64_t last = INT64_MIN;
  for (const double ticks : {-1e300, -2.5, -1e-300, 0.0, 5e-324, 1.0, 1.5, 1e18}) {
    const std::int64_t key = clock.key(ticks, clamped);
    EXPECT_GT(key, last) << ticks;
    last = key;
  }
  EXPECT_EQ(clock.key(-0.0, clamped), clock.key(0.0, clamped));
}

TEST(SpallClockTest, KeepsCountersBeyondTheSignBitInOrder) {
  const std::uint64_t half = std::uint64_t{1} << 63;
  const TickClock clock(0.25, half - 1);
  bool clamped = false;
  EXPECT_LT(clock.key(half - 1, clamped), clock.key(half, clamped));
  EXPECT_EQ(clock.ns(clock.key(half + 4, clamped)) - clock.ns(clock.key(half, clamped)), 1);
  EXPECT_FALSE(clamped);
}

TEST(SpallClockTest, ClampsWhatATimelineCannotHold) {
  const std::int64_t most = std::int64_t{1} << 62;
  for (const double unit : {1e-300, 1e-9, 1.0, 1e6, 1e300}) {
    EXPECT_LE(ns_of(unit, UINT64_MAX), most) << unit;
    EXPECT_GE(ns_of(unit, UINT64_MAX), 0) << unit;
    EXPECT_LE(ns_of_double(unit, std::numeric_limits<double>::infinity()), most) << unit;
    EXPECT_GE(ns_of_double(unit, -std::numeric_limits<double>::max()), -most) << unit;
  }
  bool clamped = false;
  TickClock(1e6, 0).key(std::uint64_t{1} << 60, clamped);
  EXPECT_TRUE(clamped);
}

}  // namespace
}  // namespace cinderscope::spall
