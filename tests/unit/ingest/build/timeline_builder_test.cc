#include "ingest/build/timeline_builder.h"

#include <gtest/gtest.h>

#include <string>

#include "ingest/model/slice_nesting.h"

namespace cinderscope {
namespace {

class TimelineBuilderTest : public testing::Test {
 protected:
  StringId id(const char* text) { return builder_.intern(text); }
  ThreadId thread(const char* pid, const char* tid) {
    return builder_.thread(builder_.process(pid), tid);
  }
  TimelineBuilder builder_;
};

TEST_F(TimelineBuilderTest, KeepsEqualThreadIdsOfTwoProcessesApart) {
  const ThreadId a = thread("1", "7"), b = thread("2", "7");
  EXPECT_NE(a, b);
  EXPECT_EQ(thread("1", "7"), a);
  builder_.slices(a).complete(0, 5, id("f"), 0);
  builder_.slices(b).complete(1, 5, id("f"), 1);
  const Timeline timeline = builder_.finish();
  EXPECT_EQ(timeline.tracks.size(), 2u);
  EXPECT_EQ(timeline.slice_count, 2u);
  EXPECT_EQ(timeline.begin_ns, 0);
  EXPECT_EQ(timeline.end_ns, 6);
}

TEST_F(TimelineBuilderTest, AnIdThatIsUsedAgainIsAnotherProcessOrThread) {
  const ProcessId first = builder_.another_process("1"), second = builder_.another_process("1");
  EXPECT_NE(first, second);
  EXPECT_EQ(builder_.process("1"), first);
  const ThreadId a = builder_.another_thread(first, "7"), b = builder_.another_thread(first, "7");
  EXPECT_NE(a, b);
  EXPECT_EQ(builder_.thread(first, "7"), a);
  builder_.slices(a).complete(0, 5, id("f"), 0);
  builder_.slices(b).complete(1, 5, id("f"), 1);
  EXPECT_EQ(builder_.finish().tracks.size(), 2u);
}

TEST_F(TimelineBuilderTest, InstantsOnAsyncTracksAreNoSteps) {
  const AsyncTrackId track = builder_.async_track(builder_.process("1"), id("async"));
  builder_.async_group(track, {},
                       {{{.begin_ns = 5, .name = id("step")}}, {{.begin_ns = 6}, kNoRecord, true}});
  const Timeline timeline = builder_.finish();
  EXPECT_EQ(timeline.async_step_count, 1u);
  EXPECT_EQ(timeline.instant_count, 1u);
}

TEST_F(TimelineBuilderTest, GivesNoTrackToAThreadThatOwnsNothing) {
  thread("1", "1");
  const Timeline timeline = builder_.finish();
  EXPECT_TRUE(timeline.empty());
  EXPECT_EQ(timeline.threads[0].track, kNoTrack);
}

TEST_F(TimelineBuilderTest, TakesSnapshotsWithoutDisturbingTheLoad) {
  const ThreadId a = thread("1", "1");
  builder_.slices(a).begin(0, id("outer"), 0);
  builder_.slices(a).begin(1, id("inner"), 1);
  builder_.slices(a).end(4, kNoName, 2);
  const Timeline early = builder_.snapshot();
  EXPECT_FALSE(early.complete);
  EXPECT_EQ(early.slice_count, 2u);
  EXPECT_EQ(early.unfinished_count, 1u);
  EXPECT_FALSE(early.diagnostics.has(diagnostic::kUnfinished));  // it is only still open
  EXPECT_EQ(early.end_ns, 4);
  builder_.slices(a).end(9, kNoName, 3);
  const Timeline timeline = builder_.finish();
  EXPECT_TRUE(timeline.complete);
  EXPECT_EQ(timeline.unfinished_count, 0u);
  EXPECT_EQ(timeline.end_ns, 9);
  EXPECT_EQ(early.end_ns, 4);
}

TEST_F(TimelineBuilderTest, SortsInstantsAndCounters) {
  const ThreadId a = thread("1", "1");
  builder_.instant(a, 9, id("late"), 0);
  builder_.instant(a, 3, id("early"), 1);
  const CounterId counter = builder_.counter(builder_.process("1"), id("memory"));
  builder_.counter_value(counter, id("used"), 8, 2.5);
  builder_.counter_value(counter, id("used"), 2, -1);
  const Timeline timeline = builder_.finish();
  ASSERT_EQ(timeline.tracks.size(), 2u);
  EXPECT_EQ(timeline.tracks[0].instants.begin_ns(0), 3);
  EXPECT_EQ(timeline.tracks[0].instants.name(1), id("late"));
  const CounterSeries& series = timeline.tracks[1].series.at(0);
  EXPECT_EQ(series.time_ns, (std::vector<std::int64_t>{2, 8}));
  EXPECT_EQ(series.min, -1);
  EXPECT_EQ(series.max, 2.5);
  EXPECT_EQ(timeline.begin_ns, 2);
  EXPECT_EQ(timeline.end_ns, 9);
}

// Steps lie in the row below their slice's, those of no slice on the track; a second operation that
// overlaps the first goes to rows of its own, with its steps.
TEST_F(TimelineBuilderTest, StepsStayWithTheirAsyncSlices) {
  const AsyncTrackId track = builder_.async_track(builder_.process("1"), id("load"));
  const auto part = [&](std::int64_t begin, std::int64_t end, RecordOffset record) {
    return AsyncSlice{{begin, end - begin, id("load"), record, kNoRecord, 0}, 0};
  };
  const auto step = [&](std::int64_t time, RecordOffset record, RecordOffset on) {
    return AsyncMark{{time, 0, id("step"), record, kNoRecord, 0}, on};
  };
  builder_.async_group(track, {part(5, 15, 30)}, {step(12, 31, 30), step(8, 32, 30)});
  builder_.async_group(track, {part(0, 10, 10)}, {step(9, 11, 10)});
  builder_.async_group(track, {}, {step(40, 50, kNoRecord)});
  for (const bool last : {false, true}) {
    const Timeline timeline = last ? builder_.finish() : builder_.snapshot();
    ASSERT_EQ(timeline.tracks.size(), 1u);
    const Track& made = timeline.tracks[0];
    const SliceBlock& block = made.root();
    ASSERT_EQ(block.rows.size(), 2u);
    ASSERT_EQ(block.nested_instants.size(), 3u);
    EXPECT_EQ(block.nested_instants[0].count(), 0u);
    EXPECT_EQ(block.nested_instants[1].begin_ns(0), 9);
    ASSERT_EQ(block.nested_instants[2].count(), 2u);
    EXPECT_EQ(block.nested_instants[2].begin_ns(0), 8);
    EXPECT_EQ(made.instants.count(), 1u);
    EXPECT_EQ(made.end_ns, 40);
    const SliceRef around = call_around(timeline, {TrackId{0}, 1, BlockId{0}, 2});
    EXPECT_EQ(slice_at(timeline, around).record, 30u);
    EXPECT_EQ(timeline.async_slice_count, 2u);
    EXPECT_EQ(timeline.async_group_count, 2u);
    EXPECT_EQ(timeline.async_step_count, 4u);
    EXPECT_EQ(timeline.instant_count, 0u);
  }
}

TEST_F(TimelineBuilderTest, LifetimesDoNotNest) {
  const AsyncTrackId track = builder_.lifetime_track(builder_.process("1"), id("Layer"));
  EXPECT_NE(builder_.async_track(builder_.process("1"), id("Layer")), track);
  builder_.async_group(track, {{{0, 100, id("a"), 1, kNoRecord, 0}, 0}});
  builder_.async_group(track, {{{10, 20, id("b"), 2, kNoRecord, 0}, 0}},
                       {{{15, 0, id("seen"), 3, kNoRecord, 0}, 2}});
  const Timeline timeline = builder_.finish();
  ASSERT_EQ(timeline.tracks.size(), 1u);
  EXPECT_EQ(timeline.tracks[0].kind, TrackKind::lifetimes);
  EXPECT_EQ(timeline.lifetime_count, 2u);
  EXPECT_EQ(timeline.lifetime_mark_count, 1u);
  EXPECT_EQ(timeline.async_slice_count, 0u);
  EXPECT_EQ(timeline.slice_count, 0u);
  const SliceRef inner{TrackId{0}, BlockId{0}, 1, 0}, outer{TrackId{0}, BlockId{0}, 0, 0};
  EXPECT_FALSE(parent_of(timeline, inner));
  EXPECT_FALSE(first_child_of(timeline, outer));
  EXPECT_EQ(self_ns(timeline, outer), 100);
}

TEST_F(TimelineBuilderTest, WideInstantsHaveTracksOfTheirOwn) {
  const ThreadId a = thread("1", "1"), b = thread("1", "2");
  builder_.wide_instant(a, false, 9, id("late"), 0);
  builder_.wide_instant(b, false, 3, id("early"), 1);
  builder_.wide_instant(b, true, 5, id("all"), 2);
  builder_.instant(a, 4, id("own"), 3);
  const Timeline timeline = builder_.finish();
  ASSERT_EQ(timeline.tracks.size(), 3u);
  EXPECT_EQ(timeline.instant_count, 4u);
  EXPECT_EQ(timeline.threads[0].wide_instants, 1u);
  EXPECT_EQ(timeline.threads[1].wide_instants, 2u);
  EXPECT_EQ(timeline.threads[1].track, kNoTrack);
  const Track& process = timeline.tracks[1];
  EXPECT_EQ(process.kind, TrackKind::marks);
  EXPECT_FALSE(process.global);
  ASSERT_EQ(process.instants.count(), 2u);
  EXPECT_EQ(process.instants.begin_ns(0), 3);
  EXPECT_TRUE(timeline.tracks[2].global);
  EXPECT_EQ(timeline.begin_ns, 3);
  EXPECT_EQ(timeline.end_ns, 9);
}

TEST_F(TimelineBuilderTest, PacksAsyncGroupsAndKeepsEachTogether) {
  const AsyncTrackId track = builder_.async_track(builder_.process("1"), id("load"));
  const auto part = [&](std::int64_t begin, std::int64_t end, std::uint32_t depth) {
    return AsyncSlice{{begin, end - begin, id("load")}, depth};
  };
  builder_.async_group(track, {part(0, 10, 0), part(2, 4, 1)});
  builder_.async_group(track, {part(5, 15, 0), part(6, 8, 1)});
  builder_.async_group(track, {part(10, 12, 0)});
  const Timeline timeline = builder_.finish();
  ASSERT_EQ(timeline.tracks.size(), 1u);
  const auto& rows = timeline.tracks[0].root().rows;
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].count(), 2u);  // the first group and, once that is over, the third
  EXPECT_EQ(rows[2].begin_ns(0), 5);
  EXPECT_EQ(rows[3].begin_ns(0), 6);
  EXPECT_EQ(timeline.async_group_count, 3u);
}

