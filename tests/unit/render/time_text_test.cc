#include "render/time_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cinderscope {
namespace {

TEST(TimeTextTest, ShortensDurationsToFiveDigits) {
  EXPECT_EQ(duration_text(std::int64_t{0}), "0 ns");
  EXPECT_EQ(duration_text(std::int64_t{412}), "412 ns");
  EXPECT_EQ(duration_text(std::int64_t{1'250}), "1.25 µs");
  EXPECT_EQ(duration_text(std::int64_t{412'000}), "412.0 µs");
  EXPECT_EQ(duration_text(std::int64_t{1'250'000}), "1.25 ms");
  EXPECT_EQ(duration_text(std::int64_t{15'680'000}), "15.68 ms");
  EXPECT_EQ(duration_text(std::int64_t{124'800'000}), "124.8 ms");
  EXPECT_EQ(duration_text(std::int64_t{4'469'556'000}), "4.47 s");
  EXPECT_EQ(duration_text(std::int64_t{3'600'500'000'000}), "3 600.5 s");
  EXPECT_EQ(duration_text(std::int64_t{-1'250'000}), "-1.25 ms");
}

TEST(TimeTextTest, TakesTheNextUnitWhenRoundingReachesIt) {
  EXPECT_EQ(duration_text(std::int64_t{999}), "999 ns");
  EXPECT_EQ(duration_text(std::int64_t{999'999}), "1.00 ms");
  EXPECT_EQ(duration_text(std::int64_t{99'996}), "100.0 µs");
}

TEST(TimeTextTest, TellsVeryLongTimesInHours) {
  EXPECT_EQ(duration_text(std::int64_t{360'000'000'000'000}), "100.0 h");
  EXPECT_NE(duration_text(INT64_MAX), "");
  EXPECT_NE(duration_text(INT64_MIN), "");
}

TEST(TimeTextTest, TellsFractionsOfNanoseconds) {
  EXPECT_EQ(duration_text(0.25), "0.25 ns");
  EXPECT_EQ(duration_text(std::nan("")), "–");
}

TEST(TimeTextTest, KeepsAllDigitsInThinGroups) {
  EXPECT_EQ(exact_text(3'280'000'000), "3.280 000 s");
  EXPECT_EQ(exact_text(3'285'469'001), "3.285 469 001 s");
  EXPECT_EQ(exact_text(60'000'000), "60.000 ms");
  EXPECT_EQ(exact_text(412'000), "412 µs");
  EXPECT_EQ(exact_text(412'003), "412.003 µs");
  EXPECT_EQ(exact_text(7), "7 ns");
  EXPECT_EQ(exact_text(1'700'000'000'000'000'123), "1 700 000 000.000 000 123 s");
  EXPECT_EQ(exact_text(-1'000'000), "-1.000 ms");
}

TEST(TimeTextTest, TellsPlacesInSecondsSoThatTheyCompare) {
  EXPECT_EQ(place_text(0), "0.000 000 s");
  EXPECT_EQ(place_text(36'001), "0.000 036 001 s");
  EXPECT_EQ(place_text(3'285'469'000), "3.285 469 s");
  EXPECT_EQ(place_text(-1), "-0.000 000 001 s");
  EXPECT_EQ(place_text(1700, 1000, TimeAxis::events), "700");
  EXPECT_EQ(place_text(INT64_MIN, 1, TimeAxis::nanoseconds), place_text(INT64_MIN));
}

TEST(TimeTextTest, CountsEventsWithoutAUnit) {
  EXPECT_EQ(duration_text(std::int64_t{1'250'000}, TimeAxis::events), "1 250 000");
  EXPECT_EQ(exact_text(-98'212, TimeAxis::events), "-98 212");
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(1000), "1 000");
}

TEST(TimeTextTest, WritesCounterValuesShortly) {
  EXPECT_EQ(number_text(12'345), "12 345");
  EXPECT_EQ(number_text(0.0125), "0.0125");
  EXPECT_EQ(number_text(-3), "-3");
  EXPECT_EQ(number_text(1.25e9), "1.25e+09");
}

std::string labels(const Ruler& ruler) {
  std::string text = ruler.base_label;
  for (const RulerTick& tick : ruler.ticks) text += "|" + tick.label;
  return text;
}

TEST(RulerTest, CountsFromARoundBase) {
  Ruler ruler;
  ruler_of(showing(3'200'000'000, 3'260'000'000, 1200), TimeAxis::nanoseconds, 200, ruler);
  EXPECT_EQ(labels(ruler), "3.20 s|+0 ms|+10 ms|+20 ms|+30 ms|+40 ms|+50 ms|+60 ms");
  EXPECT_EQ(ruler.step_ns, 10'000'000);
}

TEST(RulerTest, ShowsPlainTimesNearZero) {
  Ruler ruler;
  ruler_of(showing(0, 4'000'000'000, 800), TimeAxis::nanoseconds, 200, ruler);
  EXPECT_EQ(labels(ruler), "0 s|0 s|1 s|2 s|3 s|4 s");
}

TEST(RulerTest, CountsFromTheBeginOfTheTrace) {
  constexpr std::int64_t kOrigin = 1'700'000'000'000'000'123;
  Ruler ruler;
  const Viewport view = showing(kOrigin, kOrigin + 4'000'000'000, 800);
  ruler_of(view, TimeAxis::nanoseconds, 200, ruler, kOrigin);
  EXPECT_EQ(labels(ruler), "0 s|0 s|1 s|2 s|3 s|4 s");
  EXPECT_EQ(ruler.ticks[1].time_ns, kOrigin + 1'000'000'000);
  EXPECT_EQ(relative_text(ruler, view, kOrigin + 500'000'000, TimeAxis::nanoseconds), "0.500 s");
}

TEST(RulerTest, ChangesTheUnitBeforeNumbersReachAThousand) {
  Ruler ruler;
  ruler_of(showing(0, 1'800'000'000, 800), TimeAxis::nanoseconds, 200, ruler);
  EXPECT_EQ(labels(ruler), "0 s|0.0 s|0.5 s|1.0 s|1.5 s");
  ruler_of(showing(0, 800'000, 800), TimeAxis::nanoseconds, 200, ruler);
  EXPECT_EQ(labels(ruler), "0 s|0 µs|200 µs|400 µs|600 µs|800 µs");
}

TEST(RulerTest, StaysWithNanosecondsWhereTheFileWantsThem) {
  Ruler ruler;
  const Viewport view = showing(3'200'000'000, 3'200'400'000, 800);
  ruler_of(view, TimeAxis::nanoseconds, 400, ruler, 0, true);
  EXPECT_EQ(labels(ruler), "3 200 000 000 ns|+0 ns|+200 000 ns|+400 000 ns");
  EXPECT_EQ(relative_text(ruler, view, 3'200'001'234, TimeAxis::nanoseconds), "+1 234 ns");
}

TEST(RulerTest, CountsEvents) {
  Ruler ruler;
  ruler_of(showing(0, 400, 800), TimeAxis::events, 200, ruler);
  EXPECT_EQ(labels(ruler), "0 events|0|100|200|300|400");
}

TEST(RulerTest, KeepsStepsApartAtEveryZoom) {
  Ruler ruler;
  for (double span = 90; span < 4e18; span *= 1.7) {
    const auto length = static_cast<std::int64_t>(span);
    const Viewport view = showing(-length / 3, length - length / 3, 1800);
    ruler_of(view, TimeAxis::nanoseconds, 100, ruler);
    ASSERT_FALSE(ruler.ticks.empty()) << span;
    EXPECT_LE(ruler.ticks.size(), 20u) << span;
    EXPECT_GE(static_cast<double>(ruler.step_ns) / view.ns_per_px, 99.9) << span;
  }
}

TEST(RulerTest, TellsTimesRelativeToItsBase) {
  Ruler ruler;
  const Viewport view = showing(3'200'000'000, 3'260'000'000, 1200);
  ruler_of(view, TimeAxis::nanoseconds, 200, ruler);
  EXPECT_EQ(relative_text(ruler, view, 3'231'482'000, TimeAxis::nanoseconds), "+31.482 ms");
}

}  // namespace
}  // namespace cinderscope
