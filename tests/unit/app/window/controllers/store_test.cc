#include "app/window/controllers/store.h"

#include "app/store/settings_store.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class StoreControllerTest : public UnseenWindow {
 protected:
  // As if the program were started again, with the same places to keep things.
  void start_again() {
    if (shell_ != nullptr) UnseenWindow::TearDown();
    UnseenWindow::SetUp();
    const UserFolders places{.config = (kept_.path() / "config").string(),
                             .state = (kept_.path() / "state").string()};
    controllers().store->keep(places, read_settings(places));
    shell_->settings().reduced_motion = true;
  }
  void SetUp() override { start_again(); }
  void end() { controllers().store->keep_everything({.width = 1000, .height = 700}); }

  TempDir kept_;
};

TEST_F(StoreControllerTest, SettingsAreThereAgain) {
  run("theme light");
  end();
  start_again();
  EXPECT_EQ(shell_->settings().theme, ThemeChoice::light);
  EXPECT_EQ(shell_->settings().window_width, 1000);
  settle();
  EXPECT_EQ(shell_->theme().kind, ThemeKind::light);
}

TEST_F(StoreControllerTest, SavesSettingsSoonAfterTheyChanged) {
  EXPECT_FALSE(controllers().store->seconds_to_save());
  run("theme light");
  EXPECT_TRUE(controllers().store->seconds_to_save());
}

TEST_F(StoreControllerTest, WhatIsRememberedOfATraceIsPutBack) {
  const std::string path = folder_.write("two.json", kTwoThreads).string();
  controllers().tabs->open(path);
  settle();
  while (!tab().saved.settled) frame();
  run("hide worker");
  run("bookmark here");
  end();
  start_again();
  controllers().tabs->open(path);
  settle();
  while (!tab().saved.settled) frame();
  EXPECT_EQ(state().hidden_tracks.size(), 1u);
  ASSERT_EQ(state().bookmarks.size(), 1u);
  EXPECT_EQ(state().bookmarks[0].note, "here");
}

TEST_F(StoreControllerTest, RecentFilesAreListedAndForgotten) {
  open_two_threads();
  while (shell_->settings().recent.empty()) frame();
  EXPECT_EQ(shell_->settings().recent[0].path, tab().session->path());
  EXPECT_EQ(run("forget-recent"), "");
  EXPECT_TRUE(shell_->settings().recent.empty());
}

TEST_F(StoreControllerTest, HandsFilesOverOnceAsked) {
  EXPECT_EQ(run("hand-over on"), "");
  EXPECT_TRUE(shell_->settings().hand_over);
  EXPECT_EQ(run("hand-over sometimes"), "hand-over takes on or off, not \"sometimes\".");
}

}  // namespace
}  // namespace cinderscope
