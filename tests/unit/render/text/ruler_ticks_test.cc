#include "render/text/ruler_ticks.h"

#include <gtest/gtest.h>

#include "ingest/base/time_units.h"
#include "tests/support/time_zone.h"

namespace cinderscope {
namespace {

constexpr std::int64_t kMinuteNs = 60 * kSecondNs;
constexpr std::int64_t kHourNs = 60 * kMinuteNs;
// 2023-11-14 22:13:20 UTC.
constexpr std::int64_t kSomeDayNs = 1'700'000'000 * kSecondNs;

TimestampFormat day_of_ticks(std::int64_t origin_ns) {
  return {.shown = TimeShown::time_of_day, .origin_ns = origin_ns};
}

std::string labels(const Ruler& ruler) {
  std::string text = ruler.base_label;
  for (const RulerTick& tick : ruler.ticks) text += "|" + tick.label;
  return text;
}

TEST(RulerTest, CountsFromARoundBase) {
  Ruler ruler;
  ruler_of(showing(3'200'000'000, 3'260'000'000, 1200), TimestampFormat{}, 200, ruler);
  EXPECT_EQ(labels(ruler), "3.20 s|+0 ms|+10 ms|+20 ms|+30 ms|+40 ms|+50 ms|+60 ms");
  EXPECT_EQ(ruler.step_ns, 10'000'000);
}

TEST(RulerTest, ShowsPlainTimesNearZero) {
  Ruler ruler;
  ruler_of(showing(0, 4'000'000'000, 800), TimestampFormat{}, 200, ruler);
  EXPECT_EQ(labels(ruler), "0 s|0 s|1 s|2 s|3 s|4 s");
}

TEST(RulerTest, DistancesFromWhereTwoTracesLineUpHaveASign) {
  Ruler ruler;
  const TimestampFormat format{.origin_ns = 2'000'000'000, .lined_up = true};
  const Viewport view = showing(0, 4'000'000'000, 800);
  ruler_of(view, format, 200, ruler);
  EXPECT_EQ(labels(ruler), "0 s|-2 s|-1 s|0 s|+1 s|+2 s");
  EXPECT_EQ(relative_text(ruler, view, 3'000'000'000, format), "+1.000 s");
}

TEST(RulerTest, SaysWhoseEventsAreCounted) {
  Ruler ruler;
  const TimestampFormat format{.axis = TimeAxis::events, .threads_apart = true};
  ruler_of(showing(0, 4'000, 800), format, 200, ruler);
  EXPECT_EQ(ruler.base_label, "Event 0");
  EXPECT_EQ(ruler.base_note, "(counted per thread)");
  ruler_of(showing(20'010, 24'000, 800), format, 200, ruler);
  EXPECT_EQ(ruler.base_label, "Event 20 000");
}

TEST(RulerTest, CountsFromTheBeginOfTheTrace) {
  constexpr std::int64_t kOrigin = 1'700'000'000'000'000'123;
  Ruler ruler;
  const Viewport view = showing(kOrigin, kOrigin + 4'000'000'000, 800);
  ruler_of(view, {.origin_ns = kOrigin}, 200, ruler);
  EXPECT_EQ(labels(ruler), "0 s|0 s|1 s|2 s|3 s|4 s");
  EXPECT_EQ(ruler.ticks[1].time_ns, kOrigin + 1'000'000'000);
  EXPECT_EQ(relative_text(ruler, view, kOrigin + 500'000'000, {}), "0.500 s");
}

TEST(RulerTest, ChangesTheUnitBeforeNumbersReachAThousand) {
  Ruler ruler;
  ruler_of(showing(0, 1'800'000'000, 800), TimestampFormat{}, 200, ruler);
  EXPECT_EQ(labels(ruler), "0 s|0.0 s|0.5 s|1.0 s|1.5 s");
  ruler_of(showing(0, 800'000, 800), TimestampFormat{}, 200, ruler);
  EXPECT_EQ(labels(ruler), "0 s|0 µs|200 µs|400 µs|600 µs|800 µs");
}

TEST(RulerTest, StaysWithNanosecondsWhereTheFileWantsThem) {
  Ruler ruler;
  const Viewport view = showing(3'200'000'000, 3'200'400'000, 800);
  ruler_of(view, TimestampFormat{}, 400, ruler, true);
  EXPECT_EQ(labels(ruler), "3 200 000 000 ns|+0 ns|+200 000 ns|+400 000 ns");
  EXPECT_EQ(relative_text(ruler, view, 3'200'001'234, {}), "+1 234 ns");
}

TEST(RulerTest, DividesTheRulerIntoRoundLocalTimes) {
  const WithTimeZone east("XXX-05:30");
  Ruler ruler;
  const Viewport view = showing(kSomeDayNs, kSomeDayNs + 600'000'000'000, 1000);
  ruler_of(view, day_of_ticks(kSomeDayNs), 200, ruler);
  EXPECT_EQ(labels(ruler), "2023-11-15  UTC+05:30|03:44:00|03:46:00|03:48:00|03:50:00|03:52:00");
  EXPECT_EQ(relative_text(ruler, view, kSomeDayNs + 1'500'000'000, {}), "03:43:21");
}

TEST(RulerTest, WritesTenthsOfSecondsOfTheDay) {
  const WithTimeZone utc("UTC0");
  Ruler ruler;
  ruler_of(showing(kSomeDayNs, kSomeDayNs + 2 * kSecondNs, 800), day_of_ticks(kSomeDayNs), 200,
           ruler);
  EXPECT_EQ(labels(ruler),
            "2023-11-14  UTC+00:00|22:13:20.0|22:13:20.5|22:13:21.0|22:13:21.5|22:13:22.0");
  ruler_of(showing(kSomeDayNs + 201'000'000, kSomeDayNs + 203'000'000, 400),
           day_of_ticks(kSomeDayNs), 200, ruler);
  EXPECT_EQ(labels(ruler), "2023-11-14  UTC+00:00|22:13:20.201|22:13:20.202|22:13:20.203");
}

TEST(RulerTest, CountsFromATimeOfDayBelowAMillisecond) {
  const WithTimeZone utc("UTC0");
  Ruler ruler;
  const Viewport view = showing(kSomeDayNs + 201'000, kSomeDayNs + 205'000, 800);
  ruler_of(view, day_of_ticks(kSomeDayNs), 200, ruler);
  EXPECT_EQ(labels(ruler), "22:13:20.000 200|+1 µs|+2 µs|+3 µs|+4 µs|+5 µs");
}

TEST(RulerTest, WritesMinutesAndHoursInLongTraces) {
  Ruler ruler;
  const TimestampFormat format{.unit = ShownUnit::minutes, .origin_ns = kSomeDayNs};
  ruler_of(showing(kSomeDayNs, kSomeDayNs + 2 * kHourNs, 1000), format, 100, ruler);
  EXPECT_EQ(labels(ruler),
            "0 s|0 min|15 min|30 min|45 min|1 h|1 h 15 min|1 h 30 min|1 h 45 min|2 h");
  ruler_of(showing(kSomeDayNs, kSomeDayNs + 44 * kHourNs, 800), format, 100, ruler);
  EXPECT_EQ(labels(ruler), "0 s|0 h|6 h|12 h|18 h|24 h|30 h|36 h|42 h");
  ruler_of(showing(kSomeDayNs + kHourNs, kSomeDayNs + kHourNs + 4 * kMinuteNs, 800), format, 100,
           ruler);
  EXPECT_EQ(labels(ruler),
            "1 h|+0 s|+30 s|+1 min|+1 min 30 s|+2 min|+2 min 30 s|+3 min|+3 min 30 s|+4 min");
}

TEST(RulerTest, CountsFromAMinuteWhereALongTraceIsZoomedInto) {
  Ruler ruler;
  const TimestampFormat format{.unit = ShownUnit::minutes};
  const std::int64_t begin_ns = kHourNs + 2 * kMinuteNs + 5 * kSecondNs;
  const Viewport view = showing(begin_ns, begin_ns + 2 * kSecondNs, 400);
  ruler_of(view, format, 100, ruler);
  EXPECT_EQ(labels(ruler), "1 h 02 min 00 s|+5.0 s|+5.5 s|+6.0 s|+6.5 s|+7.0 s");
  ruler_of(showing(begin_ns, begin_ns + 40'000, 400), format, 100, ruler);
  EXPECT_EQ(labels(ruler), "1 h 02 min 05 s|+0 µs|+10 µs|+20 µs|+30 µs|+40 µs");
}

TEST(RulerTest, TheCursorInALongTraceHasAsManyDigitsAsItsPixels) {
  Ruler ruler;
  const TimestampFormat format{.unit = ShownUnit::minutes};
  const Viewport view = showing(0, 2 * kHourNs, 1000);
  ruler_of(view, format, 100, ruler);
  EXPECT_EQ(relative_text(ruler, view, kHourNs + 123 * kSecondNs, format), "1 h 02 min 03 s");
  EXPECT_EQ(relative_text(ruler, view, 5 * kSecondNs, format), "5 s");
}

TEST(RulerTest, TheHeadUsesTheUnitOfTheTraceInGroups) {
  Ruler ruler;
  ruler_of(showing(122'900, 122'990, 900), {.unit = ShownUnit::microseconds}, 100, ruler);
  EXPECT_EQ(ruler.base_label, "122.90 µs");
  ruler_of(showing(236'175'100, 236'175'190, 900), {.unit = ShownUnit::seconds}, 100, ruler);
  EXPECT_EQ(ruler.base_label, "0.236 175 100 s");
}

TEST(RulerTest, DigitsAndUnitAreDecidedApart) {
  Ruler ruler;
  const TimestampFormat format{.unit = ShownUnit::seconds, .all_digits = true};
  const Viewport view = showing(0, 4 * kSecondNs, 800);
  ruler_of(view, format, 200, ruler);
  EXPECT_EQ(labels(ruler), "0 s|0 s|1 s|2 s|3 s|4 s");
  EXPECT_EQ(relative_text(ruler, view, 1'500'000'000, format), "1.500 000 000 s");
}

TEST(RulerTest, TheHeadSaysWhatAClickDoes) {
  Timeline timeline;
  timeline.begin_ns = kSomeDayNs;
  timeline.end_ns = kSomeDayNs + 5 * kSecondNs;
  const WithTimeZone utc("UTC0");
  TimelineState state;
  Ruler ruler;
  const Viewport view = showing(kSomeDayNs + 2 * kSecondNs, kSomeDayNs + 2 * kSecondNs + 1000, 400);
  TimestampFormat format = timestamp_format(timeline, state);
  ruler_of(view, format, 100, ruler);
  EXPECT_EQ(ruler_head_help(timeline, ruler, format),
            "Ruler starts at 2.000 000 s from the start of the trace. Click: file clock, time of "
            "day");
  state.time_shown = TimeShown::time_of_day;
  format = timestamp_format(timeline, state);
  ruler_of(fitted({timeline.begin_ns, timeline.end_ns}, 400), format, 100, ruler);
  EXPECT_EQ(ruler_head_help(timeline, ruler, format),
            "Times of day, 2023-11-14, UTC+00:00. Click: from start, file clock");
}

TEST(RulerTest, MarksTheNextDay) {
  const WithTimeZone utc("UTC0");
  Ruler ruler;
  const Viewport view = showing(kSomeDayNs, kSomeDayNs + 4 * 3600'000'000'000, 400);
  ruler_of(view, day_of_ticks(kSomeDayNs), 100, ruler);
  EXPECT_EQ(labels(ruler), "2023-11-14  UTC+00:00|23:00:00|2023-11-15|01:00:00|02:00:00");
}

TEST(RulerTest, KeepsTimesOfDayApartAtEveryZoom) {
  Ruler ruler;
  for (double span = 90; span < 4e18; span *= 1.7) {
    const Viewport view = showing(kSomeDayNs, kSomeDayNs + static_cast<std::int64_t>(span), 1800);
    ruler_of(view, day_of_ticks(kSomeDayNs), 100, ruler);
    ASSERT_FALSE(ruler.ticks.empty()) << span;
    EXPECT_LE(ruler.ticks.size(), 20u) << span;
  }
}

TEST(RulerTest, ShowsTheClockOfTheFile) {
  Ruler ruler;
  ruler_of(showing(kSomeDayNs + 1'000'000, kSomeDayNs + 1'400'000, 800),
           {.shown = TimeShown::clock, .origin_ns = kSomeDayNs}, 200, ruler);
  EXPECT_EQ(labels(ruler), "1 700 000 000.001 000 s|+0 µs|+100 µs|+200 µs|+300 µs|+400 µs");
}

TEST(RulerTest, CountsEvents) {
  Ruler ruler;
  ruler_of(showing(0, 400, 800), {.axis = TimeAxis::events}, 200, ruler);
  EXPECT_EQ(labels(ruler), "Event 0|0|100|200|300|400");
}

// As boxes write what they are wide.
TEST(RulerTest, CountsWeightsInTheUnitsOfTheirWords) {
  Ruler ruler;
  const TimestampFormat bytes{.axis = {"bytes", 1}};
  ruler_of(showing(0, 4'000'000, 800), bytes, 200, ruler);
  EXPECT_EQ(labels(ruler), "0 MB|0 MB|1 MB|2 MB|3 MB|4 MB");
  const Viewport view = showing(8'520'100, 8'520'900, 800);
  ruler_of(view, bytes, 200, ruler);
  EXPECT_EQ(labels(ruler), "8 520 000 bytes|+200 bytes|+400 bytes|+600 bytes|+800 bytes");
  EXPECT_EQ(relative_text(ruler, view, 8'520'123, bytes), "+123 bytes");
  ruler_of(showing(8'500'000, 8'600'000, 800), bytes, 200, ruler);
  EXPECT_EQ(labels(ruler), "8 500 kB|+0 kB|+50 kB|+100 kB");
  const TimestampFormat sums{.axis = {"nanoseconds", 1}};
  const Viewport wide = showing(0, 2'000'000'000, 800);
  ruler_of(wide, sums, 200, ruler);
  EXPECT_EQ(labels(ruler), "0.0 s|0.0 s|0.5 s|1.0 s|1.5 s|2.0 s");
  EXPECT_EQ(relative_text(ruler, wide, 1'234'567'890, sums), "1.234 s");
  const TimestampFormat thousandths{.axis = {"bytes", 1000}};
  ruler_of(showing(0, 4'000'000, 800), thousandths, 200, ruler);
  EXPECT_EQ(labels(ruler), "0 kB|0 kB|1 kB|2 kB|3 kB|4 kB");
  const TimestampFormat samples{.axis = {"samples", 1}};
  ruler_of(showing(0, 4'000'000, 800), samples, 200, ruler);
  EXPECT_EQ(labels(ruler), "0 samples|0|1 000 000|2 000 000|3 000 000|4 000 000");
}

TEST(RulerTest, KeepsStepsApartAtEveryZoom) {
  Ruler ruler;
  for (const ShownUnit unit : {ShownUnit::seconds, ShownUnit::minutes})
    for (double span = 90; span < 4e18; span *= 1.7) {
      const auto length = static_cast<std::int64_t>(span);
      const Viewport view = showing(-length / 3, length - length / 3, 1800);
      ruler_of(view, {.unit = unit}, 100, ruler);
      ASSERT_FALSE(ruler.ticks.empty()) << span;
      EXPECT_LE(ruler.ticks.size(), 20u) << span;
      EXPECT_GE(static_cast<double>(ruler.step_ns) / view.ns_per_px, 99.9) << span;
    }
}

TEST(RulerTest, TellsTimesRelativeToItsBase) {
  Ruler ruler;
  const Viewport view = showing(3'200'000'000, 3'260'000'000, 1200);
  ruler_of(view, TimestampFormat{}, 200, ruler);
  EXPECT_EQ(relative_text(ruler, view, 3'231'482'000, {}), "+31.482 ms");
}

}  // namespace
}  // namespace cinderscope
