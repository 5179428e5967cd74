#include "render/layout/track_order.h"

#include <gtest/gtest.h>

#include <numeric>

#include "ingest/build/timeline_builder.h"
#include "render/layout/track_list.h"

namespace cinderscope {
namespace {

// Threads of one process each, named so; the tracks have the order of the names.
Timeline threads_named(const std::vector<std::string>& names) {
  TimelineBuilder builder;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const ProcessId process = builder.process(std::to_string(i / 2));
    const ThreadId thread = builder.thread(process, std::to_string(i));
    builder.thread_facts(thread).name = builder.intern(names[i]);
    builder.slices(thread).complete(static_cast<std::int64_t>(i), 1, builder.intern("f"), 1);
  }
  return builder.finish();
}

// Names in order, a bar before each group.
std::string ordered(const Timeline& timeline, const TimelineState& state) {
  const TrackOrdering ordering = track_ordering(timeline, state);
  std::string text;
  std::uint32_t group = UINT32_MAX;
  for (const std::uint32_t track : ordering.tracks) {
    if (!ordering.groups.empty() && ordering.group_of[track] != group) {
      group = ordering.group_of[track];
      const TrackGroup& facts = ordering.groups[group];
      text += facts.is_process ? "| " : "|" + facts.name + ": ";
    }
    text += track_label(timeline, timeline.tracks[track]) + " ";
  }
  return text;
}

TEST(TrackOrderTest, GroupsByTheFirstCaptureOrTheMatch) {
  const Timeline timeline = threads_named({"pool-10-1", "pool-9-2", "main", "pool-9-1", "io"});
  TimelineState state;
  state.group_pattern = "pool-(\\d+)";
  EXPECT_EQ(ordered(timeline, state), "|9: pool-9-2 pool-9-1 |10: pool-10-1 |other: main io ");
  state.group_pattern = "pool|io";
  EXPECT_EQ(ordered(timeline, state), "|io: io |pool: pool-10-1 pool-9-2 pool-9-1 |other: main ");
}

TEST(TrackOrderTest, PutsAllUnderOneHeadWhereTheCaptureIsEmpty) {
  const Timeline timeline = threads_named({"a", "b"});
  TimelineState state;
  state.group_pattern = "x*";
  EXPECT_EQ(ordered(timeline, state), "|other: a b ");
}

TEST(TrackOrderTest, HasNoHeadsWithoutGroups) {
  const Timeline timeline = threads_named({"b", "c", "a"});
  TimelineState state;
  state.grouped = false;
  EXPECT_EQ(ordered(timeline, state), "b c a ");
  state.order = TrackOrder::name;
  EXPECT_EQ(ordered(timeline, state), "a b c ");
}

TEST(TrackOrderTest, SortsProcessesAndThreadsByActivity) {
  TimelineBuilder builder;
  const StringId name = builder.intern("f");
  const auto add = [&](const char* pid, const char* tid, std::int64_t busy_ns) {
    const ThreadId thread = builder.thread(builder.process(pid), tid);
    builder.thread_facts(thread).name = builder.intern(std::string(pid) + tid);
    builder.slices(thread).complete(0, busy_ns, name, 1);
    builder.slices(thread).complete(0, busy_ns / 2, name, 2);  // inside: counts no more
  };
  add("1", "a", 100);
  add("1", "b", 300);
  add("2", "c", 350);
  add("2", "d", 390);
  const Timeline timeline = builder.finish();
  TimelineState state;
  state.order = TrackOrder::activity;
  EXPECT_EQ(ordered(timeline, state), "| 2d 2c | 1b 1a ");
  state.grouped = false;
  EXPECT_EQ(ordered(timeline, state), "2d 2c 1b 1a ");
}

TEST(TrackOrderTest, KeepsTheUsersOwnOrder) {
  const Timeline timeline = threads_named({"a", "b", "c", "d", "e", "f"});
  TimelineState state;
  EXPECT_EQ(ordered(timeline, state), "| a b | c d | e f ");
  state.moved_tracks = {5, 4, 1, 0};  // the process of c and d is not named: it stays behind
  EXPECT_EQ(ordered(timeline, state), "| f e | b a | c d ");
  state.moved_tracks = {99, 3};
  EXPECT_EQ(ordered(timeline, state), "| d c | a b | e f ");
}

TEST(TrackOrderTest, MovesTracksBesideOthers) {
  std::vector<std::uint32_t> order{0, 1, 2, 3, 4};
  move_tracks(order, std::vector<std::uint32_t>{3, 1}, 0, true);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{1, 3, 0, 2, 4}));
  move_tracks(order, std::vector<std::uint32_t>{1}, 4, false);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{3, 0, 2, 4, 1}));
  move_tracks(order, std::vector<std::uint32_t>{1}, 1, false);
  move_tracks(order, std::vector<std::uint32_t>{1}, 77, false);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{3, 0, 2, 4, 1}));  // nowhere to go
}

TEST(TrackOrderTest, SaysWhereAPatternIsWrong) {
  EXPECT_EQ(pattern_problem("pool-(\\d+)"), "");
  EXPECT_EQ(pattern_problem("ab[c"),
            "The pattern cannot be read: missing ] at character 3, \"[c\".");
  EXPECT_NE(pattern_problem("(a"), "");
  EXPECT_NE(pattern_problem(std::string(100'000, '(')), "");
}

TEST(TrackOrderTest, SurvivesNamesOfAnyBytes) {
  const Timeline timeline = threads_named({std::string(1 << 20, 'x'), "\xff\xfe\x80", "\n\n", ""});
  TimelineState state;
  state.group_pattern = "(.+)";
  EXPECT_EQ(track_ordering(timeline, state).tracks.size(), 4u);
  state.group_pattern = "(a*)*b";
  EXPECT_EQ(track_ordering(timeline, state).groups.size(), 1u);
}

TEST(TrackOrderTest, PutsCallsAboveTheirThreadAndSamplesBelow) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  for (const char* tid : {"1", "2"}) {
    const ThreadId thread = builder.thread(process, tid);
    builder.slices(thread).complete(0, 1, builder.intern("f"), 1);
    builder.sample_slices(thread, builder.intern("samples")).complete(0, 1, builder.intern("f"), 2);
    builder.call_slices(thread, builder.intern("calls")).complete(0, 1, builder.intern("f"), 3);
  }
  const Timeline timeline = builder.finish();
  TimelineState state;
  state.grouped = false;
  EXPECT_EQ(ordered(timeline, state), "calls Thread 1 samples calls Thread 2 samples ");
}

}  // namespace
}  // namespace cinderscope
