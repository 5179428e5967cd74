#include <gtest/gtest.h>

#include <string>

#include "formats/all_formats.h"
#include "ingest/format/trace_source.h"
#include "ingest/model/hue.h"
#include "tests/support/load.h"

namespace cinderscope {
namespace {

const Format& collapsed() {
  return *format_named("collapsed");
}

LoadedTrace loaded(std::string_view text, LoadOptions options = {}) {
  return load_trace(collapsed(), Input::from_memory("unknown", bytes_of(text)), std::move(options));
}

Match match_of(std::string_view text) {
  return collapsed().probe(Input::from_memory("unknown", bytes_of(text)));
}

// The record of the first slice of this name.
RecordText described(const LoadedTrace& trace, std::string_view name) {
  for (const SliceRow& row : trace.timeline.tracks.at(0).root().rows) {
    for (std::uint64_t i = 0; i < row.count(); ++i) {
      const Slice slice = row.slice(i);
      if (trace.timeline.text(slice.name) != name) continue;
      return trace.source->describe(slice.record, slice.end_record);
    }
  }
  return {};
}

TEST(CollapsedFormat, IsRecognisedByItsLines) {
  EXPECT_EQ(match_of("main;draw 5\nmain;read 4\n"), Match::certain);
  EXPECT_EQ(match_of("main;draw 5"), Match::certain);
  EXPECT_EQ(match_of("# comment\n\nmain;draw 5\n"), Match::certain);
  EXPECT_EQ(match_of("one 1\ntwo 2\nthree 3\n"), Match::no);            // no callers at all
  EXPECT_EQ(match_of("main;draw 5\nsome\nother\nlines\n"), Match::no);  // most are no stacks
  EXPECT_EQ(match_of("[\"main;draw\" 5"), Match::no);
  EXPECT_EQ(match_of("<html>;a 5\n"), Match::no);
  EXPECT_EQ(match_of(std::string("main;dr\1w 5\n")), Match::no);
  EXPECT_EQ(match_of("  main;draw 5\n  main;read 4\n"), Match::no);  // indented
  EXPECT_EQ(match_of("\xff\xfe" + std::string("m\0;\0a\0 \0"
                                              "5\0\n\0",
                                              12)),
            Match::certain);
  std::string deep;
  while (deep.size() < 5000) deep += "frame;";
  EXPECT_EQ(match_of(deep + " 7"), Match::certain);
}

TEST(CollapsedFormat, TakesAStackOfAMillionFrames) {
  std::string deep = "main";
  for (int i = 0; i < 1'000'000; ++i) deep += ";f";
  const LoadedTrace trace = loaded(deep + " 3\nmain 1\n");
  EXPECT_EQ(trace.timeline.slice_count, 1'000'001u);
  EXPECT_EQ(trace.timeline.tracks.at(0).depth, 1'000'001u);
  EXPECT_EQ(trace.timeline.slices_end_ns, 4);
}

TEST(CollapsedFormat, SharesTheFramesOfTheLineBeforeOnlyWhereTheyAreWhole) {
  const LoadedTrace trace = loaded("a;bc;d 1\na;b;d 2\na;bc 4\na;bcd;e 8\na 16\nab 32\n");
  const Timeline& timeline = trace.timeline;
  EXPECT_EQ(timeline.slice_count, 8u);  // a, ab, bc, b, bcd, d, d, e
  EXPECT_EQ(timeline.slices_end_ns, 63);
}

TEST(CollapsedFormat, OffersBothCountsOfADifference) {
  constexpr std::string_view kText = "main;draw 5 8\nmain;read 4 0\n";
  const LoadedTrace after = loaded(kText);
  ASSERT_EQ(after.timeline.weights.size(), 2u);
  EXPECT_EQ(after.timeline.weights[0].name, "before");
  EXPECT_EQ(after.timeline.weight, 1u);
  EXPECT_EQ(after.timeline.slices_end_ns, 8);
  EXPECT_EQ(after.timeline.slice_count, 2u);  // nothing was read afterwards
  EXPECT_EQ(loaded(kText, {.weight = "before"}).timeline.slices_end_ns, 9);
  EXPECT_EQ(loaded(kText, {.weight = "0"}).timeline.slices_end_ns, 9);
  EXPECT_EQ(loaded(kText, {.weight = "nonsense"}).timeline.slices_end_ns, 8);
  const RecordText main = described(after, "main");
  ASSERT_EQ(main.facts.size(), 2u);
  EXPECT_EQ(main.facts[0], (std::pair<std::string, std::string>("before", "9")));
  EXPECT_EQ(main.facts[1], (std::pair<std::string, std::string>("after", "8")));
}

TEST(CollapsedFormat, HidesTheEndsOfNamesThatTellAKind) {
  const LoadedTrace trace = loaded("main;read_[k] 5\n");
  const auto name = trace.timeline.strings->find("read_[k]");
  ASSERT_TRUE(name);
  EXPECT_EQ(display_label(trace.timeline, *name), "read");
  ASSERT_EQ(trace.timeline.legend.size(), 1u);
  EXPECT_EQ(trace.timeline.legend[0].text, "kernel");
  const RecordText text = described(trace, "read_[k]");
  ASSERT_EQ(text.facts.size(), 1u);
  EXPECT_EQ(text.facts[0].second, "kernel");
}

TEST(CollapsedFormat, ShowsWhatIsWholeWhereverItIsCut) {
  const std::string whole = "main;draw;blit 5\nmain;read_[k] 44\n# end: 7\nmain 3\n";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Result<std::unique_ptr<TraceSource>> source =
        collapsed().open(Input::from_memory("unknown", bytes_of(whole.substr(0, size))));
    ASSERT_TRUE(source);
    LoadContext context;
    const Result<Timeline> timeline = read_timeline(**source, context);
    if (size >= 17) {
      EXPECT_TRUE(timeline) << size;
    }
    if (!timeline) continue;
    EXPECT_LE(timeline->slices_end_ns, 52) << size;
    EXPECT_FALSE(timeline->diagnostics.by_code().contains("bad_line")) << size;
  }
}

TEST(CollapsedFormat, LeavesTheLastLineOfACutStreamOut) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "main;f" + std::to_string(i * 7919 % 1000) + " 1\n";
  std::vector<std::byte> packed = gzipped(bytes_of(text));
  packed.resize(packed.size() / 2);
  const LoadedTrace trace = load_trace(collapsed(), Input::from_memory("unknown", packed));
  EXPECT_GT(trace.timeline.slice_count, 1u);
  const auto& codes = trace.timeline.diagnostics.by_code();
  EXPECT_TRUE(codes.contains("truncated") || codes.contains("truncated_compression"));
  EXPECT_FALSE(codes.contains("bad_line"));
}

