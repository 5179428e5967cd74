#include "formats/google_json/event_sink.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "formats/all_formats.h"
#include "tests/support/load.h"

namespace cinderscope {
namespace {

std::string event(int ts_us, const char* tid = "1") {
  return fmt::format(R"({{"name":"f","ph":"X","pid":1,"tid":{},"ts":{},"dur":1}})", tid, ts_us);
}

// "20-30, 50-": the gaps in microseconds, the same for any windows and threads.
std::string gaps_of(const std::string& text) {
  std::string first;
  for (const LoadOptions& options :
       {LoadOptions{.jobs = 1}, {.jobs = 1, .window_bytes = 1}, {.jobs = 3, .window_bytes = 64}}) {
    const LoadedTrace trace =
        load_trace(*format_named("google_json"), Input::from_memory("a", bytes_of(text)), options);
    std::string gaps;
    for (const DataGap& gap : trace.timeline.gaps) {
      EXPECT_EQ(gap.thread, kNoThread);
      EXPECT_EQ(gap.file, kNoFile);
      gaps += fmt::format("{}{}-", gaps.empty() ? "" : ", ", gap.begin_ns / 1000);
      if (gap.end_ns != DataGap::kToTheEnd) gaps += fmt::to_string(gap.end_ns / 1000);
    }
    if (options.window_bytes != 1 && options.jobs == 1) first = gaps;
    EXPECT_EQ(gaps, first);
  }
  return first;
}

TEST(GoogleJsonGapsTest, ADamagedEventLeavesAGapBetweenItsNeighbours) {
  EXPECT_EQ(gaps_of("[" + event(10) + ",\n" + event(20) +
                    R"(,
{"name":"broken,"ph":"X","ts":22},
)" + event(30) + "," +
                    event(40) + "]"),
            "20-30");
}

TEST(GoogleJsonGapsTest, OfAPartThatIsLoadedOnlyWhatLiesInIt) {
  const std::string text = "[" + event(10) + ",junk," + event(30) + ",junk," + event(50) + "]";
  const auto part = [&](std::int64_t from_us, std::int64_t to_us) {
    const LoadedTrace trace =
        load_trace(*format_named("google_json"), Input::from_memory("a", bytes_of(text)),
                   {.jobs = 1, .keep = {.from = from_us * 1000, .to = to_us * 1000}});
    std::string gaps;
    for (const DataGap& gap : trace.timeline.gaps) {
      gaps += fmt::format("{}-{} ", gap.begin_ns / 1000, gap.end_ns / 1000);
    }
    return gaps;
  };
  EXPECT_EQ(part(0, 100), "10-30 30-50 ");
  EXPECT_EQ(part(20, 100), "20-30 30-50 ");
  EXPECT_EQ(part(0, 30), "10-30 ");
  EXPECT_EQ(part(12, 20), "12-20 ");
  EXPECT_EQ(part(60, 100), "");
}

TEST(GoogleJsonGapsTest, TextBetweenEventsLeavesAGap) {
  const std::string binary("\0\x01\x93 \xff junk", 10);
  EXPECT_EQ(gaps_of("[" + event(10) + "," + binary + "\n" + event(30) + "]"), "10-30");
  EXPECT_EQ(gaps_of("[" + event(10) + "}}, }" + event(30) + "]"), "10-30");
}

TEST(GoogleJsonGapsTest, EachDamageHasAGapOfItsOwnAndSeveralInARowOne) {
  const std::string broken = R"({"ph":X Y},)";
  EXPECT_EQ(gaps_of("[" + event(10) + "," + broken + event(20) + "," + event(30) + "," + broken +
                    "junk," + broken + event(40, "2") + "]"),
            "10-20, 30-40");
}

TEST(GoogleJsonGapsTest, WhatIsOutOfOrderAwayFromTheDamageDoesNotMatter) {
  EXPECT_EQ(
      gaps_of("[" + event(20) + "," + event(10) + ",junk," + event(50) + "," + event(40) + "]"),
      "20-40");
}

TEST(GoogleJsonGapsTest, WhereEventsAreInNoOrderOfTimeThereIsOnlyTheNotice) {
  const std::string text = "[" + event(10) + "," + event(50) + ",junk," + event(20) + "]";
  EXPECT_EQ(gaps_of(text), "");
  const LoadedTrace trace =
      load_trace(*format_named("google_json"), Input::from_memory("a", bytes_of(text)));
  EXPECT_GT(trace.timeline.diagnostics.total(Severity::damage), 0u);
}

TEST(GoogleJsonGapsTest, WhatIsNoEventButJsonLosesNothing) {
  EXPECT_EQ(gaps_of("[" + event(10) + ",null, 12, \"text\", {}, " + event(30) + "]"), "");
}

TEST(GoogleJsonGapsTest, DamageBeforeTheFirstEventOrBehindTheLastHasNoPlace) {
  EXPECT_EQ(gaps_of("[junk," + event(10) + "," + event(20) + ",junk]"), "");
  EXPECT_EQ(gaps_of("[" + event(10) + ",junk," + event(20) + "," + R"({"name":"cut)"),
            "10-20, 21-");
}

TEST(GoogleJsonGapsTest, MoreGapsThanCanBeDrawnAreJoined) {
  std::string text = "[" + event(0);
  for (int i = 1; i < 30'000; ++i) text += ",junk," + event(i);
  text += ",junk," + event(60'000) + "]";
  const LoadedTrace trace =
      load_trace(*format_named("google_json"), Input::from_memory("a", bytes_of(text)));
  const std::vector<DataGap>& gaps = trace.timeline.gaps;
  EXPECT_LE(gaps.size(), 4097u);
  ASSERT_GE(gaps.size(), 1u);
  EXPECT_EQ(gaps.front().begin_ns, 0);
  EXPECT_EQ(gaps.back().end_ns, 60'000'000);
}

TEST(GoogleJsonAsyncTest, ACutSliceRemembersAtWhichEndsItWasCut) {
  const std::string text = R"([
{"ph":"b","cat":"c","id":1,"name":"both","ts":10,"pid":1,"cut":{"ts":5,"dur":30}},
{"ph":"e","cat":"c","id":1,"name":"both","ts":20,"pid":1},
{"ph":"b","cat":"c","id":2,"name":"begin","ts":10,"pid":1,"cut":{"ts":5,"dur":15}},
{"ph":"e","cat":"c","id":2,"name":"begin","ts":20,"pid":1},
{"ph":"b","cat":"c","id":3,"name":"whole","ts":10,"pid":1},
{"ph":"e","cat":"c","id":3,"name":"whole","ts":20,"pid":1}])";
  for (const std::uint64_t window_bytes : {1u, 64u, 1u << 20}) {
    const LoadedTrace trace =
        load_trace(*format_named("google_json"), Input::from_memory("a", bytes_of(text)),
                   {.jobs = 2, .window_bytes = window_bytes});
    std::map<std::string, int> flags;
    for (const Track& track : trace.timeline.tracks) {
      if (track.kind != TrackKind::async) continue;
      for (const SliceRow& row : track.root().rows) {
        for (std::uint64_t i = 0; i < row.count(); ++i) {
          const Slice slice = row.slice(i);
          flags[std::string(trace.timeline.text(slice.name))] = slice.flags;
        }
      }
    }
    EXPECT_EQ(flags, (std::map<std::string, int>{
                         {"both", kCutBegin | kCutEnd}, {"begin", kCutBegin}, {"whole", 0}}));
  }
}

}  // namespace
}  // namespace cinderscope
