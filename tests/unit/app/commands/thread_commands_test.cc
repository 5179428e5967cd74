#include "app/commands/thread_commands.h"

#include <gtest/gtest.h>

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
  std::string run(CommandId id, std::string_view argument) {
    return run_thread_command(id, argument, timeline_, state_);
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
  EXPECT_EQ(run(CommandId::hide, "12"), "");
  EXPECT_EQ(shown(), "main net main heap ");
  EXPECT_EQ(run(CommandId::hide, "MAIN"), "");  // both
  EXPECT_EQ(shown(), "net heap ");
  EXPECT_EQ(run(CommandId::show, "track 0"), "");
  EXPECT_EQ(shown(), "main net heap ");
  EXPECT_EQ(run(CommandId::hide, "process 1"), "");
  EXPECT_EQ(shown(), "main net ");
  EXPECT_EQ(shown_threads(timeline_, state_).hidden, 3u);
  EXPECT_EQ(run(CommandId::show, "tool"), "");
  EXPECT_EQ(shown(), "main net main heap ");
  EXPECT_EQ(run(CommandId::hide, "nobody"), "There is no thread \"nobody\".");
  EXPECT_EQ(run(CommandId::hide, "track 99"), "There is no thread \"track 99\".");
  EXPECT_EQ(run(CommandId::hide, ""), "No thread is selected.");
}

TEST_F(ThreadCommandsTest, SoloShowsOneAndThenWhatWasShownBefore) {
  run(CommandId::hide, "net");
  EXPECT_EQ(run(CommandId::solo, "audio"), "");
  EXPECT_EQ(shown(), "audio ");
  EXPECT_EQ(run(CommandId::solo, "heap"), "");
  EXPECT_EQ(shown(), "heap ");
  EXPECT_EQ(run(CommandId::solo, "heap"), "");
  EXPECT_EQ(shown(), "main audio main heap ");
  run(CommandId::solo, "process 0");
  EXPECT_EQ(shown(), "main audio net ");
  run(CommandId::solo, "off");
  EXPECT_EQ(shown(), "main audio main heap ");
}

TEST_F(ThreadCommandsTest, PinPutsThreadsAboveAllOthers) {
  run(CommandId::hide, "net");
  EXPECT_EQ(run(CommandId::pin, "net"), "");  // shows it again
  EXPECT_EQ(run(CommandId::pin, "heap"), "");
  EXPECT_EQ(run(CommandId::pin, "net"), "");
  EXPECT_EQ(shown(), "net heap main audio main ");
  EXPECT_EQ(shown_threads(timeline_, state_).pinned.size(), 2u);
  EXPECT_EQ(run(CommandId::move_thread, "heap up"), "");
  EXPECT_EQ(shown(), "heap net main audio main ");
  EXPECT_EQ(run(CommandId::unpin, "heap"), "");
  EXPECT_EQ(shown(), "net main audio main heap ");
}

TEST_F(ThreadCommandsTest, MoveThreadsWithinTheirGroup) {
  EXPECT_EQ(run(CommandId::move_thread, "net up"), "");
  EXPECT_EQ(shown(), "main net audio main heap ");
  EXPECT_EQ(run(CommandId::move_thread, "net top"), "");
  EXPECT_EQ(run(CommandId::move_thread, "net up"), "");  // is at the top
  EXPECT_EQ(shown(), "net main audio main heap ");
  EXPECT_EQ(run(CommandId::move_thread, "net bottom"), "");
  EXPECT_EQ(shown(), "main audio net main heap ");
  EXPECT_EQ(run(CommandId::move_thread, "track 0 after track 1"), "");
  EXPECT_EQ(shown(), "audio main net main heap ");
  EXPECT_EQ(run(CommandId::move_thread, "heap before track 3"), "");
  EXPECT_EQ(shown(), "audio main net heap main ");
  EXPECT_NE(run(CommandId::move_thread, "heap before net"), "");
  EXPECT_NE(run(CommandId::move_thread, "net sideways"), "");
  EXPECT_EQ(shown(), "audio main net heap main ");
}