// Slices "ROW: NAME BEGIN+DURATION", then steps "step ROW: NAME TIME", those on no slice in row 0.
std::string rows_of(const Timeline& timeline, const Track& track) {
  std::string text;
  const auto add = [&](const std::string& what, std::size_t number, const SliceRow& row) {
    for (std::uint64_t i = 0; i < row.count(); ++i) {
      text += what + std::to_string(number) + ": " + std::string(timeline.text(row.name(i))) + " " +
              std::to_string(row.begin_ns(i)) + "+" + std::to_string(row.duration_ns(i)) + "\n";
    }
  };
  const SliceBlock& block = track.root();
  for (std::size_t i = 0; i < block.rows.size(); ++i) add("", i, block.rows[i]);
  add("step ", 0, track.instants);
  for (std::size_t i = 0; i < block.nested_instants.size(); ++i) {
    add("step ", i, block.nested_instants[i]);
  }
  return text;
}

TEST_F(TimelineBuilderTest, PutsGroupsAndTheirStepsInOrderByTime) {
  const auto slice = [&](std::int64_t begin, std::int64_t end, RecordOffset record) {
    return AsyncSlice{{begin, end - begin, id("load"), record}, 0};
  };
  const auto step = [&](std::int64_t time, const char* name, RecordOffset on) {
    return AsyncMark{{time, 0, id(name), RecordOffset{100}, kNoRecord, 0}, on};
  };
  // Steps of equal time: those of groups without a slice first, then as their groups begin.
  const auto add_all = [&](AsyncTrackId track, bool sorted) {
    if (!sorted) builder_.async_group(track, {slice(50, 60, 5)}, {step(55, "late", 5)});
    builder_.async_group(track, {slice(0, 10, 1)}, {step(5, "a", 1), step(7, "none", kNoRecord)});
    builder_.async_group(track, {slice(2, 9, 2)}, {step(5, "b", 2), step(6, "c", 99)});
    if (sorted) builder_.async_group(track, {slice(50, 60, 5)}, {step(55, "late", 5)});
  };
  const std::string expected =
      "0: load 0+10\n0: load 50+10\n1: load 2+7\n"
      "step 0: c 6+0\nstep 0: none 7+0\nstep 1: a 5+0\nstep 1: late 55+0\nstep 2: b 5+0\n";
  add_all(builder_.async_track(builder_.process("1"), id("sorted")), true);
  add_all(builder_.async_track(builder_.process("1"), id("mixed")), false);
  const AsyncTrackId orphans = builder_.async_track(builder_.process("1"), id("orphans"));
  builder_.expect_async_group(orphans, 1, 1);  // more may come than was told of
  builder_.async_group(orphans, {slice(0, 10, 1)}, {step(5, "a", 1)});
  builder_.async_group(orphans, {}, {step(5, "orphan", 1)});
  const Timeline timeline = builder_.finish();
  ASSERT_EQ(timeline.tracks.size(), 3u);
  EXPECT_EQ(rows_of(timeline, timeline.tracks[0]), expected);
  EXPECT_EQ(rows_of(timeline, timeline.tracks[1]), expected);
  EXPECT_EQ(rows_of(timeline, timeline.tracks[2]),
            "0: load 0+10\nstep 0: orphan 5+0\nstep 1: a 5+0\n");
  EXPECT_EQ(timeline.async_group_count, 7u);
  EXPECT_EQ(timeline.async_step_count, 12u);
}

