#include "render/text/report_text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cinderscope {
namespace {

Timeline of(std::uint64_t slices) {
  Timeline timeline;
  timeline.slice_count = slices;
  timeline.tracks.resize(slices > 0 ? 1 : 0);
  for (Track& track : timeline.tracks) track.blocks = {std::make_shared<SliceBlock>()};
  return timeline;
}

std::string sentence(const Timeline& timeline) {
  return report_sentence(timeline, ReadState::whole);
}

TEST(ReportSentenceTest, SaysWhatWasReadAndHowManyNotesThereAre) {
  Timeline timeline = of(98'212);
  EXPECT_EQ(sentence(timeline), "All 98 212 slices were read. No problems.");
  timeline.diagnostics.count(diagnostic::kStrayEnd, 5);
  EXPECT_EQ(sentence(timeline), "All 98 212 slices were read. 1 note (1 kind).");
  timeline.diagnostics.count(diagnostic::kUnfinished, 9, {}, 5973);
  EXPECT_EQ(sentence(timeline), "All 98 212 slices were read. 5 974 notes (2 kinds).");
  EXPECT_EQ(damage_sentence(timeline, false), "");
  EXPECT_EQ(sentence(of(0)), "The whole file was read; there are no events in it. No problems.");
}

TEST(ReportSentenceTest, SaysHowFarAFileHasBeenRead) {
  Timeline timeline = of(2);
  EXPECT_EQ(report_sentence(timeline, ReadState::loading), "Loading: 2 slices so far.");
  timeline.diagnostics.count(diagnostic::kUnsorted, 9);
  EXPECT_EQ(report_sentence(timeline, ReadState::stopped),
            "Loading was stopped; 2 slices had been read by then. 1 note (1 kind).");
}

TEST(ReportSentenceTest, AFileThatEndsEarlyIsNeverSaidToBeWhole) {
  for (const DiagnosticKind* kind :
       {&diagnostic::kTruncated, &diagnostic::kTruncatedBlock, &diagnostic::kTruncatedBrackets,
        &diagnostic::kTruncatedCompression, &diagnostic::kFileShrank}) {
    Timeline timeline = of(23'686);
    timeline.diagnostics.count(*kind, 100, "Something ends.");
    EXPECT_EQ(sentence(timeline), "The file ends early: 23 686 slices before the cut are shown.");
    timeline.diagnostics.count(diagnostic::kUnfinished, 1, {}, 3);
    EXPECT_EQ(sentence(timeline),
              "The file ends early: 23 686 slices before the cut are shown. 3 notes (1 kind).");
    EXPECT_EQ(damage_sentence(timeline, true),
              "A file of this trace ends early: 23 686 slices are shown.");
  }
  Timeline both = of(1);
  both.diagnostics.count(diagnostic::kTruncated);
  both.diagnostics.count(diagnostic::kTruncatedCompression);
  both.diagnostics.count(diagnostic::kBadJsonEvent, 7, {}, 4);
  EXPECT_EQ(damage_sentence(both, false),
            "The file ends early: 1 slice before the cut is shown. And 1 more kind of damage.");
}

TEST(ReportSentenceTest, AFileThatCannotBeReadToItsEndIsNoWholeOneEither) {
  for (const DiagnosticKind* kind : {&diagnostic::kBadJsonFromHere, &diagnostic::kUnpackedInPart,
                                     &diagnostic::kDamagedFromHere}) {
    Timeline timeline = of(2);
    timeline.diagnostics.count(*kind, 100, "Something is damaged.");
    EXPECT_EQ(sentence(timeline),
              "The file cannot be read to its end: 2 slices before the damage are shown.");
  }
}

TEST(ReportSentenceTest, TellsTheWorstOfWhatIsDamagedOrLost) {
  Timeline timeline = of(5);
  timeline.diagnostics.count(diagnostic::kBadJsonEvent, 7, {}, 1200);
  EXPECT_EQ(damage_sentence(timeline, false),
            "Events that are not valid JSON were skipped. (1 200 times)");
  timeline.diagnostics.count(diagnostic::kEventTooLong, 9);
  EXPECT_EQ(damage_sentence(timeline, false),
            "Events longer than 256 MiB were skipped. And 1 more kind of damage.");
}

TEST(ReportSentenceTest, KnowsACutAlsoInAFileThatWasMerged) {
  Diagnostics first, merged;
  first.count(diagnostic::kTruncated, 5);
  merged.merge(first, "b.json", 2);
  EXPECT_TRUE(merged.ends_early());
  EXPECT_FALSE(Diagnostics().ends_early());
}

TEST(ReportFactsTest, NamesEveryFileOfAMergedTimeline) {
  const Timeline timeline = of(1);
  const auto facts = report_facts(
      {.timeline = timeline,
       .path = "/a.json + /b.json",
       .files = {{"a", "/a.json", "All read.", ""}, {"b", "/b.json", "", "It is empty."}}});
  const auto value_of = [&](std::string_view key) {
    const auto found = std::ranges::find(facts, key, &ReportFact::key);
    return found == facts.end() ? std::string() : found->value;
  };
  EXPECT_EQ(value_of("Files"), "2");
  EXPECT_EQ(value_of("File 1"), "/a.json");
  EXPECT_EQ(value_of("File 2"), "/b.json  (left out)");
  EXPECT_EQ(value_of("File"), "");
}

TEST(ReportFactsTest, WhatIsOpenWhileLoadingIsNotUnfinished) {
  Timeline timeline = of(3);
  timeline.unfinished_count = 14;
  const auto has_unfinished = [&](ReadState read) {
    const auto facts = report_facts({.timeline = timeline, .read = read});
    return std::ranges::find(facts, "Unfinished", &ReportFact::key) != facts.end();
  };
  EXPECT_FALSE(has_unfinished(ReadState::loading));
  EXPECT_TRUE(has_unfinished(ReadState::whole));
}

}  // namespace
}  // namespace cinderscope