TEST_F(ThreadCommandsTest, MovesPassHiddenThreadsBy) {
  run(CommandId::hide, "audio");
  run(CommandId::move_thread, "net up");
  EXPECT_EQ(shown(), "net main main heap ");
}

TEST_F(ThreadCommandsTest, MoveProcessesAmongThemselves) {
  EXPECT_EQ(heads(), "game tool ");
  EXPECT_EQ(run(CommandId::move_thread, "tool up"), "");
  EXPECT_EQ(heads(), "tool game ");
  EXPECT_EQ(shown(), "main heap main audio net ");
  EXPECT_EQ(run(CommandId::move_thread, "process 1 after process 0"), "");
  EXPECT_EQ(heads(), "game tool ");
  EXPECT_EQ(run(CommandId::move_thread, "game bottom"), "");
  EXPECT_EQ(heads(), "tool game ");
  EXPECT_EQ(run(CommandId::sort, "index"), "");  // gives the own order up
  EXPECT_EQ(heads(), "game tool ");
}

TEST_F(ThreadCommandsTest, GroupByPatternAndByNothing) {
  EXPECT_EQ(run(CommandId::group, "^(ma|ne)"), "");
  EXPECT_EQ(heads(), "ma ne other ");
  EXPECT_EQ(run(CommandId::collapse, "group ma"), "");
  EXPECT_EQ(shown(), "net audio heap ");
  EXPECT_EQ(run(CommandId::hide, "group other"), "");
  EXPECT_EQ(shown(), "net ");
  EXPECT_EQ(run(CommandId::move_thread, "group ne up"), "");
  EXPECT_EQ(heads(), "ne ma other ");
  run(CommandId::show_all, "");
  EXPECT_NE(run(CommandId::group, "("), "");
  EXPECT_EQ(heads(), "ne ma other ");  // as before
  EXPECT_EQ(run(CommandId::group, "none"), "");
  EXPECT_EQ(heads(), "");
  EXPECT_EQ(run(CommandId::group, "process"), "");
  EXPECT_EQ(heads(), "game tool ");
}

TEST_F(ThreadCommandsTest, FoldAllThreadsOfAHead) {
  EXPECT_EQ(run(CommandId::collapse, "threads of process 0"), "");
  EXPECT_EQ(state_.collapsed_tracks.size(), 3u);
  EXPECT_TRUE(state_.collapsed_processes.empty());
  EXPECT_EQ(run(CommandId::expand, "threads of process 0"), "");
  EXPECT_TRUE(state_.collapsed_tracks.empty());
}

TEST_F(ThreadCommandsTest, ATrackThatIsGoneToIsShownWhateverHidIt) {
  EXPECT_FALSE(show_track(timeline_, TrackId(1), true, state_));
  run(CommandId::hide, "audio");
  run(CommandId::collapse, "audio");
  run(CommandId::collapse, "game");
  run(CommandId::solo, "net");
  run(CommandId::filter, "heap");
  EXPECT_TRUE(show_track(timeline_, TrackId(1), true, state_));
  EXPECT_EQ(shown(), "audio net ");
  EXPECT_TRUE(state_.collapsed_tracks.empty());
  run(CommandId::group, "^a");
  run(CommandId::collapse, "group a");
  EXPECT_EQ(shown(), "net ");
  EXPECT_TRUE(show_track(timeline_, TrackId(1), false, state_));
  EXPECT_EQ(shown(), "audio net ");
  EXPECT_FALSE(show_track(timeline_, TrackId(99), true, state_));
}

TEST_F(ThreadCommandsTest, ShowAllGivesEverythingBack) {
  const std::string before = shown();
  run(CommandId::hide, "net");
  run(CommandId::solo, "audio");
  run(CommandId::collapse, "game");
  run(CommandId::filter, "xyz");
  EXPECT_EQ(shown(), "");
  EXPECT_EQ(run(CommandId::show_all, ""), "");
  EXPECT_EQ(shown(), before);
}

}  // namespace
}  // namespace cinderscope
