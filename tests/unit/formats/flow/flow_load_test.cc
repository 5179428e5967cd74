// Ticks, nesting, unknown ids, other names for a loaded trace, and what is told of a call.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "formats/all_formats.h"
#include "ingest/format/symbols.h"
#include "tests/support/dump.h"
#include "tests/support/load.h"
#include "tests/support/open_input.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

using namespace std::string_view_literals;

// main { a { } b { a { } } } over ids 3, 0, 1, 0.
constexpr std::string_view kCalls = "\x83\x80\x00\x81\x80\x02"sv;
constexpr std::string_view kNames = "p.Main#main()V=3\nq.Work#a(I)I=0\nq.Work#b()V=1\n";

const Format& flow() {
  return *format_named("flow");
}

LoadedTrace load_with(const TempDir& dir, std::string_view calls, LoadOptions options = {}) {
  return load_trace(flow(), opened(dir.write("thread-1.flow", calls)), options);
}

// "name begin+duration" of each row's slices.
std::string slices_of(const Timeline& timeline) {
  std::string text;
  for (const Track& track : timeline.tracks) {
    for (const SliceRow& row : track.root().rows) {
      for (std::uint64_t i = 0; i < row.count(); ++i) {
        const Slice slice = row.slice(i);
        text += std::string(timeline.text(slice.name)) + " " + std::to_string(slice.begin_ns) +
                "+" + std::to_string(slice.duration_ns) +
                ((slice.flags & kUnfinished) != 0 ? "!" : "") + "; ";
      }
      text += "| ";
    }
  }
  return text;
}

std::map<std::string, std::string> facts_of(const LoadedTrace& trace, std::uint32_t row) {
  const Slice slice = trace.timeline.tracks[0].root().rows[row].slice(0);
  std::map<std::string, std::string> facts;
  for (const auto& [key, value] : trace.source->describe(slice.record, slice.end_record).facts) {
    facts[key] = value;
  }
  return facts;
}

TEST(FlowLoadTest, EachEnterAndEachExitIsOneTick) {
  const TempDir dir;
  dir.write("ids.properties", kNames);
  const LoadedTrace trace = load_with(dir, kCalls);
  EXPECT_EQ(slices_of(trace.timeline),
            "p.Main#main()V 0+7; | q.Work#a(I)I 1+1; q.Work#b()V 3+3; | q.Work#a(I)I 4+1; | ");
  EXPECT_EQ(trace.timeline.axis, TimeAxis::events);
  EXPECT_TRUE(trace.timeline.threads_apart);
  EXPECT_EQ(trace.timeline.record_count, 8u);
}

TEST(FlowLoadTest, UnclosedCallsLastToTheLastEvent) {
  const TempDir dir;
  EXPECT_EQ(slices_of(load_with(dir, "\x83\x80\x81\x00"sv).timeline),
            "method #3 0+4!; | method #0 1+3!; | method #1 2+1; | ");
}

TEST(FlowLoadTest, ExitsWithNothingOpenAreCountedAndTakeNoTick) {
  const TempDir dir;
  const LoadedTrace trace =
      load_with(dir, "\x83\x05\x80\x00\x7f\xff\xff\xff\xff\xff\xff\xff\xff\x03"sv);
  EXPECT_EQ(slices_of(trace.timeline), "method #3 0+1; method #0 2+1; | ");
  const Diagnostic& stray = trace.timeline.diagnostics.by_code().at("stray_end");
  EXPECT_EQ(stray.first_offset, 1);
  EXPECT_EQ(stray.count, std::uint64_t{1} << 53);  // 5, and of the last run as many as are counted
}

TEST(FlowLoadTest, NamesAreTheKeysAndLabelsAreShort) {
  const TempDir dir;
  dir.write("ids.properties", kNames);
  const LoadedTrace trace = load_with(dir, kCalls);
  const Slice slice = trace.timeline.tracks[0].root().rows[1].slice(0);
  EXPECT_EQ(trace.timeline.text(slice.name), "q.Work#a(I)I");
  EXPECT_EQ(display_label(trace.timeline, slice.name), "Work.a");
  auto facts = facts_of(trace, 1);
  EXPECT_EQ(facts["Class"], "q.Work");
  EXPECT_EQ(facts["Method"], "a");
  EXPECT_EQ(facts["Signature"], "(int) → int");
  EXPECT_EQ(facts["Key"], "q.Work#a(I)I");
  EXPECT_EQ(facts["Id"], "0");
}

TEST(FlowLoadTest, UnknownIdsAreShownByTheirNumberAndCounted) {
  const TempDir dir;
  dir.write("ids.properties", "p.Main#main()V=3\n");
  const LoadedTrace trace = load_with(dir, kCalls);
  EXPECT_EQ(trace.timeline.diagnostics.by_code().at("unknown_name").count, 3u);
  EXPECT_EQ(slices_of(trace.timeline),
            "p.Main#main()V 0+7; | method #0 1+1; method #1 3+3; | method #0 4+1; | ");
  EXPECT_EQ(facts_of(trace, 1)["Id"], "0");
}

TEST(FlowLoadTest, TheMappingThatIsGivenGoesBeforeTheOneBeside) {
  const TempDir dir;
  dir.write("ids.properties", kNames);
  const std::string given = dir.write("other.properties", "x.Y#z()V=3\n").string();
  const LoadedTrace trace = load_with(dir, kCalls, {.names = {.mapping_path = given}});
  EXPECT_EQ(slices_of(trace.timeline).substr(0, 10), "x.Y#z()V 0");
}

