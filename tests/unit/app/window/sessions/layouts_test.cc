#include "app/window/sessions/layouts.h"

#include <filesystem>

#include "app/places/show_options.h"
#include "app/store/settings_store.h"
#include "app/window/controllers/notices.h"
#include "app/window/controllers/panels.h"
#include "app/window/controllers/store.h"
#include "app/window/places/open_items.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

// The same threads with other ids, in another order.
constexpr std::string_view kNextRecording = R"([
{"ph":"M","pid":77,"tid":5,"name":"thread_name","args":{"name":"worker"}},
{"ph":"M","pid":77,"tid":9,"name":"thread_name","args":{"name":"main"}},
{"ph":"X","pid":77,"tid":9,"ts":9000,"dur":1000,"name":"work"},
{"ph":"X","pid":77,"tid":5,"ts":9200,"dur":700,"name":"job"}])";

class LayoutsTest : public UnseenWindow {
 protected:
  void SetUp() override { start_again(); }
  // As another start of the program, with the same places to keep things.
  void start_again() {
    if (shell_ != nullptr) {
      controllers().store->keep_everything({});
      UnseenWindow::TearDown();
    }
    UnseenWindow::SetUp();
    const UserFolders places{.config = (kept_.path() / "config").string(),
                             .state = (kept_.path() / "state").string()};
    controllers().store->keep(places, read_settings(places));
    shell_->settings().reduced_motion = true;
  }
  std::string at(const char* name) const { return (folder_.path() / name).string(); }
  // A session with threads pinned and hidden, a search and a panel.
  std::string make_layout(const char* name) {
    open_two_threads();
    run("pin worker");
    run("hide main");
    run("search step");
    run("panel statistics");
    run("save-session " + at(name));
    return at(name);
  }
  void make_default(std::string_view text = {}) {
    const auto folder = kept_.path() / "config" / "layouts";
    std::filesystem::create_directories(folder);
    const std::string layout = make_layout("team.cinder");
    if (text.empty()) {
      std::filesystem::copy_file(layout, folder / "default.cinder");
    } else {
      kept_.write("config/layouts/default.cinder", text);
    }
  }
  std::string name_of(std::uint32_t track) {
    const Track& of = timeline().tracks[track];
    return std::string(timeline().text(timeline().threads[index(of.thread)].name));
  }
  // What is pinned, then what is hidden.
  std::string threads() {
    std::string text;
    for (const std::uint32_t track : state().pinned_tracks) text += name_of(track) + ' ';
    text += '-';
    for (const std::uint32_t track : state().hidden_tracks) text += ' ' + name_of(track);
    return text;
  }
  std::string notice() { return LayoutsController::notice(tab()); }

  TempDir kept_;
};

TEST_F(LayoutsTest, NamesTellThreadsOfAnotherRecording) {
  const std::string layout = make_layout("team.cinder");
  start_again();
  open("next.json", kNextRecording);
  EXPECT_EQ(run("apply-layout " + layout), "");
  EXPECT_EQ(threads(), "worker - main");
  EXPECT_EQ(tab().search.text(), "step");
  EXPECT_TRUE(controllers().panels->shows("statistics"));
  EXPECT_EQ(notice(), "");
  EXPECT_EQ(shell_->message(), "layout team.cinder applied");
}

TEST_F(LayoutsTest, TakesThePlaceOfWhatIsThereAndIsTakenBack) {
  const std::string layout = make_layout("team.cinder");
  start_again();
  open("next.json", kNextRecording);
  run("pin main");
  run("search job");
  run("apply-layout " + layout);
  EXPECT_EQ(threads(), "worker - main");
  EXPECT_EQ(run("undo-layout"), "");
  EXPECT_EQ(threads(), "main -");
  EXPECT_EQ(tab().search.text(), "job");
  EXPECT_EQ(run("undo-layout"), "No layout was applied here.");
}

TEST_F(LayoutsTest, SaysWhatIsNotHere) {
  const std::string layout = make_layout("team.cinder");
  start_again();
  open("one.json", R"([{"ph":"X","pid":1,"tid":1,"ts":5,"dur":3,"name":"x"}])");
  run("apply-layout " + layout);
  EXPECT_EQ(notice(), "The layout team.cinder was applied. Not here: worker, main.");
  EXPECT_EQ(controllers().notices->texts(tab()).size(), 1u);
  EXPECT_EQ(run("dismiss-notice layout"), "");
  EXPECT_EQ(notice(), "");
}

TEST_F(LayoutsTest, WhatIsNoLayoutIsSaid) {
  open_two_threads();
  run("pin worker");
  EXPECT_EQ(run("apply-layout " + at("none.cinder")), "");
  EXPECT_NE(shell_->message().find("There is no layout"), std::string::npos);
  run("apply-layout " + at("two.json"));
  EXPECT_NE(shell_->message().find("no session"), std::string::npos) << shell_->message();
  EXPECT_EQ(threads(), "worker -");
}

// What is asked for beside it goes before.
TEST_F(LayoutsTest, IsAnOptionOfTheStart) {
  const std::string layout = make_layout("team.cinder");
  start_again();
  const auto shown = show_options({{"--layout", {layout}}, {"--search", {"job"}}});
  ASSERT_TRUE(shown);
  folder_.write("next.json", kNextRecording);
  open_items(*shell_, {at("next.json")}, *shown);
  settle();
  EXPECT_EQ(threads(), "worker - main");
  EXPECT_EQ(tab().search.text(), "job");
}

TEST_F(LayoutsTest, TheDefaultIsForTracesThatWereNeverOpened) {
  make_default();
  start_again();
  open("next.json", kNextRecording);
  EXPECT_EQ(threads(), "worker - main");
  EXPECT_EQ(notice(), "The layout default.cinder was applied.");
  EXPECT_EQ(run("undo-layout"), "");
  EXPECT_EQ(threads(), "-");
  // It was opened now, though nothing was changed.
  start_again();
  controllers().tabs->open(at("next.json"));
  settle();
  EXPECT_EQ(threads(), "-");
  EXPECT_EQ(notice(), "");
}

TEST_F(LayoutsTest, TheDefaultIsKeptLikeAnyChange) {
  make_default();
  start_again();
  open("next.json", kNextRecording);
  std::filesystem::remove(kept_.path() / "config/layouts/default.cinder");
  start_again();
  controllers().tabs->open(at("next.json"));
  settle();
  EXPECT_EQ(threads(), "worker - main");
  EXPECT_EQ(notice(), "");
}

TEST_F(LayoutsTest, TheDefaultHasARule) {
  make_default(R"({"cinderscope_session": 1, "for": {"format": "spall"}, "tabs": [
    {"kind": "trace", "search": {"text": "x"}}]})");
  start_again();
  open("next.json", kNextRecording);
  EXPECT_EQ(tab().search.text(), "");
  EXPECT_EQ(notice(), "");
}

TEST_F(LayoutsTest, ASessionKeepsItsOwn) {
  make_default();
  start_again();
  controllers().tabs->open(at("team.cinder"));
  settle();
  EXPECT_EQ(notice(), "");
}

}  // namespace
}  // namespace cinderscope
