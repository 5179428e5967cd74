// Searching what lies on disk: counted in the background, then reached level by level.
#include "app/questions/disk_search.h"

#include <gtest/gtest.h>

#include "app/questions/locate_match.h"
#include "render/text/time_text.h"
#include "tests/support/lincheck_files.h"
#include "tests/support/make_lincheck.h"
#include "tests/support/synthetic_source.h"

namespace cinderscope {
namespace {

Input made() {
  std::vector<std::byte> data;
  make_lincheck(
      {.calls = 3000, .methods = 9, .block_bytes = 3000},
      [&](std::span<const std::byte> bytes) {
        data.insert(data.end(), bytes.begin(), bytes.end());
      },
      [](std::span<const std::byte>) {});
  return Input::from_memory("made", std::move(data));
}

class DiskSearchTest : public testing::Test {
 protected:
  void open(std::uint64_t lazy_above_bytes) {
    session_ = std::make_unique<Session>(
        "made.trace",
        [](LoadContext&) -> Result<OpenedSource> {
          auto source = lincheck_format().open(made());
          if (!source) return source.error();
          return OpenedSource{std::move(*source), &lincheck_format()};
        },
        SessionOptions{
            .load = {.jobs = 1, .window_bytes = 64, .lazy_above_bytes = lazy_above_bytes}});
    session_->set_width(1000);
    ASSERT_TRUE(await([&] { return session_->phase() == SessionPhase::ready; }));
  }
  bool await(const std::function<bool()>& holds) {
    return wait_until([&] {
      session_->poll();
      finder_.poll(*session_);
      disk_.poll(*session_, finder_);
      return holds();
    });
  }
  // Loads what lies around the match until it is there.
  MatchRef reach(const DiskMatch& match) {
    const PendingMatch wanted{match.track, match.begin_ns, match.record, match.instant};
    MatchLocation result;
    await([&] {
      result = locate_match(session_->timeline(), wanted);
      const TimeRange there{match.begin_ns, match.begin_ns};
      if (result.on_disk) session_->request_children(result.on_disk, there);
      return !result.on_disk;
    });
    return result.found;
  }
  DiskSearch::Step step(const DiskMatch& from, int direction) {
    disk_.step(from, direction);
    std::optional<DiskSearch::Step> step;
    EXPECT_TRUE(await([&] { return (step = disk_.take_step()).has_value(); }));
    return step.value_or(DiskSearch::Step{});
  }
  bool search(const std::string& text) {
    finder_.set_text(text);
    return await([&] { return disk_.matches() != nullptr && disk_.matches()->complete; });
  }
  std::string name_of(const MatchRef& match) {
    const Timeline& timeline = session_->timeline();
    if (!match.instant) {
      return std::string(timeline.text(
          slice_at(timeline, {match.track, match.block, match.row, match.slice}).name));
    }
    const InstantRef ref{match.track, match.slice, match.block, match.row};
    return std::string(timeline.text(instants_of(timeline, ref)->name(ref.instant)));
  }