TEST_F(TimelineBuilderTest, KnowsWhenAnAsyncTrackIsBusyOnAnyOfItsRows) {
  const auto part = [&](std::int64_t begin, std::int64_t end, std::uint32_t depth) {
    return AsyncSlice{{begin, end - begin, id("load")}, depth};
  };
  const AsyncTrackId nested = builder_.async_track(builder_.process("1"), id("nested"));
  builder_.async_group(nested, {part(0, 10, 0), part(2, 4, 1)});
  const AsyncTrackId beside = builder_.async_track(builder_.process("1"), id("beside"));
  builder_.async_group(beside, {part(0, 4, 0)});
  builder_.async_group(beside, {part(10, 20, 0)});
  builder_.async_group(beside, {part(15, 25, 0)});
  builder_.async_group(beside, {part(40, 50, 0)});
  const Timeline timeline = builder_.finish();
  ASSERT_EQ(timeline.tracks.size(), 2u);
  EXPECT_EQ(timeline.tracks[0].busy_row(), &timeline.tracks[0].root().rows[0]);
  const SliceRow& busy = *timeline.tracks[1].busy_row();
  ASSERT_EQ(busy.count(), 3u);
  EXPECT_EQ(busy.end_ns(0), 4);
  EXPECT_EQ(busy.begin_ns(1), 10);
  EXPECT_EQ(busy.end_ns(1), 25);  // no single row is busy as long
  EXPECT_EQ(busy.begin_ns(2), 40);
}

