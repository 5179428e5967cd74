#include "render/layout/track_list.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

// Two processes, three threads, a counter.
Timeline small_timeline() {
  TimelineBuilder builder;
  const ProcessId later = builder.process("20");
  const ProcessId first = builder.process("3");
  builder.process_facts(later).name = builder.intern("Renderer");
  builder.process_facts(later).sort_index = 5;
  const ThreadId a = builder.thread(later, "10");
  const ThreadId b = builder.thread(later, "9");
  const ThreadId main = builder.thread(first, "3");
  builder.thread_facts(a).name = builder.intern("Compositor");
  builder.thread_facts(b).name = builder.intern("Audio");
  const StringId name = builder.intern("f");
  builder.slices(a).complete(100, 50, name, 1);
  builder.slices(a).complete(110, 20, name, 2);
  builder.slices(b).complete(200, 50, name, 3);
  builder.slices(main).complete(300, 50, name, 4);
  builder.counter_value(builder.counter(first, builder.intern("heap")), kEmptyString, 400, 5);
  return builder.finish();
}

std::string rows_of(const Timeline& timeline, const TimelineState& state) {
  TrackList list;
  list.update(timeline, state);
  std::string text;
  for (const TrackRow& row : list.rows()) {
    const bool head = row.kind == TrackRow::Kind::head;
    if (!text.empty()) text += head ? "; " : ", ";
    text += head ? group_label(timeline, list.groups()[row.group])
                 : track_label(timeline, timeline.tracks[index(row.track)]);
  }
  return text;
}

TEST(TrackListTest, OrdersBySortIndexThenById) {
  EXPECT_EQ(rows_of(small_timeline(), {}),
            "Process 3, Thread 3, heap; Renderer, Audio, Compositor");
}

TEST(TrackListTest, OrdersByTimeNameAndId) {
  TimelineState state;
  state.order = TrackOrder::first_time;
  EXPECT_EQ(rows_of(small_timeline(), state),
            "Renderer, Compositor, Audio; Process 3, Thread 3, heap");
  state.order = TrackOrder::name;
  EXPECT_EQ(rows_of(small_timeline(), state),
            "Process 3, Thread 3, heap; Renderer, Audio, Compositor");
  state.order = TrackOrder::id;
  EXPECT_EQ(rows_of(small_timeline(), state),
            "Process 3, Thread 3, heap; Renderer, Audio, Compositor");
}

TEST(TrackListTest, NamesWhatHasNoIdAndTakesNamesForIds) {
  TimelineBuilder builder;
  builder.slices(builder.thread(builder.process("-"), "")).complete(0, 1, builder.intern("a"), 1);
  builder.slices(builder.thread(builder.process("Traces"), "PyTorch Profiler"))
      .complete(0, 1, builder.intern("a"), 2);
  EXPECT_EQ(rows_of(builder.finish(), {}), "(no process), (no thread); Traces, PyTorch Profiler");
}

TEST(TrackListTest, WhatBelongsToAllProcessesStandsAboveThemWithoutAHead) {
  TimelineBuilder builder;
  const ThreadId a = builder.thread(builder.process("1"), "7");
  const ThreadId b = builder.thread(builder.process("2"), "8");
  builder.slices(a).complete(0, 10, builder.intern("a"), 1);
  builder.slices(b).complete(0, 10, builder.intern("b"), 2);
  builder.wide_instant(b, true, 5, builder.intern("of all"), 3);
  builder.wide_instant(b, false, 5, builder.intern("of 2"), 4);
  const Timeline timeline = builder.snapshot();
  const std::string rows = rows_of(timeline, {});
  EXPECT_TRUE(rows.starts_with("Global instants; Process 1, Thread 7; Process 2,")) << rows;
  TimelineState state;
  state.collapsed_processes = {0, 1};  // has no part in it
  EXPECT_TRUE(rows_of(timeline, state).starts_with("Global instants; Process 1; "))
      << rows_of(timeline, state);
  state = {};
  state.grouped = false;
  EXPECT_EQ(rows_of(timeline, state).find(';'), std::string::npos);
  // Of several the heads tell which process recorded them.
  builder.wide_instant(a, true, 6, builder.intern("of all, too"), 5);
  EXPECT_TRUE(rows_of(builder.finish(), {}).starts_with("Process 1, Global instants, Thread 7; "));
}