TEST(FlowLoadTest, AGivenMappingThatIsNoneIsAnError) {
  const TempDir dir;
  dir.write("thread-1.flow", kCalls);
  for (const std::string& path : {dir.write("wrong", "no mapping").string(), dir.path().string(),
                                  (dir.path() / "missing").string()}) {
    auto source = flow().open(opened(dir.path() / "thread-1.flow"));
    LoadContext context({.names = {.mapping_path = path}});
    const auto timeline = read_timeline(**source, context);
    ASSERT_FALSE(timeline) << path;
    EXPECT_FALSE(timeline.error().text.empty());
  }
}

TEST(FlowLoadTest, OtherNamesComeWithoutReadingTheTraceAgain) {
  const TempDir dir;
  LoadedTrace trace = load_with(dir, kCalls);
  std::filesystem::remove(dir.path() / "thread-1.flow");
  LoadContext context;
  const std::string names = dir.write("ids.properties", kNames).string();
  const Result<Timeline> named =
      renamed(trace.timeline, *trace.source->symbols(), {.mapping_path = names}, context);
  ASSERT_TRUE(named) << named.error().text;
  EXPECT_EQ(slices_of(*named),
            "p.Main#main()V 0+7; | q.Work#a(I)I 1+1; q.Work#b()V 3+3; | q.Work#a(I)I 4+1; | ");
  EXPECT_FALSE(named->diagnostics.by_code().contains("unknown_name"));
  EXPECT_EQ(facts_of(trace, 1)["Key"], "q.Work#a(I)I");
  EXPECT_EQ(slices_of(trace.timeline).substr(0, 11), "method #3 0");  // the old one stays as it was

  // As if it had been loaded with them: colours and summaries, too.
  const LoadedTrace fresh = load_with(dir, kCalls);
  EXPECT_EQ(dump(*named, trace.source.get()), dump(fresh.timeline, fresh.source.get()));
  const auto summary_of = [](const Timeline& timeline) {
    return timeline.tracks[0].root().rows[1].chunks[0]->whole();
  };
  EXPECT_EQ(summary_of(*named).colour, summary_of(fresh.timeline).colour);
  EXPECT_EQ(summary_of(*named).agreement, summary_of(fresh.timeline).agreement);

  // And again, with a mapping that knows less.
  const std::string fewer = dir.write("fewer", "p.Main#main()V=3\n").string();
  const Result<Timeline> again =
      renamed(*named, *trace.source->symbols(), {.mapping_path = fewer}, context);
  ASSERT_TRUE(again);
  EXPECT_EQ(slices_of(*again),
            "p.Main#main()V 0+7; | method #0 1+1; method #1 3+3; | method #0 4+1; | ");
  EXPECT_EQ(again->diagnostics.by_code().at("unknown_name").count, 3u);
}

TEST(FlowLoadTest, AMappingThatCannotBeReadChangesNothing) {
  const TempDir dir;
  LoadedTrace trace = load_with(dir, kCalls);
  LoadContext context;
  EXPECT_FALSE(
      renamed(trace.timeline, *trace.source->symbols(), {.mapping_path = "missing"}, context));
  EXPECT_EQ(facts_of(trace, 0)["Id"], "3");
}

TEST(FlowLoadTest, ColoursGoByPackageWhereThatIsAskedFor) {
  const TempDir dir;
  dir.write("ids.properties", kNames);
  const LoadedTrace trace = load_with(dir, kCalls, {.names = {.colours_by_package = true}});
  const StringPool& names = *trace.timeline.strings;
  const auto hash = [&](std::string_view key) { return names.hash(*names.find(key)); };
  EXPECT_EQ(hash("q.Work#a(I)I"), hash("q.Work#b()V"));
  EXPECT_EQ(hash("q.Work#a(I)I"), stable_hash("q"));
  EXPECT_EQ(hash("p.Main#main()V"), stable_hash("p"));
}

TEST(FlowLoadTest, AMillionCallsDeepLoads) {
  constexpr std::size_t kDepth = 1'200'000;
  std::string calls(kDepth, '\x80');
  calls += "\x7f\xbf\xa7\x92\x01"sv;  // one run that leaves all but one of 1 200 000
  const TempDir dir;
  const LoadedTrace trace = load_with(dir, calls);
  EXPECT_EQ(trace.timeline.slice_count, kDepth);
  EXPECT_EQ(trace.timeline.tracks[0].row_count, kDepth);
  EXPECT_LE(trace.timeline.unfinished_count, kDepth);
}

TEST(FlowLoadTest, DeepFoldersOfThreadsAreTheSameWithAnyNumberOfJobs) {
  const TempDir dir;
  for (int i = 0; i < 20; ++i) {
    std::string calls;
    for (int n = 0; n < 500; ++n) calls += static_cast<char>(0x80 | ((n * (i + 3)) & 63));
    calls += "\x42\x01";
    for (int n = 0; n < 100; ++n) calls += std::string("\x85\x00"sv);
    dir.write("thread-" + std::to_string(i) + ".flow", calls);
  }
  const auto text = [&](LoadOptions options) {
    const LoadedTrace trace = load_trace(flow(), opened(dir.path()), options);
    return dump(trace.timeline, trace.source.get());
  };
  const std::string one = text({.jobs = 1});
  EXPECT_EQ(text({.jobs = 3}), one);
  EXPECT_EQ(text({.jobs = 8, .window_bytes = 64}), one);
}

}  // namespace
}  // namespace cinderscope