TEST_F(TimelineBuilderTest, BindsFlowsToTheSlicesAroundAndAfter) {
  const ThreadId a = thread("1", "1"), b = thread("1", "2");
  builder_.slices(a).complete(0, 10, id("outer"), 0);
  builder_.slices(a).complete(2, 4, id("inner"), 1);
  builder_.slices(b).complete(20, 5, id("sink"), 2);
  builder_.flow(id("hop"), false, {{a, 3, FlowBinding::enclosing}, {b, 15, FlowBinding::next}});
  builder_.flow(id("end"), false, {{a, 10, FlowBinding::enclosing}, {b, 40, FlowBinding::next}});
  const Timeline timeline = builder_.finish();
  ASSERT_EQ(timeline.flows->points.size(), 4u);
  EXPECT_EQ(timeline.flows->points.slice(0).row, 1u);  // inner
  EXPECT_EQ(timeline.flows->points.slice(1).track, timeline.threads[index(b)].track);
  EXPECT_EQ(timeline.flows->points.slice(2).row, 0u);  // outer, which ends right there
  EXPECT_EQ(timeline.flows->points.slice(3).track, kNoTrack);
  EXPECT_EQ(timeline.flows->by_slice.size(), 3u);
  EXPECT_EQ(timeline.flow_count, 2u);
}