TEST(CollapsedFormat, ColoursFunctionsByHowTheirOwnCountsChange) {
  const LoadedTrace trace = loaded("main;draw 5 8\nmain;read 4 0\nmain;wait 2 2\n");
  const StringPool& names = *trace.timeline.strings;
  const auto colour = [&](std::string_view name) { return names.colour(*names.find(name)); };
  ASSERT_EQ(trace.timeline.legend.size(), 3u);
  EXPECT_EQ(hue_from_hash(colour("draw")), hue_from_hash(trace.timeline.legend[0].colour));
  EXPECT_EQ(hue_from_hash(colour("read")), hue_from_hash(trace.timeline.legend[1].colour));
  EXPECT_EQ(colour("wait"), trace.timeline.legend[2].colour);
  EXPECT_EQ(colour("main"),
            trace.timeline.legend[2].colour);  // by itself it has neither more nor less
  // By whichever count lengths are.
  const LoadedTrace before = loaded("main;draw 5 8\nmain;read 4 0\n", {.weight = "before"});
  const StringPool& of_before = *before.timeline.strings;
  EXPECT_EQ(of_before.colour(*of_before.find("draw")), colour("draw"));
}

TEST(CollapsedFormat, CountsWhatIsOddOnceWhereAFractionComesLate) {
  const LoadedTrace trace =
      loaded("# key: value\nmain;draw 5\nno count\nmain;read 4.5\nno count\n");
  EXPECT_EQ(trace.timeline.axis.scale, 1000u);
  EXPECT_EQ(trace.timeline.slices_end_ns, 9500);
  EXPECT_EQ(trace.timeline.diagnostics.by_code().at("bad_line").count, 2u);
  EXPECT_EQ(trace.timeline.notes.size(), 1u);
}

TEST(CollapsedFormat, ShowsSymbolsReadableWhateverColourTheyHave) {
  const auto label_of = [](std::string_view text, std::string_view name) {
    const Timeline timeline = loaded(text).timeline;
    return std::string(timeline.strings->label(*timeline.strings->find(name)));
  };
  EXPECT_EQ(label_of("main;_ZN2ns3runEv 5 8\n", "_ZN2ns3runEv"), "ns::run");
  EXPECT_EQ(label_of("main;_ZN2ns3runEv_[i] 5\n", "_ZN2ns3runEv_[i]"), "ns::run");
}

// So long that calls are guessed from the first part of the text.
TEST(CollapsedFormat, TakesMoreAndFewerCallsThanTheBeginPromises) {
  std::string many, few;
  while (many.size() < 2'000'000) many += "main;draw 1\n";
  std::size_t calls = 2;
  for (; many.size() < 6'000'000; ++calls) many += "main;f" + std::to_string(calls) + " 1\n";
  EXPECT_EQ(loaded(many).timeline.slice_count, calls);
  for (calls = 1; few.size() < 2'000'000; ++calls) few += "main;f" + std::to_string(calls) + " 1\n";
  while (few.size() < 6'000'000) few += "main;f1 1\n";
  EXPECT_EQ(loaded(few).timeline.slice_count, calls);
}

}  // namespace
}  // namespace cinderscope
