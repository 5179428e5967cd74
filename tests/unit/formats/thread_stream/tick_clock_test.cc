#include "formats/thread_stream/tick_clock.h"

#include <gtest/gtest.h>

#include <vector>

namespace cinderscope::thread_stream {
namespace {

TickClock clock_of(const FileHeader& header, const std::vector<ClockSample>& samples) {
  OddityCounts odd;
  return {header, samples, odd};
}

FileHeader ratio(std::uint64_t numerator, std::uint64_t divisor, bool exact = true) {
  FileHeader header;
  header.flags = exact ? kExactRatio : 0;
  header.ns_numerator = numerator;
  header.ns_divisor = divisor;
  return header;
}

TEST(TickClockTest, RoundsDownOnBothSidesOfItsAnchor) {
  const TickClock clock = clock_of(ratio(125, 3), {{.tick = 10, .monotonic_ns = 1000}});
  EXPECT_EQ(clock.ns(10), 1000);
  EXPECT_EQ(clock.ns(11), 1041);
  EXPECT_EQ(clock.ns(13), 1125);
  EXPECT_EQ(clock.ns(9), 958);  // 41.67 before
  EXPECT_EQ(clock.ns(7), 875);
}

TEST(TickClockTest, TheInverseIsAsExactAsDividing) {
  std::uint64_t random = 1;
  const auto next = [&] { return random = random * 6364136223846793005u + 1442695040888963407u; };
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t divisor = (next() >> (2 + i % 60)) + 1;
    const std::uint64_t numerator = next() >> (2 + i % 57);
    const Stretch stretch(0, 0, numerator, divisor);
    for (std::uint64_t tick :
         {next() >> (i % 63), stretch.fast_ticks, stretch.fast_ticks - 1, stretch.fast_ticks / 3}) {
      ASSERT_EQ(stretch.ns(tick), stretch.far_ns(tick))
          << tick << " x " << numerator << " / " << divisor;
    }
  }
}

TEST(TickClockTest, FollowsItsSamplesAndTheirMeanOutside) {
  const TickClock clock = clock_of({}, {{.tick = 1000, .monotonic_ns = 0},
                                        {.tick = 2000, .monotonic_ns = 3000},
                                        {.tick = 3000, .monotonic_ns = 4000}});
  EXPECT_EQ(clock.ns(1001), 3);
  EXPECT_EQ(clock.ns(2000), 3000);
  EXPECT_EQ(clock.ns(2001), 3001);
  EXPECT_EQ(clock.ns(999), -2);
  EXPECT_EQ(clock.ns(3001), 4002);
  ClockInHand hand(clock);
  for (const std::uint64_t tick : {0u, 5000u, 1500u, 1999u, 2000u, 2999u, 3000u, 1u}) {
    EXPECT_EQ(hand.ns(tick), clock.ns(tick)) << tick;
  }
}

TEST(TickClockTest, NothingLeavesTheTimeline) {
  const TickClock clock = clock_of(ratio(UINT64_MAX, 1), {{.tick = UINT64_MAX / 2}});
  EXPECT_EQ(clock.ns(0), -kMostNs);
  EXPECT_EQ(clock.ns(UINT64_MAX), kMostNs);
  const TickClock low = clock_of(ratio(1, 1), {{.tick = 0, .monotonic_ns = INT64_MIN}});
  EXPECT_EQ(low.ns(0), -kMostNs);
  EXPECT_EQ(low.ns(UINT64_MAX), kMostNs);
  const TickClock wide = clock_of({}, {{.tick = 0, .monotonic_ns = INT64_MIN},
                                       {.tick = UINT64_MAX, .monotonic_ns = INT64_MAX}});
  EXPECT_EQ(wide.ns(0), -kMostNs);
  EXPECT_EQ(wide.ns(std::uint64_t{1} << 63), 0);
}

TEST(TickClockTest, SaysWhatIsOdd) {
  OddityCounts odd;
  TickClock({}, {}, odd);
  EXPECT_EQ(odd.of(Oddity::no_clock), 1u);
  const std::vector<ClockSample> uneven = {{.tick = 0, .monotonic_ns = 0},
                                           {.tick = 2'000'000, .monotonic_ns = 2'000'000},
                                           {.tick = 4'000'000, .monotonic_ns = 4'100'000},
                                           {.tick = 4'000'001, .monotonic_ns = 4'200'000}};
  TickClock(FileHeader{}, uneven, odd);
  EXPECT_EQ(odd.of(Oddity::clock_disagrees), 1u);  // the last stretch is too short to tell
  EXPECT_EQ(odd.of(Oddity::no_clock), 1u);
}

}  // namespace
}  // namespace cinderscope::thread_stream