TEST(TrackListTest, HeadsNameTheFileWhereThereAreSeveral) {
  Timeline timeline = small_timeline();
  timeline.files = {{"run-a", "/x/run-a.json"}, {"run-b", "/x/run-b.json"}};
  for (std::uint32_t i = 0; i < timeline.processes.size(); ++i) timeline.processes[i].file = i;
  EXPECT_EQ(process_label(timeline, ProcessId{0}),
            process_name(timeline, ProcessId{0}) + " (run-a)");
  TimelineState state;
  state.filter = "RUN-B";
  const std::string rows = rows_of(timeline, state);
  EXPECT_NE(rows.find(" (run-b)"), std::string::npos) << rows;
  EXPECT_EQ(rows.find(" (run-a)"), std::string::npos) << rows;
}

TEST(TrackListTest, FiltersWithoutCase) {
  TimelineState state;
  state.filter = "AUDIO";
  EXPECT_EQ(rows_of(small_timeline(), state), "Renderer, Audio");
  state.filter = "render";
  EXPECT_EQ(rows_of(small_timeline(), state), "Renderer, Audio, Compositor");
  state.filter = "nothing has this name";
  EXPECT_EQ(rows_of(small_timeline(), state), "");
}

TEST(TrackListTest, FoldsAndHides) {
  const Timeline timeline = small_timeline();
  TimelineState state;
  state.collapsed_processes = {index(timeline.tracks[0].process)};
  const std::string folded = rows_of(timeline, state);
  EXPECT_EQ(folded.find("Compositor"), std::string::npos);
  EXPECT_NE(folded.find("Renderer"), std::string::npos);

  state = {};
  state.hidden_tracks = {0};
  TrackList list;
  list.update(timeline, state);
  EXPECT_EQ(list.row_of(TrackId(0)), nullptr);
  std::uint32_t hidden = 0;
  for (const TrackRow& row : list.rows()) hidden += row.hidden_tracks;
  EXPECT_EQ(hidden, 1u);
}

TEST(TrackListTest, TracksAreAsHighAsTheyNeedAndTheirLimitAllows) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  for (const char* tid : {"1", "2"}) {
    TrackWriter& slices = builder.slices(builder.thread(process, tid));
    for (std::int64_t i = 0; i < 100; ++i) slices.complete(i, 1000 - 2 * i, builder.intern("f"), 1);
  }
  const Timeline timeline = builder.finish();
  TimelineState state;
  TrackList list;
  list.update(timeline, state);
  const double all_px = list.rows()[1].height_px;
  EXPECT_EQ(list.rows()[1].shown_depth, 100u);

  const std::vector<float> needed{10, 30.5f};
  EXPECT_TRUE(list.fit(needed, timeline, state));
  EXPECT_FALSE(list.fit(needed, timeline, state));
  EXPECT_EQ(list.rows()[1].shown_depth, 10u);
  EXPECT_DOUBLE_EQ(list.rows()[1].height_px, all_px - 90 * kRowStepPx);
  EXPECT_EQ(list.rows()[2].shown_depth, 30u);  // the next one is on its way
  EXPECT_DOUBLE_EQ(list.rows()[2].y_px, kProcessHeadPx + list.rows()[1].height_px);
  EXPECT_EQ(list.row_at(list.height_px() - 1), 2u);

  state.depth_limits[1] = 5;
  EXPECT_TRUE(list.update(timeline, state));
  EXPECT_EQ(list.rows()[1].shown_depth, 10u);  // as it was fitted
  EXPECT_EQ(list.rows()[1].hidden_rows, 0u);
  EXPECT_EQ(list.rows()[2].shown_depth, 5u);
  EXPECT_EQ(list.rows()[2].hidden_rows, 26u);
  EXPECT_DOUBLE_EQ(list.rows()[2].height_px, all_px - 95 * kRowStepPx + kHiddenRowsPx);
}

