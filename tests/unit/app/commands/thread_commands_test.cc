#include "app/commands/thread_commands.h"

#include <gtest/gtest.h>

#include "app/commands/thread_choices.h"
#include "app/commands/thread_moves.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

// Process 1 "game" with threads main, audio, net; process 2 "tool" with main and a counter.
Timeline two_processes() {
  TimelineBuilder builder;
  const ProcessId game = builder.process("1"), tool = builder.process("2");
  builder.process_facts(game).name = builder.intern("game");
  builder.process_facts(tool).name = builder.intern("tool");
  const auto add = [&](ProcessId process, const char* tid, const char* name) {
    const ThreadId thread = builder.thread(process, tid);
    builder.thread_facts(thread).name = builder.intern(name);
    builder.slices(thread).complete(0, 1, builder.intern("f"), 1);
  };
  add(game, "11", "main");
  add(game, "12", "audio");
  add(game, "13", "net");
  add(tool, "21", "main");
  builder.counter_value(builder.counter(tool, builder.intern("heap")), kEmptyString, 0, 5);
  return builder.finish();
}

class ThreadCommandsTest : public testing::Test {
 protected:
  // What a command of threads says; empty if it went well.
  std::string run(std::string_view command, std::string_view thread) {
    const Status done = status(command, thread);
    return done ? "" : done.error().text;
  }
  Status status(std::string_view command, std::string_view thread) {
    if (command == "hide") return hide_threads(thread, true, timeline_, state_);
    if (command == "show") return hide_threads(thread, false, timeline_, state_);
    if (command == "collapse") return fold_threads(thread, true, timeline_, state_);
    if (command == "expand") return fold_threads(thread, false, timeline_, state_);
    if (command == "solo") return solo_threads(thread, timeline_, state_);
    if (command == "pin") return pin_threads(thread, true, timeline_, state_);
    if (command == "unpin") return pin_threads(thread, false, timeline_, state_);
    return group_threads(thread, state_);
  }
  std::string move(std::string_view thread, std::string_view verb, std::string_view anchor = {}) {
    const Status done = move_thread(thread, verb, anchor, timeline_, state_);
    return done ? "" : done.error().text;
  }
  // What the gutter shows, the pinned ones first.
  std::string shown() {
    std::string text;
    for (const std::string& name : shown_threads(timeline_, state_).shown) text += name + " ";
    return text;
  }
  std::string heads() {
    std::string text;
    for (const std::string& name : shown_threads(timeline_, state_).heads) text += name + " ";
    return text;
  }
  Timeline timeline_ = two_processes();
  TimelineState state_;
};

TEST_F(ThreadCommandsTest, FindThreadsByIdNameAndPlaceInTheModel) {
  EXPECT_EQ(shown(), "main audio net main heap ");
  EXPECT_EQ(run("hide", "12"), "");
  EXPECT_EQ(shown(), "main net main heap ");
  EXPECT_EQ(run("hide", "MAIN"), "");  // both
  EXPECT_EQ(shown(), "net heap ");
  EXPECT_EQ(run("show", "track 0"), "");
  EXPECT_EQ(shown(), "main net heap ");
  EXPECT_EQ(run("hide", "process 1"), "");
  EXPECT_EQ(shown(), "main net ");
  EXPECT_EQ(shown_threads(timeline_, state_).hidden, 3u);
  EXPECT_EQ(run("show", "tool"), "");
  EXPECT_EQ(shown(), "main net main heap ");
  EXPECT_EQ(run("hide", "nobody"), "There is no thread \"nobody\".");
  EXPECT_EQ(run("hide", "track 99"), "There is no thread \"track 99\".");
  EXPECT_EQ(run("hide", ""), "No thread is selected.");
}

