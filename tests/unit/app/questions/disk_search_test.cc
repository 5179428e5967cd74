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
  // Loads what lies around the place until it is there.
  MatchRef reach(const NameIndex::Place& place) {
    PendingMatch wanted{
        .begin_ns = place.begin_ns, .record = place.record, .instant = place.instant};
    for (const Thread& thread : session_->timeline().threads) {
      if (thread.tid == place.tid) wanted.track = thread.track;
    }
    MatchLocation result;
    await([&] {
      result = locate_match(session_->timeline(), wanted);
      const TimeRange there{place.begin_ns, place.begin_ns};
      if (result.on_disk) session_->request_children(result.on_disk, there);
      return !result.on_disk;
    });
    return result.found;
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
  finder_.set_text("method3");
  ASSERT_TRUE(await([&] { return disk_.leads(); }));
  EXPECT_TRUE(disk_.search_text().starts_with("in the whole trace ")) << disk_.search_text();
  EXPECT_NE(disk_.measured_text().find("the whole trace has " + count_text(3000) + " of"),
            std::string::npos)
      << disk_.measured_text();
  finder_.set_text("dur:>5");
  disk_.poll(*session_, finder_);
  EXPECT_FALSE(disk_.leads());
  EXPECT_TRUE(disk_.search_text().starts_with("arguments, threads and durations"));
}

TEST_F(DiskSearchTest, LeadsToEachMatchHoweverDeepItLies) {
  open(0);
  finder_.set_text("method3");
  ASSERT_TRUE(await([&] { return disk_.leads(); }));
  const std::uint64_t loaded_before = session_->children().loaded_count();
  std::int64_t from_ns = INT64_MIN;
  for (int i = 0; i < 20; ++i) {
    disk_.step(from_ns, 1);
    std::optional<DiskSearch::Step> step;
    ASSERT_TRUE(await([&] { return (step = disk_.take_step()).has_value(); }));
    ASSERT_TRUE(step->place);
    EXPECT_GT(step->place->begin_ns, from_ns);
    const MatchRef match = reach(*step->place);
    ASSERT_TRUE(match) << i;
    EXPECT_NE(name_of(match).find("method3"), std::string::npos) << name_of(match);
    from_ns = step->place->begin_ns;
  }
  EXPECT_GT(session_->children().loaded_count(), loaded_before);
}

TEST_F(DiskSearchTest, GoesRoundAtTheEnd) {
  open(0);
  finder_.set_text("method3");
  ASSERT_TRUE(await([&] { return disk_.leads(); }));
  disk_.step(INT64_MAX, 1);
  std::optional<DiskSearch::Step> step;
  ASSERT_TRUE(await([&] { return (step = disk_.take_step()).has_value(); }));
  EXPECT_TRUE(step->place);
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