TEST(TrackListTest, LeavesOutThreadsWithoutMatchesWhileSomethingIsSearched) {
  TimelineState state;
  state.hide_without_matches = true;
  const std::string all = rows_of(small_timeline(), {});
  EXPECT_EQ(rows_of(small_timeline(), state), all);
  state.matched_tracks = IndexSet{1};
  EXPECT_EQ(rows_of(small_timeline(), state), "Renderer, Audio");
  state.hide_without_matches = false;
  EXPECT_EQ(rows_of(small_timeline(), state), all);
}

TEST(TrackListTest, CountsWhatTheFilterLeavesFoldedOrNot) {
  const Timeline timeline = small_timeline();
  TimelineState state;
  state.filter = "renderer";
  TrackList list;
  list.update(timeline, state);
  EXPECT_EQ(list.filtered_tracks(), 2u);
  state.collapsed_processes = {0};
  state.hidden_tracks = {0};
  list.update(timeline, state);
  EXPECT_EQ(list.filtered_tracks(), 2u);
  ASSERT_EQ(list.rows().size(), 1u);
  EXPECT_EQ(list.members(list.rows()[0]).size(), 1u);  // what is hidden is no part of the head
}

TEST(TrackListTest, FiltersByIdsAndByGroups) {
  TimelineState state;
  state.filter = "20";  // a process
  EXPECT_EQ(rows_of(small_timeline(), state), "Renderer, Audio, Compositor");
  state.filter = "9";
  EXPECT_EQ(rows_of(small_timeline(), state), "Renderer, Audio");
  state.group_pattern = "^[A-Z]";
  state.filter = "c";
  EXPECT_EQ(rows_of(small_timeline(), state), "C, Compositor");
}

TEST(TrackListTest, ShowsOnlySoloTracksUntilTheyAreGivenUp) {
  const Timeline timeline = small_timeline();
  TimelineState state;
  const std::string all = rows_of(timeline, state);
  state.hidden_tracks = {0};
  state.solo_tracks = {0};
  EXPECT_EQ(rows_of(timeline, state), "Renderer, Compositor");
  state.solo_tracks.clear();
  EXPECT_EQ(rows_of(timeline, state), "Process 3, Thread 3, heap; Renderer, Audio");
  state.hidden_tracks.clear();
  EXPECT_EQ(rows_of(timeline, state), all);
}

TEST(TrackListTest, ShowsPinnedTracksInAListOfTheirOwn) {
  const Timeline timeline = small_timeline();
  TimelineState state;
  state.pinned_tracks = {2, 0, 2, 99};  // twice, and one that is not there
  state.collapsed_processes = {index(timeline.tracks[0].process)};
  TrackList pinned(TrackPart::pinned), main;
  EXPECT_TRUE(pinned.update(timeline, state));
  main.update(timeline, state);
  ASSERT_EQ(pinned.rows().size(), 2u);
  EXPECT_EQ(pinned.rows()[0].track, TrackId(2));
  EXPECT_TRUE(pinned.rows()[0].pinned);
  EXPECT_EQ(pinned.rows()[1].y_px, pinned.rows()[0].height_px);
  EXPECT_NE(pinned.row_of(TrackId(0)), nullptr);
  EXPECT_EQ(main.row_of(TrackId(0)), nullptr);
  state.hidden_tracks = {2};
  EXPECT_TRUE(pinned.update(timeline, state));
  EXPECT_EQ(pinned.rows().size(), 1u);
}

