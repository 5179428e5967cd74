#include "ingest/model/typed_time.h"

#include <gtest/gtest.h>

#include "ingest/base/time_units.h"
#include "tests/support/time_zone.h"

namespace cinderscope {
namespace {

// 2023-11-14 22:13:20 UTC.
constexpr std::int64_t kIn2023Ns = 1'700'000'000 * kSecondNs;

TimeContext trace_of(std::int64_t begin_ns, std::int64_t length_ns) {
  TimeContext context;
  context.begin_ns = begin_ns;
  context.end_ns = begin_ns + length_ns;
  return context;
}

// The time, or the error.
std::string time_of(const TimeContext& context, std::string_view text) {
  const Result<TypedTime> typed = typed_time(text);
  if (!typed) return typed.error().text;
  const Result<std::int64_t> time = time_in(context, *typed);
  return time ? std::to_string(*time) : time.error().text;
}

TEST(TypedTimeTest, CountsAsTheFileTheBeginOrTheEnd) {
  const TimeContext context = trace_of(-1000, 10 * kSecondNs);
  EXPECT_EQ(time_of(context, "1500"), "1500");
  EXPECT_EQ(time_of(context, "12.5ms"), "12500000");
  EXPECT_EQ(time_of(context, "-500ns"), "-500");
  EXPECT_EQ(time_of(context, "+12.5ms"), "12499000");
  EXPECT_EQ(time_of(context, "+0"), "-1000");
  EXPECT_EQ(time_of(context, "end-2s"), "7999999000");
  EXPECT_EQ(time_of(context, "end"), "9999999000");
}

TEST(TypedTimeTest, RefusesWhatIsNoTime) {
  for (const char* text : {"", "x", "+", "+-1", "end-", "end--1", "end+1", "12 ms", "1e3", "--1",
                           "2m1h", "now1", "+mark:a", "mark:", "mark:\"\""}) {
    EXPECT_FALSE(typed_time(text)) << text;
  }
  EXPECT_EQ(typed_time("soon").error().text,
            "\"soon\" is not a time; give one such as +1.2s, end-2s or 1500.");
  EXPECT_LT(typed_time(std::string(1 << 20, 'x')).error().text.size(), 200u);
}

TEST(TypedTimeTest, TellsTheRangeOfTheTraceAndTheFormThatFits) {
  const TimeContext context = trace_of(kIn2023Ns, 10 * kSecondNs);
  EXPECT_EQ(time_of(context, "1.5s"),
            "\"1.5s\" is not in the trace, which goes from 1700000000000000000 to "
            "1700000010000000000 ns; \"+1.5s\" counts from its begin.");
  EXPECT_EQ(time_of(context, "11s"),
            "\"11s\" is not in the trace, which goes from 1700000000000000000 to "
            "1700000010000000000 ns.");
  EXPECT_EQ(time_of(context, "+11s").substr(0, 25), "\"+11s\" is not in the trac");
  EXPECT_EQ(time_of(context, "+9999999h").substr(0, 12), "\"+9999999h\" ");
}

TEST(TypedTimeTest, TakesTimesOfTheFirstDayInTheZone) {
  const WithTimeZone utc("UTC0");
  const TimeContext context = trace_of(kIn2023Ns, 3600 * kSecondNs);
  EXPECT_EQ(time_of(context, "22:13:20"), std::to_string(kIn2023Ns));
  EXPECT_EQ(time_of(context, "22:30"), std::to_string(kIn2023Ns + 1000 * kSecondNs));
  EXPECT_EQ(time_of(context, "22:13:20.25"), std::to_string(kIn2023Ns + kSecondNs / 4));
  EXPECT_NE(time_of(context, "9:30").find("is not in the trace"), std::string::npos);
  for (const char* text : {"24:00", "12:60", "12:3", "12:30:", "12:30:61", "12:30:10.", ":30",
                           "12:30:10.x", "123:00"}) {
    EXPECT_FALSE(typed_time(text)) << text;
  }
  const WithTimeZone east("XXX-05:30");
  EXPECT_EQ(time_of(context, "03:43:20"), std::to_string(kIn2023Ns));
  EXPECT_EQ(time_of(trace_of(0, kSecondNs), "00:00"),
            "The clock of this file does not count from 1970: it tells no time of day.");
}

TEST(TypedTimeTest, EventsHaveNoUnitsAndNoClock) {
  TimeContext context = trace_of(10, 100);
  context.axis = TimeAxis::events;
  EXPECT_EQ(time_of(context, "50"), "50");
  EXPECT_EQ(time_of(context, "+50"), "60");
  EXPECT_EQ(time_of(context, "end-10"), "100");
  const std::string no_clock =
      "This trace has no clock: its axis counts events. Give a number such as +1500.";
  EXPECT_EQ(time_of(context, "50ns"), no_clock);
  EXPECT_EQ(time_of(context, "12:00"), no_clock);
  EXPECT_EQ(time_of(context, "500"),
            "\"500\" is not in the trace, which goes from 10 to 110 events.");
}

TEST(TypedTimeTest, MarksAndTheSelectionAreOfTheWindow) {
  TimeContext context = trace_of(0, 1000);
  EXPECT_EQ(time_of(context, "mark:a"), "Bookmarks (mark:) are known in the window only.");
  EXPECT_EQ(time_of(context, "now"), "now is the selected call, in the window only.");
  context.in_window = true;
  context.marks.push_back({.note = "a b", .time_ns = 50, .begin_ns = 20, .end_ns = 90});
  context.selected_ns = 70;
  EXPECT_EQ(time_of(context, "mark:a b"), "50");
  EXPECT_EQ(time_of(context, "mark:\"a b\""), "50");
  EXPECT_EQ(time_of(context, "now"), "70");
  const auto mark = typed_time("mark:a b");
  const Result<TypedRange> view = range_in(context, *mark, *mark);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->begin_ns, 20);
  EXPECT_EQ(view->end_ns, 90);
}

TEST(TypedTimeTest, ARangeMayBeOpenAndIsNeverTurnedAround) {
  const TimeContext context = trace_of(0, 1000);
  const Result<TypedRange> rest = range_in(context, *typed_time("500"), {});
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->begin_ns, 500);
  EXPECT_EQ(rest->end_ns, INT64_MAX);
  EXPECT_EQ(range_in(context, *typed_time("500"), *typed_time("500")).error().text,
            "Give two times, e.g. +1.2s +1.5s: 500 is not after 500.");
}

TEST(TypedTimeTest, DurationsHaveNoSignAndAbsoluteTimesNoTrace) {
  EXPECT_EQ(*typed_duration("1h2m"), 3720 * kSecondNs);
  for (const char* text : {"-1s", "+1s", "end-1s", "12:00", "now", ""}) {
    EXPECT_FALSE(typed_duration(text)) << text;
  }
  EXPECT_EQ(*absolute_time("-1.5us"), -1500);
  EXPECT_EQ(absolute_time("+1s").error().text,
            "\"+1s\" depends on the trace; give a time as in the file, such as 1500 or 12.5ms.");
}

TEST(TypedTimeTest, BesideARulerFromTheBeginWhatHasNoSignCountsFromThere) {
  EXPECT_EQ(from_begin(*typed_time("1.5s")).text, "+1.5s");
  EXPECT_EQ(from_begin(*typed_time("-1.5s")).text, "-1.5s");
  EXPECT_EQ(from_begin(*typed_time("end-1s")).text, "end-1s");
}

}  // namespace
}  // namespace cinderscope