TEST_F(TimelineBuilderTest, KnowsParentsChildrenAndSelfTime) {
  const ThreadId a = thread("1", "1");
  TrackWriter& writer = builder_.slices(a);
  writer.complete(0, 100, id("outer"), 0);
  writer.complete(10, 20, id("left"), 1);
  writer.complete(40, 30, id("right"), 2);
  writer.complete(45, 5, id("leaf"), 3);
  const Timeline timeline = builder_.finish();
  const TrackId track = timeline.threads[0].track;
  const SliceRef outer{track, BlockId{0}, 0, 0}, right{track, BlockId{0}, 1, 1};
  const SliceRef leaf{track, BlockId{0}, 2, 0};
  EXPECT_EQ(parent_of(timeline, leaf), right);
  EXPECT_EQ(parent_of(timeline, right), outer);
  EXPECT_FALSE(parent_of(timeline, outer));
  EXPECT_EQ(first_child_of(timeline, right), leaf);
  EXPECT_EQ(first_child_of(timeline, outer), (SliceRef{track, BlockId{0}, 1, 0}));
  EXPECT_EQ(neighbour_of(timeline, right, -1), (SliceRef{track, BlockId{0}, 1, 0}));
  EXPECT_FALSE(neighbour_of(timeline, right, 1));
  EXPECT_EQ(self_ns(timeline, outer), 50);
  EXPECT_EQ(self_ns(timeline, right), 25);
  EXPECT_EQ(self_ns(timeline, leaf), 5);
}

TEST_F(TimelineBuilderTest, CountsSelfTimeOfOverlappingChildrenOnce) {
  const ThreadId a = thread("1", "1");
  TrackWriter& writer = builder_.slices(a);
  writer.complete(0, 100, id("outer"), 0);
  writer.complete(10, 50, id("x"), 1);
  writer.complete(50, 30, id("y"), 2);
  const Timeline timeline = builder_.finish();
  EXPECT_EQ(self_ns(timeline, {timeline.threads[0].track, BlockId{0}, 0, 0}), 30);
}

TEST_F(TimelineBuilderTest, HandlesStaleReferences) {
  const ThreadId a = thread("1", "1");
  builder_.slices(a).complete(0, 1, id("f"), 0);
  const Timeline timeline = builder_.finish();
  for (const SliceRef& stale :
       {SliceRef{TrackId{9}, BlockId{0}, 0, 0}, SliceRef{TrackId{0}, BlockId{5}, 0, 0},
        SliceRef{TrackId{0}, BlockId{0}, 7, 0}, SliceRef{TrackId{0}, BlockId{0}, 0, 7}}) {
    EXPECT_EQ(block_of(timeline, stale), nullptr);
    EXPECT_FALSE(parent_of(timeline, stale));
    EXPECT_FALSE(first_child_of(timeline, stale));
    EXPECT_EQ(self_ns(timeline, stale), 0);
  }
}

TEST_F(TimelineBuilderTest, KeepsCallsOfAThreadOnATrackOfTheirOwn) {
  const ThreadId a = thread("1", "7");
  builder_.slices(a).complete(0, 5, id("f"), 0);
  builder_.call_slices(a, id("calls")).complete(0, 9, id("GET /"), 1);
  builder_.sample_slices(a, id("calls")).complete(0, 3, id("sample"), 2);
  const Timeline timeline = builder_.finish();
  ASSERT_EQ(timeline.tracks.size(), 3u);
  EXPECT_EQ(timeline.tracks[1].kind, TrackKind::calls);
  EXPECT_EQ(timeline.tracks[1].thread, a);
  EXPECT_EQ(timeline.tracks[2].kind, TrackKind::samples);
  EXPECT_EQ(timeline.slice_count, 1u);
  EXPECT_EQ(timeline.slices_end_ns, 5);
  EXPECT_EQ(timeline.threads[index(a)].track, TrackId{0});
}

TEST_F(TimelineBuilderTest, GivesPausesToTheirProcess) {
  const ThreadId a = thread("1", "7"), b = thread("2", "7");
  builder_.slices(a).complete(0, 5, id("f"), 0);
  builder_.slices(b).complete(0, 5, id("f"), 1);
  builder_.pauses(builder_.process("2"), {{1, 2}, {2, 4}});
  const Timeline timeline = builder_.finish();
  EXPECT_EQ(pauses_of(timeline, TrackId{0}), nullptr);
  ASSERT_NE(pauses_of(timeline, TrackId{1}), nullptr);
  EXPECT_EQ(pauses_of(timeline, TrackId{1})->all(), (std::vector<Pause>{{1, 4}}));
  EXPECT_EQ(pauses_of(timeline, kNoTrack), nullptr);
}

}  // namespace
}  // namespace cinderscope
