#include "app/session/timeline_swap.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

struct Call {
  const char* pid;
  const char* tid;
  const char* name;
  std::int64_t begin_ns, duration_ns;
  RecordOffset record;
};

Timeline timeline_of(const std::vector<Call>& calls) {
  TimelineBuilder builder;
  for (const Call& call : calls) {
    const ThreadId thread = builder.thread(builder.process(call.pid), call.tid);
    if (call.duration_ns < 0) {
      builder.instant(thread, call.begin_ns, builder.intern(call.name), call.record);
    } else {
      builder.slices(thread).complete(call.begin_ns, call.duration_ns, builder.intern(call.name),
                                      call.record);
    }
  }
  return builder.finish();
}

TrackId track_of(const Timeline& timeline, std::string_view pid, std::string_view tid) {
  for (const Thread& thread : timeline.threads) {
    if (timeline.text(thread.tid) == tid &&
        timeline.text(timeline.processes[index(thread.process)].pid) == pid) {
      return thread.track;
    }
  }
  return kNoTrack;
}

const std::vector<Call> kBefore = {{"1", "1", "a", 0, 100, 0},
                                   {"1", "2", "b", 0, 100, 10},
                                   {"2", "1", "c", 0, 100, 20},
                                   {"2", "1", "d", 10, 20, 30},
                                   {"2", "1", "mark", 50, -1, 40}};
// The same in another order, with another thread in front.
const std::vector<Call> kAfter = {{"9", "9", "new", 0, 100, 50}, {"2", "1", "c", 0, 100, 20},
                                  {"2", "1", "d", 10, 20, 30},   {"2", "1", "mark", 50, -1, 40},
                                  {"1", "2", "b", 0, 100, 10},   {"1", "1", "a", 0, 100, 0}};

TEST(TimelineSwapTest, FindsThreadsAgainByProcessAndId) {
  const Timeline from = timeline_of(kBefore), to = timeline_of(kAfter);
  TimelineState state;
  state.collapsed_tracks = {index(track_of(from, "1", "1"))};
  state.hidden_tracks = {index(track_of(from, "2", "1")), index(track_of(from, "1", "2"))};
  state.collapsed_processes = {1};  // process 2
  state.solo_tracks = {index(track_of(from, "2", "1"))};
  const TimelineState now = carried_over(state, from, to);
  EXPECT_EQ(now.collapsed_tracks, (std::set{index(track_of(to, "1", "1"))}));
  EXPECT_EQ(now.solo_tracks, (std::set{index(track_of(to, "2", "1"))}));
  EXPECT_EQ(now.hidden_tracks,
            (std::set{index(track_of(to, "2", "1")), index(track_of(to, "1", "2"))}));
  ASSERT_EQ(now.collapsed_processes.size(), 1u);
  EXPECT_EQ(to.text(to.processes[*now.collapsed_processes.begin()].pid), "2");
}

TEST(TimelineSwapTest, KeepsPinnedAndMovedThreadsInTheirOrder) {
  const Timeline from = timeline_of(kBefore), to = timeline_of(kAfter);
  const auto at = [](const Timeline& timeline, const char* pid, const char* tid) {
    return index(track_of(timeline, pid, tid));
  };
  TimelineState state;
  state.pinned_tracks = {at(from, "2", "1"), at(from, "1", "1")};
  state.moved_tracks = {at(from, "1", "2"), at(from, "2", "1"), at(from, "1", "1")};
  state.bookmarks = {{.begin_ns = 1, .end_ns = 2, .time_ns = 1, .note = "here"}};
  const TimelineState now = carried_over(state, from, to);
  EXPECT_EQ(now.pinned_tracks, (std::vector{at(to, "2", "1"), at(to, "1", "1")}));
  EXPECT_EQ(now.moved_tracks, (std::vector{at(to, "1", "2"), at(to, "2", "1"), at(to, "1", "1")}));
  ASSERT_EQ(now.bookmarks.size(), 1u);
  EXPECT_EQ(now.bookmarks[0].note, "here");
  const TimelineState gone = carried_over(state, from, timeline_of({{"9", "9", "new", 0, 1, 0}}));
  EXPECT_TRUE(gone.pinned_tracks.empty());
}

TEST(TimelineSwapTest, FindsTheSelectedCallAgain) {
  const Timeline from = timeline_of(kBefore), to = timeline_of(kAfter);
  TimelineState state;
  state.selected = {track_of(from, "2", "1"), BlockId{0}, 1, 0};
  state.hovered = state.selected;
  const TimelineState now = carried_over(state, from, to);
  EXPECT_EQ(now.selected, (SliceRef{track_of(to, "2", "1"), BlockId{0}, 1, 0}));
  EXPECT_FALSE(now.hovered);  // the pointer will tell
}

TEST(TimelineSwapTest, FindsTheSelectedInstantAgain) {
  const Timeline from = timeline_of(kBefore), to = timeline_of(kAfter);
  TimelineState state;
  state.selected_instant = {track_of(from, "2", "1"), 0};
  EXPECT_EQ(carried_over(state, from, to).selected_instant,
            (InstantRef{track_of(to, "2", "1"), 0}));
}