TEST(TrackListTest, GroupsByPatternFoldLikeProcesses) {
  const Timeline timeline = small_timeline();
  TimelineState state;
  state.group_pattern = "^[A-Z]";
  EXPECT_EQ(rows_of(timeline, state), "A, Audio; C, Compositor; other, Thread 3, heap");
  state.collapsed_groups = {"C"};
  EXPECT_EQ(rows_of(timeline, state), "A, Audio; C; other, Thread 3, heap");
  state.grouped = false;
  state.group_pattern.clear();
  state.order = TrackOrder::name;
  EXPECT_EQ(rows_of(timeline, state), "Thread 3, Audio, Compositor, heap");
}

TEST(TrackListTest, KnowsTheRowsUnderAHead) {
  TimelineBuilder builder;
  for (int p = 0; p < 40; ++p) {
    const ProcessId process = builder.process(std::to_string(p));
    for (int t = 0; t < p; ++t) {
      builder.slices(builder.thread(process, std::to_string(t))).complete(1, 1, kEmptyString, 0);
    }
  }
  const Timeline timeline = builder.finish();
  TrackList list;
  list.update(timeline, {});
  for (std::size_t i = 0; i < list.rows().size(); ++i) {
    const TrackList::Span span = list.group_rows(i);
    ASSERT_GE(span.first, 1u);
    EXPECT_EQ(list.rows()[span.first - 1].kind, TrackRow::Kind::head) << i;
    for (std::size_t j = span.first; j < span.end; ++j) {
      ASSERT_EQ(list.rows()[j].group, list.rows()[i].group) << i;
      ASSERT_NE(list.rows()[j].kind, TrackRow::Kind::head) << i;
    }
    const std::string pid(timeline.text(timeline.processes[index(list.rows()[i].process)].pid));
    EXPECT_EQ(std::to_string(span.end - span.first), pid);
  }
}

TEST(TrackListTest, TellsHeadsWhetherAllTheirThreadsAreFolded) {
  const Timeline timeline = small_timeline();
  TimelineState state;
  TrackList list;
  list.update(timeline, state);
  EXPECT_FALSE(list.rows()[0].tracks_collapsed);
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) state.collapsed_tracks.insert(i);
  list.update(timeline, state);
  EXPECT_TRUE(list.rows()[0].tracks_collapsed);
}

TEST(TrackListTest, FindsRowsByPlace) {
  const Timeline timeline = small_timeline();
  TrackList list;
  list.update(timeline, {});
  for (std::size_t i = 0; i < list.rows().size(); ++i) {
    const TrackRow& row = list.rows()[i];
    EXPECT_EQ(list.row_at(row.y_px), i);
    EXPECT_EQ(list.row_at(row.y_px + row.height_px - 0.01), i);
  }
  EXPECT_EQ(list.row_at(-1), list.rows().size());
  EXPECT_EQ(list.row_at(list.height_px()), list.rows().size());
}

TEST(TrackListTest, ChangesOnlyWhenSomethingDid) {
  const Timeline timeline = small_timeline();
  TimelineState state;
  TrackList list;
  EXPECT_TRUE(list.update(timeline, state));
  EXPECT_FALSE(list.update(timeline, state));
  state.view.ns_per_px = 5;
  EXPECT_FALSE(list.update(timeline, state));
  state.collapsed_tracks.insert(0);
  EXPECT_TRUE(list.update(timeline, state));
  EXPECT_FALSE(list.update(timeline, state));
  EXPECT_TRUE(list.update(timeline, state, 1));  // child blocks came
  EXPECT_FALSE(list.update(timeline, state, 1));
  EXPECT_TRUE(list.update(small_timeline(), state));
}

TEST(TrackListTest, SurvivesSortIndicesThatAreNoNumbers) {
  TimelineBuilder builder;
  for (int i = 0; i < 100; ++i) {
    const ProcessId process = builder.process(std::to_string(i));
    builder.process_facts(process).sort_index = i % 3 == 0 ? std::nan("") : -i;
    builder.slices(builder.thread(process, "nan")).complete(i, 1, kEmptyString, 0);
  }
  TrackList list;
  list.update(builder.finish(), {});
  EXPECT_EQ(list.rows().size(), 200u);
}

}  // namespace
}  // namespace cinderscope