TEST_F(ThreadCommandsTest, SelectThreadsOneByOneAndInARow) {
  const auto select = [&](std::string_view how, std::string_view thread) {
    const Status done = select_threads(how, thread, timeline_, state_);
    return done ? "" : done.error().text;
  };
  EXPECT_EQ(select("toggle", "audio"), "");
  EXPECT_EQ(state_.selected_tracks, IndexSet{1});
  EXPECT_EQ(select("to", "track 3"), "");  // of the other process
  EXPECT_EQ(state_.selected_tracks, (IndexSet{1, 2, 3}));
  EXPECT_EQ(select("to", "track 0"), "");  // from the same one
  EXPECT_EQ(state_.selected_tracks, (IndexSet{0, 1}));
  EXPECT_EQ(select("toggle", "audio"), "");
  EXPECT_EQ(state_.selected_tracks, IndexSet{0});
  EXPECT_EQ(select("only", "process 1"), "");
  EXPECT_EQ(state_.selected_tracks, (IndexSet{3, 4}));
  EXPECT_EQ(select("toggle", "nobody"), "There is no thread \"nobody\".");
  EXPECT_EQ(run("hide", "selected threads"), "");
  EXPECT_EQ(shown(), "main audio net ");
  EXPECT_EQ(select("to", "track 2"), "");  // the last one that was selected is hidden
  EXPECT_EQ(select("to", "track 1"), "");
  EXPECT_EQ(state_.selected_tracks, (IndexSet{1, 2}));
  EXPECT_EQ(select("none", ""), "");
  EXPECT_TRUE(state_.selected_tracks.empty());
}

TEST_F(ThreadCommandsTest, LimitTheDepthUntilACallBelowIsShown) {
  EXPECT_TRUE(limit_depth(5, "threads of process 0", timeline_, state_));
  EXPECT_EQ(state_.depth_limits.size(), 3u);
  EXPECT_TRUE(limit_depth(0, "audio", timeline_, state_));
  EXPECT_FALSE(state_.depth_limits.contains(1));
  EXPECT_FALSE(show_track(timeline_, TrackId(2), 5, state_));
  EXPECT_TRUE(show_track(timeline_, TrackId(2), 6, state_));
  EXPECT_FALSE(state_.depth_limits.contains(2));
  EXPECT_FALSE(limit_depth(5, "nobody", timeline_, state_));
}

TEST_F(ThreadCommandsTest, AThreadThatIsGoneToShowsThoughItHasNoMatches) {
  state_.hide_without_matches = true;
  state_.matched_tracks = IndexSet{1};
  EXPECT_EQ(shown(), "audio ");
  EXPECT_TRUE(show_track(timeline_, TrackId(2), 0, state_));
  EXPECT_EQ(shown(), "main audio net main heap ");
}

TEST_F(ThreadCommandsTest, SoloShowsOneAndThenWhatWasShownBefore) {
  run("hide", "net");
  EXPECT_EQ(run("solo", "audio"), "");
  EXPECT_EQ(shown(), "audio ");
  EXPECT_EQ(run("solo", "heap"), "");
  EXPECT_EQ(shown(), "heap ");
  EXPECT_EQ(run("solo", "heap"), "");
  EXPECT_EQ(shown(), "main audio main heap ");
  run("solo", "process 0");
  EXPECT_EQ(shown(), "main audio net ");
  run("solo", "off");
  EXPECT_EQ(shown(), "main audio main heap ");
}

TEST_F(ThreadCommandsTest, PinPutsThreadsAboveAllOthers) {
  run("hide", "net");
  EXPECT_EQ(run("pin", "net"), "");  // shows it again
  EXPECT_EQ(run("pin", "heap"), "");
  EXPECT_EQ(run("pin", "net"), "");
  EXPECT_EQ(shown(), "net heap main audio main ");
  EXPECT_EQ(shown_threads(timeline_, state_).pinned.size(), 2u);
  EXPECT_EQ(move("heap", "up"), "");
  EXPECT_EQ(shown(), "heap net main audio main ");
  EXPECT_EQ(run("unpin", "heap"), "");
  EXPECT_EQ(shown(), "net main audio main heap ");
}

