#include "app/window/controllers/export/packs.h"

#include <filesystem>

#include "app/window/sessions/sessions.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class PacksTest : public UnseenWindow {
 protected:
  std::string at(const char* name) const { return (folder_.path() / name).string(); }
  bool is_there(const char* name) const { return std::filesystem::exists(at(name)); }
  void start_again() {
    UnseenWindow::TearDown();
    UnseenWindow::SetUp();
  }
  void open_pack(const char* name) {
    controllers().tabs->open(at(name));
    settle();
  }
};

TEST_F(PacksTest, AColleagueSeesTheSame) {
  open_two_threads();
  ASSERT_TRUE(find("job"));
  run("pin worker");
  run("bookmark here");
  EXPECT_EQ(run("pack " + at("night.cinderpack")), "");
  ASSERT_TRUE(is_there("night.cinderpack"));
  std::filesystem::remove(at("two.json"));
  start_again();
  open_pack("night.cinderpack");
  ASSERT_EQ(shell_->tabs().all.size(), 1u);
  EXPECT_EQ(selected_name(), "job");
  EXPECT_EQ(state().pinned_tracks.size(), 1u);
  ASSERT_EQ(state().bookmarks.size(), 1u);
  EXPECT_EQ(controllers().sessions->label(), "night");
  EXPECT_TRUE(controllers().sessions->in_pack());
}

TEST_F(PacksTest, AnOpenedPackIsReadOnlyAndASessionRefersIntoIt) {
  open_two_threads();
  run("pack " + at("night.cinderpack"));
  start_again();
  open_pack("night.cinderpack");
  EXPECT_FALSE(controllers().sessions->saves_to_own());  // Ctrl+S asks where
  EXPECT_EQ(controllers().sessions->offered_path(), at("night.cinder"));
  run("bookmark mine");
  EXPECT_EQ(run("save-session-as " + at("night.cinder")), "");
  EXPECT_FALSE(controllers().sessions->in_pack());
  start_again();
  open_pack("night.cinder");
  EXPECT_EQ(tab().session->path(), at("night.cinderpack/traces/two.json.zst"));
  ASSERT_EQ(state().bookmarks.size(), 1u);
}

TEST_F(PacksTest, TheSheetTellsSizesAndPacksWhatIsChosen) {
  open_two_threads();
  run("select-range 100us 300us");
  EXPECT_EQ(run("pack"), "");
  EXPECT_TRUE(controllers().packs->open());
  EXPECT_EQ(controllers().packs->sizes().substr(0, 6), "About ");
  EXPECT_NE(controllers().packs->sizes().find("for the selected range"), std::string::npos);
  run("select-range");
  EXPECT_NE(controllers().packs->sizes().find("no range is selected"), std::string::npos)
      << controllers().packs->sizes();
  run("select-range 100us 300us");
  EXPECT_EQ(run("pack-with selected"), "");
  EXPECT_NE(run("pack-with nothing"), "");
  press("Enter");
  settle();
  ASSERT_TRUE(is_there("two.cinderpack"));
  press("Escape");
  EXPECT_FALSE(controllers().packs->open());
  start_again();
  open_pack("two.cinderpack");
  EXPECT_EQ(timeline().end_ns - timeline().begin_ns, 200'000);
}

TEST_F(PacksTest, WhatIsThereIsReplacedOnlyWhenToldTo) {
  open_two_threads();
  folder_.write("night.cinderpack", "mine");
  EXPECT_NE(run("pack " + at("night.cinderpack")).find("is there already"), std::string::npos);
  EXPECT_EQ(run("pack " + at("night.cinderpack") + " force"), "");
  EXPECT_GT(std::filesystem::file_size(at("night.cinderpack")), 100u);
}

TEST_F(PacksTest, UnpacksIntoAFolder) {
  open_two_threads();
  EXPECT_NE(run("unpack"), "");  // no pack
  run("pack " + at("night.cinderpack"));
  start_again();
  open_pack("night.cinderpack");
  EXPECT_EQ(run("unpack"), "");
  EXPECT_TRUE(is_there("night/session.cinder"));
  EXPECT_TRUE(is_there("night/traces/two.json.zst"));
  start_again();
  open_pack("night/session.cinder");
  EXPECT_EQ(tab().session->path(), at("night/traces/two.json.zst"));
  EXPECT_FALSE(timeline().empty());
}

TEST_F(PacksTest, ADamagedPackSaysWhatIsNotWhole) {
  open_two_threads();
  run("pack " + at("night.cinderpack"));
  const auto bytes = std::filesystem::file_size(at("night.cinderpack"));
  std::filesystem::resize_file(at("night.cinderpack"), bytes - 300);  // its directory
  start_again();
  open_pack("night.cinderpack");
  const auto notices = controllers().sessions->notices();
  ASSERT_FALSE(notices.empty());
  EXPECT_EQ(notices.front().find("night.cinderpack is not whole."), 0u) << notices.front();
}

}  // namespace
}  // namespace cinderscope
