#include "render/text/time_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <ctime>

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
  EXPECT_EQ(timestamp_text(0), "0.000 000 s");
  EXPECT_EQ(timestamp_text(36'001), "0.000 036 001 s");
  EXPECT_EQ(timestamp_text(3'285'469'000), "3.285 469 s");
  EXPECT_EQ(timestamp_text(-1), "-0.000 000 001 s");
  EXPECT_EQ(timestamp_text(1700, 1000, TimeAxis::events), "700");
  EXPECT_EQ(timestamp_text(INT64_MIN, 1, TimeAxis::nanoseconds), timestamp_text(INT64_MIN));
}

TEST(TimeTextTest, CountsEventsWithoutAUnit) {
  EXPECT_EQ(duration_text(std::int64_t{1'250'000}, TimeAxis::events), "1 250 000");
  EXPECT_EQ(exact_text(-98'212, TimeAxis::events), "-98 212");
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(1000), "1 000");
}

// 2023-11-14 22:13:20 UTC.
constexpr std::int64_t kIn2023Ns = 1'700'000'000'000'000'000;

// Runs with a time zone of its own; times of day are local.
class DayTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* before = std::getenv("TZ");
    if (before != nullptr) before_ = before;
    in_zone("UTC0");
  }
  void TearDown() override { in_zone(before_.c_str()); }
  static void in_zone(const char* zone) {
    if (*zone == 0) {
      unsetenv("TZ");
    } else {
      setenv("TZ", zone, 1);
    }
    tzset();
  }
  static TimestampFormat day_from(std::int64_t origin_ns) {
    return {.shown = TimeShown::time_of_day, .origin_ns = origin_ns};
  }

 private:
  std::string before_;
};

TEST(PlaceFormatTest, WritesPlacesFromTheStartOrAsInTheFile) {
  TimestampFormat format{.origin_ns = kIn2023Ns};
  EXPECT_EQ(timestamp_text(kIn2023Ns + 3'285'469'000, format), "3.285 469 s");
  format.shown = TimeShown::clock;
  EXPECT_EQ(timestamp_text(kIn2023Ns + 3'285'469'000, format), "1 700 000 003.285 469 s");
  format.axis = TimeAxis::events;
  format.origin_ns = 10;
  EXPECT_EQ(timestamp_text(1710, format), "1 700");
}

TEST(PlaceFormatTest, SaysWhyATraceHasNoTimeOfDay) {
  Timeline timeline;
  TimelineState state;
  state.time_shown = TimeShown::time_of_day;
  timeline.begin_ns = 5'000'000'000;  // since the machine was started
  EXPECT_NE(why_not_shown(timeline, TimeShown::time_of_day), "");
  EXPECT_EQ(why_not_shown(timeline, TimeShown::clock), "");
  EXPECT_EQ(timestamp_format(timeline, state).shown, TimeShown::from_start);
  timeline.begin_ns = kIn2023Ns;
  EXPECT_EQ(why_not_shown(timeline, TimeShown::time_of_day), "");
  EXPECT_EQ(timestamp_format(timeline, state).shown, TimeShown::time_of_day);
  EXPECT_EQ(next_shown(timeline, TimeShown::clock), TimeShown::time_of_day);
  EXPECT_EQ(next_shown(timeline, TimeShown::time_of_day), TimeShown::from_start);
  timeline.begin_ns = 5'000'000'000;
  EXPECT_EQ(next_shown(timeline, TimeShown::from_start), TimeShown::clock);
  EXPECT_EQ(next_shown(timeline, TimeShown::clock), TimeShown::from_start);
  timeline.axis = TimeAxis::events;
  EXPECT_NE(why_not_shown(timeline, TimeShown::clock), "");
}

TEST_F(DayTest, WritesTimesOfDayWithTheDateOnOtherDays) {
  const TimestampFormat format = day_from(kIn2023Ns);
  EXPECT_EQ(timestamp_text(kIn2023Ns + 1'500'000, format), "22:13:20.001 500");
  EXPECT_EQ(timestamp_text(kIn2023Ns + 1, format), "22:13:20.000 000 001");
  EXPECT_EQ(timestamp_text(kIn2023Ns + 7'200'000'000'000, format), "2023-11-15 00:13:20.000 000");
  EXPECT_EQ(timestamp_text(-1, format), "1969-12-31 23:59:59.999 999 999");
  EXPECT_NE(timestamp_text(INT64_MIN, format), timestamp_text(INT64_MAX, format));
}

TEST_F(DayTest, TellsTheTimeOfTheZone) {
  in_zone("XXX-05:30");  // east of Greenwich
  EXPECT_EQ(timestamp_text(kIn2023Ns, day_from(kIn2023Ns)), "03:43:20.000 000");
  EXPECT_EQ(shown_text(day_from(kIn2023Ns)), "as time of day, UTC+05:30");
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

TEST(RulerTest, SaysWhoseEventsAreCounted) {
  Ruler ruler;
  const TimestampFormat format{.axis = TimeAxis::events, .threads_apart = true};
  ruler_of(showing(0, 4'000, 800), format, 200, ruler);
  EXPECT_EQ(ruler.base_label, "thread's event 0");
  ruler_of(showing(20'010, 24'000, 800), format, 200, ruler);
  EXPECT_EQ(ruler.base_label, "thread's event 20 000");
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

TEST_F(DayTest, DividesTheRulerIntoRoundLocalTimes) {
  in_zone("XXX-05:30");
  Ruler ruler;
  const Viewport view = showing(kIn2023Ns, kIn2023Ns + 600'000'000'000, 1000);
  ruler_of(view, day_from(kIn2023Ns), 200, ruler);
  EXPECT_EQ(labels(ruler), "2023-11-15|03:44:00|03:46:00|03:48:00|03:50:00|03:52:00");
  EXPECT_EQ(relative_text(ruler, view, kIn2023Ns + 1'500'000'000, TimeAxis::nanoseconds),
            "03:43:21.500");
}

TEST_F(DayTest, CountsFromATimeOfDayBelowASecond) {
  Ruler ruler;
  const Viewport view = showing(kIn2023Ns + 201'000'000, kIn2023Ns + 205'000'000, 800);
  ruler_of(view, day_from(kIn2023Ns), 200, ruler);
  EXPECT_EQ(labels(ruler), "22:13:20.200|+1 ms|+2 ms|+3 ms|+4 ms|+5 ms");
}

TEST_F(DayTest, MarksTheNextDayOnTheRuler) {
  Ruler ruler;
  const Viewport view = showing(kIn2023Ns, kIn2023Ns + 4 * 3600'000'000'000, 400);
  ruler_of(view, day_from(kIn2023Ns), 100, ruler);
  EXPECT_EQ(labels(ruler), "2023-11-14|23:00:00|2023-11-15|01:00:00|02:00:00");
}

TEST_F(DayTest, KeepsItsTicksApartAtEveryZoom) {
  Ruler ruler;
  for (double span = 90; span < 4e18; span *= 1.7) {
    const Viewport view = showing(kIn2023Ns, kIn2023Ns + static_cast<std::int64_t>(span), 1800);
    ruler_of(view, day_from(kIn2023Ns), 100, ruler);
    ASSERT_FALSE(ruler.ticks.empty()) << span;
    EXPECT_LE(ruler.ticks.size(), 20u) << span;
  }
}

TEST(RulerTest, ShowsTheClockOfTheFile) {
  Ruler ruler;
  ruler_of(showing(kIn2023Ns + 1'000'000, kIn2023Ns + 1'400'000, 800),
           {.shown = TimeShown::clock, .origin_ns = kIn2023Ns}, 200, ruler);
  EXPECT_EQ(labels(ruler), "1 700 000 000.0010 s|+0 µs|+100 µs|+200 µs|+300 µs|+400 µs");
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
