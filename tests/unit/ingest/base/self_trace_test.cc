#include "ingest/base/self_trace.h"

#include <gtest/gtest.h>

#include <barrier>
#include <fstream>
#include <sstream>
#include <thread>

#include "formats/all_formats.h"
#include "ingest/base/self_trace_thread.h"
#include "ingest/os/self_trace_file.h"
#include "tests/support/load.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

class SelfTraceTest : public testing::Test {
 protected:
  // What was recorded, as the viewer reads it.
  Timeline read() const {
    return load_trace(*format_named("google_json"), Input::from_memory("self", read_file(path_)))
        .timeline;
  }
  std::string text() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }
  static const Track& track_of(const Timeline& timeline, std::string_view thread) {
    for (const Thread& one : timeline.threads) {
      if (timeline.text(one.name) == thread) return timeline.tracks.at(index(one.track));
    }
    throw std::runtime_error("no thread " + std::string(thread));
  }

  TempDir folder_;
  std::string path_ = (folder_.path() / "self.json").string();
};

TEST_F(SelfTraceTest, MarksNestOnTheirThread) {
  const SelfTraceThread named("tester");
  Result<SelfTraceFile> recording = SelfTraceFile::start(path_);
  ASSERT_TRUE(recording);
  {
    const SelfTraceMark outer("outer", "bytes", 42);
    const SelfTraceMark inner("inner");
  }
  ASSERT_TRUE(recording->finish());
  const Timeline timeline = read();
  EXPECT_EQ(timeline.diagnostics.total(), 0);
  const std::vector<SliceRow>& rows = track_of(timeline, "tester").root().rows;
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(timeline.text(rows[0].name(0)), "outer");
  EXPECT_EQ(timeline.text(rows[1].name(0)), "inner");
  EXPECT_NE(text().find(R"("args":{"bytes":42})"), std::string::npos);
}

TEST_F(SelfTraceTest, NothingIsRecordedBeforeOrAfter) {
  { const SelfTraceMark before("before"); }
  Result<SelfTraceFile> recording = SelfTraceFile::start(path_);
  ASSERT_TRUE(recording);
  { const SelfTraceMark during("during"); }
  ASSERT_TRUE(recording->finish());
  { const SelfTraceMark after("after"); }
  EXPECT_EQ(read().slice_count, 1);
}

TEST_F(SelfTraceTest, ThreadsThatFollowEachOtherShareALane) {
  Result<SelfTraceFile> recording = SelfTraceFile::start(path_);
  ASSERT_TRUE(recording);
  for (int i = 0; i < 20; ++i) {
    std::thread([] {
      const SelfTraceThread named("helper");
      const SelfTraceMark mark("part");
    }).join();
  }
  ASSERT_TRUE(recording->finish());
  const Timeline timeline = read();
  EXPECT_EQ(timeline.slice_count, 20);
  EXPECT_EQ(track_of(timeline, "helper").slice_count, 20);
}

TEST_F(SelfTraceTest, ThreadsOfOneNameThatRunAtOnceAreNumbered) {
  Result<SelfTraceFile> recording = SelfTraceFile::start(path_);
  ASSERT_TRUE(recording);
  {
    std::barrier both(2);
    const auto work = [&both] {
      const SelfTraceThread named("pair");
      { const SelfTraceMark mark("part"); }
      both.arrive_and_wait();  // neither gives its lane back before the other has one
    };
    std::jthread one(work), two(work);
  }
  ASSERT_TRUE(recording->finish());
  const Timeline timeline = read();
  EXPECT_EQ(track_of(timeline, "pair").slice_count, 1);
  EXPECT_EQ(track_of(timeline, "pair 2").slice_count, 1);
}

TEST_F(SelfTraceTest, CountersKeepTheirValues) {
  Result<SelfTraceFile> recording = SelfTraceFile::start(path_);
  ASSERT_TRUE(recording);
  self_trace_count("kept MB", 1.5);
  self_trace_count("kept MB", 2.25);
  ASSERT_TRUE(recording->finish());
  const Timeline timeline = read();
  ASSERT_EQ(timeline.tracks.size(), 1);
  EXPECT_EQ(timeline.tracks[0].series[0].value, (std::vector<double>{1.5, 2.25}));
}

TEST_F(SelfTraceTest, StagesAddUpMarksOfAllThreads) {
  { const SelfTraceMark before("stage"); }
  const StageRecorder recorder;
  {
    const SelfTraceMark outer("whole");
    const auto work = [] {
      for (int i = 0; i < 3; ++i) const SelfTraceMark mark("stage");
    };
    std::jthread one(work), two(work);
  }
  self_trace_count("no stage", 1);
  const std::vector<StageTime> stages = recorder.stages();
  ASSERT_EQ(stages.size(), 2u);
  EXPECT_EQ(stages[0].name, "whole");
  EXPECT_EQ(stages[1].name, "stage");
  EXPECT_EQ(stages[1].count, 6u);
  EXPECT_GE(stages[0].seconds, stages[1].seconds / 2);
}

TEST_F(SelfTraceTest, StagesLeaveARecordingAsItIs) {
  Result<SelfTraceFile> recording = SelfTraceFile::start(path_);
  ASSERT_TRUE(recording);
  { const SelfTraceMark mark("first"); }
  {
    const StageRecorder recorder;
    { const SelfTraceMark mark("second"); }
    ASSERT_EQ(recorder.stages().size(), 1u);
  }
  { const SelfTraceMark mark("third"); }
  ASSERT_TRUE(recording->finish());
  EXPECT_EQ(read().slice_count, 3u);
}

TEST_F(SelfTraceTest, TheFileSaysSoWhileTheProgramRuns) {
  const Result<SelfTraceFile> recording = SelfTraceFile::start(path_);
  ASSERT_TRUE(recording);
  const Timeline timeline = read();
  EXPECT_EQ(timeline.diagnostics.total(), 0);
  EXPECT_EQ(timeline.instant_count, 1);
  EXPECT_NE(text().find("the program has not ended"), std::string::npos);
}

TEST_F(SelfTraceTest, WhatIsTooMuchIsCountedAndLeftOut) {
  constexpr std::uint64_t kMarks = 1'200'000;
  Result<SelfTraceFile> recording = SelfTraceFile::start(path_);
  ASSERT_TRUE(recording);
  for (std::uint64_t i = 0; i < kMarks; ++i) const SelfTraceMark mark("many");
  ASSERT_TRUE(recording->finish());
  const Timeline timeline = read();
  EXPECT_GT(timeline.slice_count, 1'000'000);
  const std::string said = std::to_string(kMarks - timeline.slice_count) + " marks were left out";
  EXPECT_NE(text().find(said), std::string::npos);
}

TEST_F(SelfTraceTest, APathThatCannotBeWrittenIsSaidAtOnce) {
  const Result<SelfTraceFile> recording = SelfTraceFile::start("/nowhere/at/all.json");
  ASSERT_FALSE(recording);
  EXPECT_NE(recording.error().text.find("/nowhere/at/all.json"), std::string::npos);
}

}  // namespace
}  // namespace cinderscope