// As more is read an operation may go to another row, with its steps.
TEST(TimelineSwapTest, FindsTheSelectedStepAndCounterAgain) {
  const auto made = [](bool with_more) {
    TimelineBuilder builder;
    const ProcessId process = builder.process("1");
    if (with_more) builder.counter_value(builder.counter(process, builder.intern("a")), {}, 0, 1);
    const AsyncTrackId track = builder.async_track(process, builder.intern("load"));
    if (with_more) builder.async_group(track, {{{0, 100, builder.intern("load"), 1}, 0}});
    builder.async_group(track, {{{10, 50, builder.intern("load"), 2}, 0}},
                        {{{20, 0, builder.intern("step"), 3}, 2}});
    builder.counter_value(builder.counter(process, builder.intern("b")), {}, 0, 1);
    return builder.finish();
  };
  const Timeline from = made(false), to = made(true);
  TimelineState state;
  state.selected_instant = {TrackId{0}, 0, BlockId{}, 1};
  EXPECT_EQ(carried_over(state, from, to).selected_instant,
            (InstantRef{TrackId{0}, 0, BlockId{}, 2}));
  state.selected_instant = {};
  state.selected_counter = {TrackId{1}, 5};
  const CounterRef counter = carried_over(state, from, to).selected_counter;
  EXPECT_EQ(to.text(to.tracks[index(counter.track)].name), "b");
  EXPECT_EQ(counter.time_ns, 5);
}

TEST(TimelineSwapTest, DropsWhatIsNotThereAnyMore) {
  const Timeline from = timeline_of(kBefore);
  const Timeline to = timeline_of({{"1", "1", "a", 0, 100, 0}, {"2", "1", "c", 5, 100, 20}});
  TimelineState state;
  state.hidden_tracks = {index(track_of(from, "1", "2"))};
  state.selected = {track_of(from, "2", "1"), BlockId{0}, 1, 0};
  state.selected_instant = {track_of(from, "2", "1"), 0};
  const TimelineState now = carried_over(state, from, to);
  EXPECT_TRUE(now.hidden_tracks.empty());
  EXPECT_FALSE(now.selected);
  EXPECT_FALSE(now.selected_instant);
}

TEST(TimelineSwapTest, TellsCallsOfTheSameNameAndBeginApartByTheirRecord) {
  const std::vector<Call> calls = {{"1", "1", "f", 0, 10, 0}, {"1", "1", "f", 0, 5, 1}};
  const Timeline from = timeline_of(calls), to = timeline_of(calls);
  for (std::uint32_t row = 0; row < 2; ++row) {
    TimelineState state;
    state.selected = {TrackId{0}, BlockId{0}, row, 0};
    EXPECT_EQ(carried_over(state, from, to).selected, state.selected);
  }
}

TEST(TimelineSwapTest, FollowsACallThatMovedToAnotherRow) {
  const Timeline from = timeline_of({{"1", "1", "f", 10, 5, 7}});
  const Timeline to = timeline_of({{"1", "1", "main", 0, 100, 3}, {"1", "1", "f", 10, 5, 7}});
  TimelineState state;
  state.selected = {TrackId{0}, BlockId{0}, 0, 0};
  EXPECT_EQ(carried_over(state, from, to).selected, (SliceRef{TrackId{0}, BlockId{0}, 1, 0}));
}

TEST(TimelineSwapTest, TakesStaleReferencesForNothing) {
  const Timeline from = timeline_of(kBefore), to = timeline_of(kAfter);
  for (const SliceRef& stale :
       {SliceRef{TrackId{99}, BlockId{0}, 0, 0}, SliceRef{TrackId{0}, BlockId{3}, 0, 0},
        SliceRef{TrackId{0}, BlockId{0}, 8, 0}, SliceRef{TrackId{0}, BlockId{0}, 0, 999}}) {
    TimelineState state;
    state.selected = stale;
    state.hidden_tracks = {77};
    const TimelineState now = carried_over(state, from, to);
    EXPECT_FALSE(now.selected);
    EXPECT_TRUE(now.hidden_tracks.empty());
  }
  TimelineState state;
  state.selected_instant = {TrackId{0}, 12345};
  EXPECT_FALSE(carried_over(state, from, to).selected_instant);
  state.selected_instant = {TrackId{99}, 0};
  EXPECT_FALSE(carried_over(state, from, to).selected_instant);
}

TEST(TimelineSwapTest, LeavesViewRangeFilterAndOrderAlone) {
  const Timeline from = timeline_of(kBefore), to = timeline_of(kAfter);
  TimelineState state;
  state.view = showing(10, 20, 500);
  state.scroll_px = 38;
  state.range = TimeRange{3, 4};
  state.filter = "main";
  state.order = TrackOrder::name;
  const TimelineState now = carried_over(state, from, to);
  EXPECT_EQ(now.view, state.view);
  EXPECT_EQ(now.scroll_px, 38);
  EXPECT_EQ(now.range->begin_ns, 3);
  EXPECT_EQ(now.filter, "main");
  EXPECT_EQ(now.order, TrackOrder::name);
}

TEST(TimelineSwap, FindsACallOfAProfileThatIsWeighedAnew) {
  Timeline from = timeline_of({{"1", "1", "a", 0, 10, 0}, {"1", "1", "b", 10, 5, 1}});
  Timeline to = timeline_of({{"1", "1", "b", 0, 90, 1}, {"1", "1", "a", 90, 1, 0}});
  from.weights = to.weights = {{"x", "x"}, {"y", "y"}};
  to.weight = 1;
  EXPECT_TRUE(is_weighed_anew(from, to));
  EXPECT_FALSE(is_weighed_anew(from, from));
  const TrackId track = track_of(from, "1", "1");
  TimelineState state;
  state.selected = {track, BlockId{}, 0, 1};  // b
  const SliceRef found = carried_over(state, from, to).selected;
  ASSERT_TRUE(found);
  EXPECT_EQ(to.text(slice_at(to, found).name), "b");
  EXPECT_EQ(slice_at(to, found).duration_ns, 90);
}

}  // namespace
}  // namespace cinderscope
