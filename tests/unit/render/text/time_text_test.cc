#include "render/text/time_text.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/time_zone.h"

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
  EXPECT_EQ(duration_text(std::int64_t{59'990'000'000}), "59.99 s");
  EXPECT_EQ(duration_text(std::int64_t{-1'250'000}), "-1.25 ms");
}

TEST(TimeTextTest, TakesTheNextUnitWhenRoundingReachesIt) {
  EXPECT_EQ(duration_text(std::int64_t{999}), "999 ns");
  EXPECT_EQ(duration_text(std::int64_t{999'999}), "1.00 ms");
  EXPECT_EQ(duration_text(std::int64_t{99'996}), "100.0 µs");
}

TEST(TimeTextTest, TellsLongTimesInMinutesAndHours) {
  EXPECT_EQ(duration_text(std::int64_t{59'996'000'000}), "1 min 00.0 s");
  EXPECT_EQ(duration_text(std::int64_t{75'240'000'000}), "1 min 15.2 s");
  EXPECT_EQ(duration_text(std::int64_t{599'960'000'000}), "10 min 00 s");
  EXPECT_EQ(duration_text(std::int64_t{725'000'000'000}), "12 min 05 s");
  EXPECT_EQ(duration_text(std::int64_t{3'599'700'000'000}), "1 h 00 min");
  EXPECT_EQ(duration_text(std::int64_t{3'725'000'000'000}), "1 h 02 min");
  EXPECT_EQ(duration_text(std::int64_t{27'000'000'000'000}), "7 h 30 min");
  EXPECT_EQ(duration_text(std::int64_t{360'000'000'000'000}), "100 h");
  EXPECT_EQ(duration_text(std::int64_t{-75'240'000'000}), "-1 min 15.2 s");
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
  EXPECT_EQ(exact_text(62'000'000'000), "1 min 02 s");
  EXPECT_EQ(exact_text(3'725'250'000'001), "1 h 02 min 05.250 000 001 s");
  EXPECT_EQ(exact_text(-1'000'000), "-1.000 ms");
}

// From the start of a trace of that length.
std::string since_start(std::int64_t ns, std::int64_t length_ns) {
  Timeline timeline;
  timeline.begin_ns = 1'700'000'000'000'000'000;
  timeline.end_ns = timeline.begin_ns + length_ns;
  return timestamp_text(timeline.begin_ns + ns, timestamp_format(timeline, {}));
}

TEST(TimeTextTest, TimesOfATraceShareTheUnitOfItsLength) {
  EXPECT_EQ(since_start(0, 5'000'000'000), "0.000 000 s");
  EXPECT_EQ(since_start(36'001, 5'000'000'000), "0.000 036 001 s");
  EXPECT_EQ(since_start(3'285'469'000, 5'000'000'000), "3.285 469 s");
  EXPECT_EQ(since_start(-1, 5'000'000'000), "-0.000 000 001 s");
  EXPECT_EQ(since_start(8'447, 294'500), "8.447 µs");
  EXPECT_EQ(since_start(122'900, 294'500), "122.900 µs");
  EXPECT_EQ(since_start(36'001, 20'000'000), "0.036 001 ms");
  EXPECT_EQ(since_start(7, 900), "7 ns");
  EXPECT_EQ(since_start(30'500'000'000, 7'200'000'000'000), "30.500 s");
  EXPECT_EQ(since_start(3'725'250'000'000, 7'200'000'000'000), "1 h 02 min 05.250 s");
}

TEST(TimeTextTest, AFileMayAskForAllDigits) {
  const TimestampFormat format{.all_digits = true};
  EXPECT_EQ(timestamp_text(3'285'469'000, format), "3.285 469 000 s");
}

TEST(TimeTextTest, DurationsOfAColumnShareAUnit) {
  const auto in_column = [](std::int64_t ns, std::int64_t longest_ns) {
    return duration_text(ns, longest_ns, TimeAxis::nanoseconds);
  };
  EXPECT_EQ(in_column(12'500'000, 40'000'000), "12.500 ms");
  EXPECT_EQ(in_column(412, 40'000'000), "0.000 412 ms");
  EXPECT_EQ(in_column(3'003'000, 40'000'000), "3.003 ms");
  EXPECT_EQ(in_column(12, 40'000'000'000), "0.000 000 012 s");
  EXPECT_EQ(in_column(0, 40'000'000), "0.000 ms");
  EXPECT_EQ(in_column(108'000'000'000'000, 108'000'000'000'000), "30 h 00 min");
  EXPECT_EQ(in_column(27'000'000'000'000, 108'000'000'000'000), "7 h 30 min");
  EXPECT_EQ(in_column(2'500'000'000, 108'000'000'000'000), "2.500 s");
  EXPECT_EQ(in_column(999, 999), "999 ns");
  EXPECT_EQ(duration_text(1200, 4000, TimeAxis::events), "1 200");
}

TEST(TimeTextTest, SaysFromWhereATimeCounts) {
  TimestampFormat format{.unit = ShownUnit::microseconds, .origin_ns = 1'000'000};
  EXPECT_EQ(place_text(1'008'447, format), "at 8.447 µs from start");
  format.lined_up = true;
  EXPECT_EQ(place_text(1'008'447, format), "at 8.447 µs from where they line up");
  format.shown = TimeShown::clock;
  EXPECT_EQ(place_text(1'008'447, format), "at 1 008.447 µs of file clock");
  format.axis = TimeAxis::events;
  EXPECT_EQ(place_text(1'000'010, format), "event 10");
}

TEST(TimeTextTest, CountsEventsWithoutAUnit) {
  EXPECT_EQ(duration_text(std::int64_t{1'250'000}, TimeAxis::events), "1 250 000");
  EXPECT_EQ(exact_text(-98'212, TimeAxis::events), "-98 212");
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(1000), "1 000");
}

TEST(TimeTextTest, ALengthThatStandsAloneSaysThatItCountsEvents) {
  EXPECT_EQ(length_text(1, TimeAxis::events), "1 event");
  EXPECT_EQ(length_text(1200, TimeAxis::events), "1 200 events");
  EXPECT_EQ(exact_length_text(0, TimeAxis::events), "0 events");
  EXPECT_EQ(length_text(1200, TimeAxis::nanoseconds), "1.20 µs");
  EXPECT_EQ(exact_length_text(3'280'000'000, TimeAxis::nanoseconds), "3.280 000 s");
}

// 2023-11-14 22:13:20 UTC.
constexpr std::int64_t kIn2023Ns = 1'700'000'000'000'000'000;

TimestampFormat day_from(std::int64_t origin_ns) {
  return {.shown = TimeShown::time_of_day, .origin_ns = origin_ns};
}

TEST(TimeTextTest, WhatAProfileAddsUpHasItsUnit) {
  const TimeAxis samples("samples", 1), thousandths("samples", 1000), bytes("bytes", 1),
      cpu("nanoseconds", 1);
  EXPECT_EQ(length_text(1234, samples), "1 234 samples");
  EXPECT_EQ(duration_text(std::int64_t{1234}, samples), "1 234");
  EXPECT_EQ(length_text(1500, thousandths), "1.5 samples");
  EXPECT_EQ(exact_length_text(2062, thousandths), "2.062 samples");
  EXPECT_EQ(length_text(512, bytes), "512 bytes");
  EXPECT_EQ(length_text(8'541'913, bytes), "8.54 MB");
  EXPECT_EQ(length_text(-4096, bytes), "-4.10 kB");
  // Never ms: that would be a distance on a time line.
  EXPECT_EQ(length_text(2'440'000'000, cpu), "2.44 s");
  EXPECT_EQ(length_text(12'300'000, cpu), "0.0123 s");
  EXPECT_EQ(exact_length_text(12'300'000, cpu), "12 300 000 nanoseconds");
  EXPECT_EQ(timestamp_text(1500, {.axis = thousandths}), "1.5");
  EXPECT_EQ(place_text(1500, {.axis = bytes}), "at 1 500 bytes");
}

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

TEST(PlaceFormatTest, WritesTimesOfDayWithTheDateOnOtherDays) {
  const WithTimeZone utc("UTC0");
  const TimestampFormat format = day_from(kIn2023Ns);
  EXPECT_EQ(timestamp_text(kIn2023Ns + 1'500'000, format), "22:13:20.001 500");
  EXPECT_EQ(timestamp_text(kIn2023Ns + 1, format), "22:13:20.000 000 001");
  EXPECT_EQ(timestamp_text(kIn2023Ns + 7'200'000'000'000, format), "2023-11-15 00:13:20.000 000");
  EXPECT_EQ(timestamp_text(-1, format), "1969-12-31 23:59:59.999 999 999");
  EXPECT_NE(timestamp_text(INT64_MIN, format), timestamp_text(INT64_MAX, format));
}

TEST(PlaceFormatTest, TellsTheTimeOfTheZone) {
  const WithTimeZone east("XXX-05:30");  // of Greenwich
  EXPECT_EQ(timestamp_text(kIn2023Ns, day_from(kIn2023Ns)), "03:43:20.000 000");
  EXPECT_EQ(shown_text(day_from(kIn2023Ns)), "as time of day, 2023-11-15, UTC+05:30");
}

}  // namespace
}  // namespace cinderscope
