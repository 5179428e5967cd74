#include <gtest/gtest.h>

#include <string>

#include "formats/all_formats.h"
#include "ingest/format/trace_source.h"
#include "tests/support/load.h"

namespace cinderscope {
namespace {

const Format& speedscope() {
  return *format_named("speedscope");
}

constexpr std::string_view kTimed =
    R"({"$schema":"https://www.speedscope.app/file-format-schema.json",)"
    R"("shared":{"frames":[{"name":"main","file":"a.c","line":3,"col":1},{"name":"draw"}]},)"
    R"("profiles":[{"type":"sampled","name":"t","unit":"milliseconds","startValue":5,"endValue":9,)"
    R"("samples":[[0],[0,1],[0]],"weights":[1,2,0.5]},)"
    R"({"type":"evented","name":"e","unit":"seconds","startValue":0,"endValue":4,)"
    R"("events":[{"type":"O","frame":0,"at":1},{"type":"C","frame":0,"at":3}]}]})";

LoadedTrace loaded(std::string_view text, LoadOptions options = {}) {
  return load_trace(speedscope(), Input::from_memory("unknown", bytes_of(text)),
                    std::move(options));
}

Match match_of(std::string_view text) {
  return speedscope().probe(Input::from_memory("unknown", bytes_of(text)));
}

TEST(SpeedscopeFormat, IsRecognisedByItsKeys) {
  EXPECT_EQ(match_of(kTimed), Match::certain);
  EXPECT_EQ(match_of(R"({ "shared" : {"frames": [{"name":"x)"), Match::certain);
  EXPECT_EQ(match_of(R"({"profiles":[{"type":"sampled","unit":"none"}]})"), Match::certain);
  EXPECT_EQ(match_of(R"({"profiles":[{"type":"other","unit":"none"}]})"), Match::no);
  EXPECT_EQ(match_of(R"({"profiles":[{"type":"sampled","unit":"none"}],"traceEvents":[]})"),
            Match::no);
  EXPECT_EQ(match_of(R"([{"profiles":1}])"), Match::no);
  EXPECT_EQ(match_of(R"({"a":{"$schema":"https://www.speedscope.app/file-format-schema.json"}})"),
            Match::no);
}

TEST(SpeedscopeFormat, KeepsTimesAsTheFileHasThem) {
  const Timeline timeline = loaded(kTimed).timeline;
  EXPECT_EQ(timeline.axis, TimeAxis(TimeAxis::nanoseconds));
  EXPECT_EQ(timeline.slices_begin_ns, 5'000'000);
  EXPECT_EQ(timeline.slices_end_ns, 3'000'000'000);
  EXPECT_EQ(timeline.slice_count, 3u);
  EXPECT_TRUE(timeline.weights.empty());  // events are calls
}

TEST(SpeedscopeFormat, LaysSamplesOutByTheirNumberWhereThatIsWanted) {
  constexpr std::string_view kSampled =
      R"({"$schema":"https://www.speedscope.app/file-format-schema.json",)"
      R"("shared":{"frames":[{"name":"main"},{"name":"draw"}]},"profiles":[{"type":"sampled",)"
      R"("name":"t","unit":"seconds","startValue":5,"endValue":9,)"
      R"("samples":[[0],[0,1],[0,1],[]],"weights":[1,2,7,1]}]})";
  const Timeline timeline = loaded(kSampled, {.weight = "samples"}).timeline;
  EXPECT_EQ(timeline.weight, 1u);
  EXPECT_EQ(timeline.axis.word(), "samples");
  EXPECT_EQ(timeline.slices_begin_ns, 0);
  EXPECT_EQ(timeline.slices_end_ns, 3);
  EXPECT_EQ(loaded(kSampled).timeline.axis, TimeAxis(TimeAxis::nanoseconds));
}

TEST(SpeedscopeFormat, TellsWhereAFunctionIs) {
  const LoadedTrace trace = loaded(kTimed);
  const Slice main = trace.timeline.tracks.at(0).root().rows.at(0).slice(0);
  const RecordText text = trace.source->describe(main.record, main.end_record);
  ASSERT_EQ(text.facts.size(), 3u);
  EXPECT_EQ(text.facts[0].second, "a.c");
  EXPECT_EQ(text.facts[1].second, "3");
  EXPECT_EQ(text.facts[2].second, "1");
}

TEST(SpeedscopeFormat, ShowsWhatIsWholeWhereverItIsCut) {
  for (std::size_t size = 0; size < kTimed.size(); ++size) {
    const Result<std::unique_ptr<TraceSource>> source =
        speedscope().open(Input::from_memory("unknown", bytes_of(kTimed.substr(0, size))));
    ASSERT_TRUE(source);
    LoadContext context;
    const Result<Timeline> timeline = read_timeline(**source, context);
    if (!timeline) continue;
    EXPECT_LE(timeline->slice_count, 3u) << size;
    const auto& codes = timeline->diagnostics.by_code();
    ASSERT_TRUE(codes.contains("truncated")) << size;
    EXPECT_EQ(codes.find("truncated")->second.count, 1u) << size;
    EXPECT_FALSE(codes.contains("bad_profile")) << size;
  }
}

TEST(SpeedscopeFormat, TakesEventsAsDeepAsTheyAre) {
  constexpr int kDeep = 300'000;
  std::string text = R"({"$schema":"https://www.speedscope.app/file-format-schema.json",)"
                     R"("shared":{"frames":[{"name":"f"}]},"profiles":[{"type":"evented",)"
                     R"("unit":"nanoseconds","events":[)";
  for (int i = 0; i < kDeep; ++i) {
    text += R"({"type":"O","frame":0,"at":)" + std::to_string(i) + "},";
  }
  text += R"({"type":"C","frame":1,"at":9e9}]}]})";
  const Timeline timeline = loaded(text).timeline;
  EXPECT_EQ(timeline.slice_count, static_cast<std::uint64_t>(kDeep));
  EXPECT_EQ(timeline.unfinished_count, static_cast<std::uint64_t>(kDeep));
}

TEST(SpeedscopeFormat, SharesFramesOfTheStackBeforeOnlyWhereTheyAreWhole) {
  constexpr std::string_view kText =
      R"({"$schema":"https://www.speedscope.app/file-format-schema.json",)"
      R"("shared":{"frames":[{"name":"f0"},{"name":"f1"},{"name":"f2"}]},)"
      R"("profiles":[{"type":"sampled","name":"t","unit":"nanoseconds","startValue":0,"endValue":9,)"
      R"("samples":[[0,1],[0,12],[0,1,2],[0],[0 ,1,2],[1],[]],"weights":[1,1,1,1,1,1,1]}]})";
  const Timeline timeline = loaded(kText).timeline;
  // f0 5, f1 by f0 1, [frame 12] 1, f1 1, f2 1, f1 and f2 again, f1 outermost.
  EXPECT_EQ(timeline.slice_count, 8u);
  EXPECT_EQ(timeline.tracks.at(0).depth, 3u);
}

TEST(SpeedscopeFormat, TakesWhatIsNoJsonWithinAStackForACut) {
  constexpr std::string_view kText =
      R"({"$schema":"https://www.speedscope.app/file-format-schema.json",)"
      R"("shared":{"frames":[{"name":"f0"},{"name":"f1"}]},)"
      R"("profiles":[{"type":"sampled","name":"t","unit":"nanoseconds","startValue":0,"endValue":9,)"
      R"("samples":[[0],[0,what],[1]],"weights":[1,2,4]}]})";
  const Timeline timeline = loaded(kText).timeline;
  EXPECT_EQ(timeline.slice_count, 1u);
  EXPECT_EQ(timeline.slices_end_ns, 1);
  EXPECT_TRUE(timeline.diagnostics.by_code().contains("truncated"));
}

TEST(SpeedscopeFormat, TellsTheProfileThatTheFileAsksToBeShownFirst) {
  std::string text(kTimed);
  EXPECT_EQ(loaded(text).source->active_thread(), kNoThread);
  text.insert(1, R"("activeProfileIndex":1,)");
  const LoadedTrace trace = loaded(text);
  const ThreadId active = trace.source->active_thread();
  ASSERT_LT(index(active), trace.timeline.threads.size());
  EXPECT_EQ(trace.timeline.text(trace.timeline.threads[index(active)].name), "e");
  text.replace(text.find(":1,"), 3, ":7,");
  EXPECT_EQ(loaded(text).source->active_thread(), kNoThread);
}

TEST(SpeedscopeFormat, WhatAProfileLeavesOpenIsNotOpenInTheNext) {
  constexpr std::string_view kText =
      R"({"$schema":"https://www.speedscope.app/file-format-schema.json",)"
      R"("shared":{"frames":[{"name":"main"}]},"profiles":[)"
      R"({"type":"evented","name":"a","unit":"seconds","startValue":0,"endValue":4,)"
      R"("events":[{"type":"O","frame":0,"at":1}]},)"
      R"({"type":"evented","name":"b","unit":"seconds","startValue":0,"endValue":4,)"
      R"("events":[{"type":"C","frame":0,"at":2},{"type":"O","frame":0,"at":3},)"
      R"({"type":"C","frame":0,"at":4},{"type":"C","frame":0,"at":4}]}]})";
  const Timeline timeline = loaded(kText).timeline;
  EXPECT_EQ(timeline.slice_count, 2u);
  EXPECT_EQ(timeline.unfinished_count, 1u);
  EXPECT_EQ(timeline.diagnostics.by_code().at("stray_end").count, 2u);
}

}  // namespace
}  // namespace cinderscope
