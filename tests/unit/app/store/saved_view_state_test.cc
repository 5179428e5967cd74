#include "app/store/saved_view_state.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <utility>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

struct Call {
  std::string pid, tid;
};

Timeline timeline_of(const std::vector<Call>& calls) {
  TimelineBuilder builder;
  std::int64_t at_ns = 0;
  for (const Call& call : calls) {
    const ThreadId thread = builder.thread(builder.process(call.pid), call.tid);
    builder.slices(thread).complete(at_ns++, 1, builder.intern("call"), 0);
  }
  return builder.finish();
}

std::uint32_t track_of(const Timeline& timeline, std::string_view pid, std::string_view tid) {
  for (const Thread& thread : timeline.threads) {
    if (timeline.text(thread.tid) == tid &&
        timeline.text(timeline.processes[index(thread.process)].pid) == pid) {
      return index(thread.track);
    }
  }
  return UINT32_MAX;
}

// As a later start of the program finds it.
SavedViewState through_text(const SavedViewState& saved) {
  const auto again = view_state_from(view_state_json("/a.json", {.size_bytes = 7}, saved));
  EXPECT_TRUE(again);
  EXPECT_EQ(again->path, "/a.json");
  EXPECT_EQ(again->identity.size_bytes, 7u);
  return again ? again->saved : SavedViewState();
}

TEST(FileMemoryTest, PutsThreadsBackWhereverTheyAreNow) {
  const Timeline from = timeline_of({{"1", "1"}, {"1", "2"}, {"2", "1"}, {"3", "5"}});
  const Timeline to = timeline_of({{"9", "9"}, {"2", "1"}, {"1", "2"}, {"1", "1"}});
  TimelineState state;
  state.hidden_tracks = {track_of(from, "1", "2"), track_of(from, "3", "5")};
  state.collapsed_tracks = {track_of(from, "2", "1")};
  state.collapsed_processes = {1};  // process 2
  state.pinned_tracks = {track_of(from, "2", "1"), track_of(from, "1", "1")};
  state.moved_tracks = {track_of(from, "2", "1"), track_of(from, "1", "2"),
                        track_of(from, "1", "1")};
  state.depth_limits = {{track_of(from, "1", "1"), 4}, {track_of(from, "3", "5"), 9}};
  state.order = TrackOrder::activity;
  state.grouped = false;
  state.group_pattern = "a|b";
  state.range = TimeRange{-5, 9};
  state.bookmarks = {{.begin_ns = INT64_MIN, .end_ns = INT64_MAX, .time_ns = -3, .note = "a\n\"b"}};
  const SavedViewState saved = through_text(saved_view_state(from, state, true));
  EXPECT_FALSE(saved.view);
  TimelineState now;
  restore(saved, to, now);
  EXPECT_EQ(now.hidden_tracks, (std::set{track_of(to, "1", "2")}));
  EXPECT_EQ(now.collapsed_tracks, (std::set{track_of(to, "2", "1")}));
  ASSERT_EQ(now.collapsed_processes.size(), 1u);
  EXPECT_EQ(to.text(to.processes[*now.collapsed_processes.begin()].pid), "2");
  EXPECT_EQ(now.pinned_tracks, (std::vector{track_of(to, "2", "1"), track_of(to, "1", "1")}));
  EXPECT_EQ(now.moved_tracks,
            (std::vector{track_of(to, "2", "1"), track_of(to, "1", "2"), track_of(to, "1", "1")}));
  EXPECT_EQ(now.depth_limits,
            (std::map<std::uint32_t, std::uint32_t>{{track_of(to, "1", "1"), 4}}));
  EXPECT_EQ(now.order, TrackOrder::activity);
  EXPECT_FALSE(now.grouped);
  EXPECT_EQ(now.group_pattern, "a|b");
  ASSERT_TRUE(now.range);
  EXPECT_EQ(now.range->begin_ns, -5);
  ASSERT_EQ(now.bookmarks.size(), 1u);
  EXPECT_EQ(now.bookmarks[0].note, "a\n\"b");
  EXPECT_EQ(now.bookmarks[0].begin_ns, INT64_MIN);
  EXPECT_EQ(now.bookmarks[0].end_ns, INT64_MAX);
}

// Of several threads of one name that of the process of the same name is meant, whatever its id.
TEST(FileMemoryTest, OtherIdsAreToldByProcessAndThread) {
  const auto recorded = [](const std::vector<std::array<std::string, 3>>& threads) {
    TimelineBuilder builder;
    for (const auto& [pid, process, name] : threads) {
      const ProcessId of = builder.process(pid);
      builder.process_facts(of).name = builder.intern(process);
      const ThreadId thread = builder.thread(of, pid + "0");
      builder.thread_facts(thread).name = builder.intern(name);
      builder.slices(thread).complete(0, 1, builder.intern("call"), 0);
    }
    return builder.finish();
  };
  const Timeline from = recorded({{"1", "Browser", "io"}, {"2", "Renderer", "io"}});
  const Timeline to =
      recorded({{"8", "Browser", "io"}, {"3", "GPU", "io"}, {"9", "Renderer", "io"}});
  TimelineState state;
  state.pinned_tracks = {track_of(from, "2", "20")};
  const SavedViewState saved = through_text(saved_view_state(from, state, true));
  TimelineState by_ids, by_names;
  restore(saved, to, by_ids);
  EXPECT_EQ(by_ids.pinned_tracks, (std::vector{track_of(to, "9", "90")}));
  restore(saved, to, by_names, true);
  EXPECT_EQ(by_names.pinned_tracks, by_ids.pinned_tracks);
}