TEST_F(ThreadCommandsTest, MoveThreadsWithinTheirGroup) {
  EXPECT_EQ(move("net", "up"), "");
  EXPECT_EQ(shown(), "main net audio main heap ");
  EXPECT_EQ(move("net", "top"), "");
  EXPECT_EQ(move("net", "up"), "");  // is at the top
  EXPECT_EQ(shown(), "net main audio main heap ");
  EXPECT_EQ(move("net", "bottom"), "");
  EXPECT_EQ(shown(), "main audio net main heap ");
  EXPECT_EQ(move("track 0", "after", "track 1"), "");
  EXPECT_EQ(shown(), "audio main net main heap ");
  EXPECT_EQ(move("heap", "before", "track 3"), "");
  EXPECT_EQ(shown(), "audio main net heap main ");
  EXPECT_NE(move("heap", "before", "net"), "");
  EXPECT_EQ(shown(), "audio main net heap main ");
}

TEST_F(ThreadCommandsTest, MovesPassHiddenThreadsBy) {
  run("hide", "audio");
  move("net", "up");
  EXPECT_EQ(shown(), "net main main heap ");
}

TEST_F(ThreadCommandsTest, MoveProcessesAmongThemselves) {
  EXPECT_EQ(heads(), "game tool ");
  EXPECT_EQ(move("tool", "up"), "");
  EXPECT_EQ(heads(), "tool game ");
  EXPECT_EQ(shown(), "main heap main audio net ");
  EXPECT_EQ(move("process 1", "after", "process 0"), "");
  EXPECT_EQ(heads(), "game tool ");
  EXPECT_EQ(move("game", "bottom"), "");
  EXPECT_EQ(heads(), "tool game ");
  sort_threads(TrackOrder::sort_index, state_);  // gives the own order up
  EXPECT_EQ(heads(), "game tool ");
}

TEST_F(ThreadCommandsTest, GroupByPatternAndByNothing) {
  EXPECT_EQ(run("group", "^(ma|ne)"), "");
  EXPECT_EQ(heads(), "ma ne other ");
  EXPECT_EQ(run("collapse", "group ma"), "");
  EXPECT_EQ(shown(), "net audio heap ");
  EXPECT_EQ(run("hide", "group other"), "");
  EXPECT_EQ(shown(), "net ");
  EXPECT_EQ(move("group ne", "up"), "");
  EXPECT_EQ(heads(), "ne ma other ");
  show_all_threads(state_);
  EXPECT_NE(run("group", "("), "");
  EXPECT_EQ(heads(), "ne ma other ");  // as before
  EXPECT_EQ(run("group", "none"), "");
  EXPECT_EQ(heads(), "");
  EXPECT_EQ(run("group", "process"), "");
  EXPECT_EQ(heads(), "game tool ");
}

TEST_F(ThreadCommandsTest, FoldAllThreadsOfAHead) {
  EXPECT_EQ(run("collapse", "threads of process 0"), "");
  EXPECT_EQ(state_.collapsed_tracks.size(), 3u);
  EXPECT_TRUE(state_.collapsed_processes.empty());
  EXPECT_EQ(run("expand", "threads of process 0"), "");
  EXPECT_TRUE(state_.collapsed_tracks.empty());
}

TEST_F(ThreadCommandsTest, ATrackThatIsGoneToIsShownWhateverHidIt) {
  EXPECT_FALSE(show_track(timeline_, TrackId(1), 1, state_));
  run("hide", "audio");
  run("collapse", "audio");
  run("collapse", "game");
  run("solo", "net");
  state_.filter = "heap";
  EXPECT_TRUE(show_track(timeline_, TrackId(1), 1, state_));
  EXPECT_EQ(shown(), "audio net ");
  EXPECT_TRUE(state_.collapsed_tracks.empty());
  run("group", "^a");
  run("collapse", "group a");
  EXPECT_EQ(shown(), "net ");
  EXPECT_TRUE(show_track(timeline_, TrackId(1), 0, state_));
  EXPECT_EQ(shown(), "audio net ");
  EXPECT_FALSE(show_track(timeline_, TrackId(99), 1, state_));
}

TEST_F(ThreadCommandsTest, ShowAllGivesEverythingBack) {
  const std::string before = shown();
  run("hide", "net");
  run("solo", "audio");
  run("collapse", "game");
  state_.filter = "xyz";
  EXPECT_EQ(shown(), "");
  show_all_threads(state_);
  EXPECT_EQ(shown(), before);
}

}  // namespace
}  // namespace cinderscope