  std::unique_ptr<Session> session_;
  TraceSearch finder_{1, [] {}};
  DiskSearch disk_{[] {}};
};

TEST_F(DiskSearchTest, IsNotNeededWhereAllIsLoaded) {
  open(1 << 30);
  disk_.poll(*session_, finder_);
  EXPECT_FALSE(disk_.needed());
  EXPECT_EQ(disk_.search_text() + disk_.measured_text() + disk_.progress_text(), "");
}

TEST_F(DiskSearchTest, SaysHowManyCallsOfTheWholeTraceMatch) {
  open(0);
  ASSERT_TRUE(search("method3"));
  EXPECT_TRUE(disk_.search_text().starts_with("in the whole trace ")) << disk_.search_text();
  EXPECT_NE(disk_.measured_text().find("the whole trace has " + count_text(3000) + " of"),
            std::string::npos)
      << disk_.measured_text();
  ASSERT_TRUE(search("dur:>5"));
  EXPECT_TRUE(disk_.leads());
  EXPECT_TRUE(disk_.search_text().starts_with("in the whole trace ")) << disk_.search_text();
  ASSERT_TRUE(search("thread:nobody"));
  EXPECT_EQ(disk_.search_text(), "in the whole trace 0 calls");
  finder_.set_text("");
  ASSERT_TRUE(await([&] { return !disk_.busy(finder_); }));
  EXPECT_FALSE(disk_.leads());
  EXPECT_EQ(disk_.search_text(), "");  // nothing is searched for
}

TEST_F(DiskSearchTest, LeadsToEachMatchHoweverDeepItLies) {
  for (const char* text : {"method3", "dur:3..40", "name:/method[12]/ thread:2"}) {
    SCOPED_TRACE(text);
    open(0);
    ASSERT_TRUE(search(text));
    const std::uint64_t loaded_before = session_->children().loaded_count();
    DiskMatch from{.begin_ns = INT64_MIN};
    for (int i = 0; i < 20; ++i) {
      const DiskSearch::Step next = step(from, 1);
      ASSERT_TRUE(next.match);
      EXPECT_GT(next.match->place(), from.place());
      const MatchRef match = reach(*next.match);
      ASSERT_TRUE(match) << i;
      EXPECT_EQ(name_of(match), session_->timeline().text(next.match->name));
      const Slice slice =
          match.instant
              ? Slice{}
              : slice_at(session_->timeline(), {match.track, match.block, match.row, match.slice});
      EXPECT_EQ(slice.duration_ns, next.match->duration_ns);
      from = *next.match;
    }
    EXPECT_GT(session_->children().loaded_count(), loaded_before);
  }
}

TEST_F(DiskSearchTest, StepsByNameDoNotWaitForTheWholeSearch) {
  open(0);
  finder_.set_text("method3");
  ASSERT_TRUE(await([&] { return disk_.leads(); }));
  const DiskSearch::Step first = step({.begin_ns = INT64_MIN}, 1);
  ASSERT_TRUE(first.match);
  EXPECT_NE(name_of(reach(*first.match)).find("method3"), std::string::npos);
}

TEST_F(DiskSearchTest, GoesRoundAtBothEnds) {
  open(0);
  ASSERT_TRUE(search("method3"));
  const DiskSearch::Step first = step({.begin_ns = INT64_MAX}, 1);
  ASSERT_TRUE(first.match);
  EXPECT_TRUE(first.wrapped);
  const DiskSearch::Step last = step(*first.match, -1);
  ASSERT_TRUE(last.match);
  EXPECT_TRUE(last.wrapped);
  EXPECT_GT(last.match->begin_ns, first.match->begin_ns);
}

TEST_F(DiskSearchTest, KeepsToTheScopeOfTheSearch) {
  open(0);
  ASSERT_TRUE(search("method3"));
  const std::uint64_t all = disk_.matches()->count();
  session_->state().range = TimeRange{100, 400};
  ASSERT_TRUE(finder_.set_scope(ScopeChoice::range, session_->state()));
  finder_.poll(*session_);
  disk_.poll(*session_, finder_);
  ASSERT_TRUE(search("method3"));
  const std::uint64_t in_range = disk_.matches()->count();
  EXPECT_TRUE(disk_.search_text().starts_with("with those on disk ")) << disk_.search_text();
  EXPECT_GT(in_range, 0u);
  EXPECT_LT(in_range, all);
  std::uint64_t in_threads = 0;
  for (const Thread& thread : session_->timeline().threads) {
    session_->state().selected_tracks = {index(thread.track)};
    ASSERT_TRUE(finder_.set_scope(ScopeChoice::thread, session_->state()));
    disk_.poll(*session_, finder_);
    ASSERT_TRUE(search("method3"));
    EXPECT_EQ(disk_.matches()->tracks.size(), 1u);
    in_threads += disk_.matches()->count();
  }
  EXPECT_EQ(in_threads, all);
}

TEST_F(DiskSearchTest, ARecordThatIsNowhereIsNotSoughtForEver) {
  open(0);
  const TrackId track = session_->timeline().threads[0].track;
  MatchLocation result;
  ASSERT_TRUE(await([&] {
    result = locate_match(session_->timeline(), {.track = track, .begin_ns = 1500, .record = 7});
    const bool asked =
        result.on_disk && session_->request_children(result.on_disk, TimeRange{1500, 1500});
    return !asked && session_->idle();
  }));
  EXPECT_FALSE(result.found);
  EXPECT_FALSE(locate_match(session_->timeline(), {.track = kNoTrack}).on_disk);
}

}  // namespace
}  // namespace cinderscope