// In a layout ids do not count, even where they fit.
TEST(FileMemoryTest, NamesAloneCanTell) {
  const auto recorded = [](const std::string& first, const std::string& second) {
    TimelineBuilder builder;
    for (const auto& [tid, name] : {std::pair("1", first), std::pair("2", second)}) {
      const ThreadId thread = builder.thread(builder.process("1"), tid);
      builder.thread_facts(thread).name = builder.intern(name);
      builder.slices(thread).complete(0, 1, builder.intern("call"), 0);
    }
    return builder.finish();
  };
  const Timeline from = recorded("main", "worker"), to = recorded("worker", "main");
  TimelineState state;
  state.pinned_tracks = {track_of(from, "1", "1")};
  TimelineState restored;
  restore(through_text(saved_view_state(from, state, true)), to, restored, true);
  EXPECT_EQ(restored.pinned_tracks, (std::vector{track_of(to, "1", "2")}));
}

TEST(FileMemoryTest, RemembersTheViewOnceItWasMoved) {
  const Timeline timeline = timeline_of({{"1", "1"}});
  TimelineState state;
  state.view = {.begin_ns = 1000, .ns_per_px = 2, .width_px = 500};
  EXPECT_FALSE(saved_view_state(timeline, state, true).view);
  const SavedViewState saved = through_text(saved_view_state(timeline, state, false));
  ASSERT_TRUE(saved.view);
  EXPECT_EQ(saved.view->begin_ns, 1000);
  EXPECT_EQ(saved.view->end_ns, 2000);
}

TEST(FileMemoryTest, WhatTheUserChoseMeanwhileStays) {
  const Timeline timeline = timeline_of({{"1", "1"}, {"1", "2"}});
  TimelineState before;
  before.hidden_tracks = {0};
  before.range = TimeRange{1, 2};
  before.bookmarks = {{.begin_ns = 0, .end_ns = 9, .time_ns = 5, .note = "old"}};
  TimelineState now;
  now.hidden_tracks = {1};
  now.range = TimeRange{3, 4};
  now.bookmarks = {{.begin_ns = 0, .end_ns = 9, .time_ns = 7, .note = "new"}};
  restore(saved_view_state(timeline, before, true), timeline, now);
  EXPECT_EQ(now.hidden_tracks, (std::set<std::uint32_t>{1}));
  EXPECT_EQ(now.range->begin_ns, 3);
  ASSERT_EQ(now.bookmarks.size(), 2u);
  EXPECT_EQ(now.bookmarks[0].note, "old");
  EXPECT_EQ(now.bookmarks[1].note, "new");
}

TEST(FileMemoryTest, TellsLongAndBrokenNamesApart) {
  const std::string a = std::string(1 << 20, 'x') + "a", b = std::string(1 << 20, 'x') + "b";
  const std::vector<Call> calls = {{a, "1"}, {b, "1"}, {"\xff\xfe\n", "1"}};
  const Timeline from = timeline_of(calls), to = timeline_of({calls[2], calls[1], calls[0]});
  TimelineState state;
  state.hidden_tracks = {track_of(from, b, "1"), track_of(from, "\xff\xfe\n", "1")};
  const std::string json = view_state_json("/a", {}, saved_view_state(from, state, true));
  EXPECT_LT(json.size(), 4000u);
  TimelineState now;
  restore(view_state_from(json)->saved, to, now);
  EXPECT_EQ(now.hidden_tracks, (std::set{track_of(to, b, "1"), track_of(to, "\xff\xfe\n", "1")}));
}

TEST(FileMemoryTest, KeepsABoundedNumberOfThreads) {
  std::vector<Call> calls;
  TimelineState state;
  for (std::uint32_t i = 0; i < kMostRemembered + 500; ++i) {
    calls.push_back({"1", std::to_string(i)});
    state.hidden_tracks.insert(i);
    state.moved_tracks.push_back(i);
  }
  const SavedViewState saved = through_text(saved_view_state(timeline_of(calls), state, true));
  EXPECT_EQ(saved.hidden.size(), kMostRemembered);
  EXPECT_TRUE(saved.moved.empty());  // a part of an order would be another one
}

TEST(FileMemoryTest, SurvivesAnyText) {
  const Timeline timeline = timeline_of({{"1", "1"}});
  TimelineState state;
  state.hidden_tracks = {0};
  state.bookmarks = {{.begin_ns = 0, .end_ns = 9, .time_ns = 5, .note = "n"}};
  const std::string whole = view_state_json("/a", {}, saved_view_state(timeline, state, false));
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    std::string text = whole;
    for (int change = 0; change < 3; ++change) {
      text[random() % text.size()] = "{}[],:\"019-etn\\\xff"[random() % 16];
    }
    if (const auto file = view_state_from(text)) {
      TimelineState now;
      restore(file->saved, timeline, now);
      for (const std::uint32_t track : now.hidden_tracks) EXPECT_LT(track, 1u);
    }
  }
  EXPECT_FALSE(view_state_from("{}"));
  EXPECT_FALSE(view_state_from("{\"path\":[]}"));
}

}  // namespace
}  // namespace cinderscope
