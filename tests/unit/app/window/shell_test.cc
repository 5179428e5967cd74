#include "app/window/shell.h"

#include <string>

#include "app/window/controllers/chrome/keys.h"
#include "app/window/controllers/chrome/palette.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class ShellTest : public UnseenWindow {};

TEST_F(ShellTest, ShowsAStartPageUntilATraceIsOpened) {
  settle();
  EXPECT_EQ(shell_->tabs().shown(), nullptr);
  EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 100);
  open_two_threads();
  ASSERT_NE(shell_->tabs().shown(), nullptr);
  EXPECT_EQ(tab().session->title(), "two.json");
  EXPECT_EQ(state().visible_boxes, 4u);
}

TEST_F(ShellTest, OpensWhatIsDropped) {
  const std::string path = folder_.write("two.json", kTwoThreads).string();
  shell_->input().push_back(FilesDropped{{path}, false});
  settle();
  ASSERT_EQ(shell_->tabs().all.size(), 1u);
  EXPECT_EQ(tab().session->path(), path);
}

TEST_F(ShellTest, SaysWhatACommandOfTheUserCannotDo) {
  open_two_threads();
  shell_->ask_command("tab", "9");
  EXPECT_EQ(shell_->message(), "There is no tab 9.");
}

TEST_F(ShellTest, AsksForAnArgumentThatIsNeeded) {
  open_two_threads();
  shell_->ask_command("zoom-to", "");
  EXPECT_TRUE(controllers().palette->open());
  shell_->ask_command("theme", "light");  // has all that it needs
  EXPECT_EQ(shell_->settings().theme, ThemeChoice::light);
}

TEST_F(ShellTest, RestsWhereAnEmptyTraceTookThePlaceOfRowsThatMoved) {
  shell_->settings().reduced_motion = false;
  open_two_threads();
  ASSERT_TRUE(shell_->run_command("zoom-to", "900us 1000us"));  // where the second row is empty
  for (int i = 0; i < 8 && !tab().timeline_view.animating(); ++i) frame();
  ASSERT_TRUE(tab().timeline_view.animating());
  folder_.write("two.json", "[]");
  ASSERT_TRUE(shell_->run_command("reload", ""));
  // Without a frame until it is there.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!timeline().empty() && std::chrono::steady_clock::now() < end) {
    shell_->poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_TRUE(timeline().empty());
  settle();
  EXPECT_TRUE(shell_->still());
}

TEST_F(ShellTest, AMessageIsSeenInTheTabThatItIsAbout) {
  open_two_threads();
  open("other.json", kTwoThreads);
  shell_->say_of(*shell_->tabs().all[0], "about the first");
  frame();
  EXPECT_EQ(shell_->message(), "");
  run("tab 1");
  EXPECT_EQ(shell_->message(), "about the first");
  run("tab 2");
  EXPECT_EQ(shell_->message(), "");
  shell_->ask_command("tab", "9");
  EXPECT_EQ(shell_->message(), "There is no tab 9.");
  run("tab 1");
  EXPECT_NE(shell_->message(), "There is no tab 9.");
  shell_->say("about all");
  EXPECT_EQ(shell_->message(), "about all");
}

TEST_F(ShellTest, WhatEndsLaterIsSaidInTheTabThatItWasAskedForIn) {
  open("first.json", kTwoThreads);
  open("second.json", kTwoThreads);
  const std::string out = (folder_.path() / "out").string();
  run("panel statistics");
  for (const std::string& line :
       {"save-table " + out + ".csv", "save-part " + out + ".json", "save-picture " + out + ".svg",
        std::string("copy-place"), "replace-trace " + out}) {
    run("tab 2");
    const CommandCall call = split_call(line);
    ASSERT_TRUE(shell_->run_command(call.name, call.argument)) << line;
    run("tab 1");
    EXPECT_EQ(shell_->message(), "") << line;
    run("tab 2");
    EXPECT_NE(shell_->message(), "") << line;
    EXPECT_EQ(shell_->tabs().all[1]->message.text, shell_->message()) << line;
    shell_->say_of_shown("");
  }
}

TEST_F(ShellTest, WhatEndsLaterIsSaidByTheWindowOnceItsTabIsClosed) {
  open("first.json", kTwoThreads);
  open("second.json", kTwoThreads);
  run("panel statistics");
  const std::string path = (folder_.path() / "out.csv").string();
  ASSERT_TRUE(shell_->run_command("save-table", path));
  run("close");
  EXPECT_EQ(shell_->message(), "3 rows saved to " + path);
}

TEST_F(ShellTest, WhatACommandSaysOfATraceIsNotSaidOfAnotherOne) {
  open("first.json", kTwoThreads);
  open("second.json", kTwoThreads);
  EXPECT_EQ(run("hide-without-matches on"), "");
  EXPECT_EQ(shell_->message(),
            "threads without matches are hidden while something is searched for");
  run("tab 1");
  EXPECT_EQ(shell_->message(), "");
}

TEST_F(ShellTest, RestsOnceNothingMoves) {
  open_two_threads();
  EXPECT_TRUE(shell_->still());
  EXPECT_FALSE(shell_->answers_input());
  shell_->input().push_back(PointerMoved{300, 300, {}});
  EXPECT_TRUE(shell_->answers_input());
  settle();
  EXPECT_TRUE(shell_->still());
}

TEST_F(ShellTest, AWindowThatLosesTheFocusLetsKeysGo) {
  open_two_threads();
  shell_->input().push_back(KeyChanged{*parse_chord("W"), true, false});
  frame();
  EXPECT_TRUE(controllers().keys->holds());
  shell_->input().push_back(FocusChanged{false});
  settle();
  EXPECT_FALSE(controllers().keys->holds());
}

TEST_F(ShellTest, AClickSelectsASliceAndOneBesideItNothing) {
  open_two_threads();
  float y = 0;
  // Below the head of the process, which a click folds.
  for (float at = 150; at < 400 && selected_name().empty(); at += 5) click(kWidthPx - 400, y = at);
  EXPECT_EQ(selected_name(), "work");
  for (float at = y; at < 500 && !selected_name().empty(); at += 5) click(kWidthPx - 3, at);
  EXPECT_EQ(selected_name(), "");
}

}  // namespace
}  // namespace cinderscope
