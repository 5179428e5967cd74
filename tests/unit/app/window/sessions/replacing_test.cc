#include "app/window/sessions/replacing.h"

#include "app/window/comparison/compare_page.h"
#include "app/window/comparison/drop_chooser.h"
#include "app/window/controllers/notices.h"
#include "app/window/sessions/sessions.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class ReplacingTest : public UnseenWindow {
 protected:
  std::string at(const char* name) const { return (folder_.path() / name).string(); }
  void write_next(std::string_view events) { folder_.write("next.json", events); }
};

constexpr std::string_view kLater = R"([
{"ph":"M","pid":3,"tid":4,"name":"thread_name","args":{"name":"main"}},
{"ph":"X","pid":3,"tid":4,"ts":50000,"dur":1000,"name":"work"}])";

TEST_F(ReplacingTest, SaysWhatTheOtherRecordingLacks) {
  write_next(kLater);
  open_two_threads();
  run("pin worker");
  run("hide main");
  ASSERT_TRUE(find("job"));
  EXPECT_EQ(run("replace-trace " + at("next.json")), "");
  EXPECT_EQ(replaced_notice(tab()),
            "next.json is shown in place of two.json. Not here: worker, job.");
  EXPECT_EQ(state().hidden_tracks.size(), 1u);
  EXPECT_EQ(run("take-bookmarks"), "No bookmarks were left behind here.");
  EXPECT_EQ(run("dismiss-notice replaced"), "");
  EXPECT_EQ(replaced_notice(tab()), "");
}

TEST_F(ReplacingTest, AFileThatIsNotThereReplacesNothing) {
  open_two_threads();
  EXPECT_EQ(run("replace-trace " + at("nothing.json")),
            "There is no file " + at("nothing.json") + ".");
  EXPECT_EQ(tab().session->title(), "two.json");
  EXPECT_EQ(tab().session->phase(), SessionPhase::ready);
}

TEST_F(ReplacingTest, TakesBookmarksAlongWhenAsked) {
  write_next(kLater);
  open_two_threads();
  run("zoom-to 100us 300us");
  run("bookmark here");
  const Bookmark mark = state().bookmarks.at(0);
  run("replace-trace " + at("next.json"));
  EXPECT_TRUE(state().bookmarks.empty());
  EXPECT_EQ(replaced_notice(tab()),
            "next.json is shown in place of two.json. 1 bookmark was left.");
  EXPECT_EQ(run("take-bookmarks"), "");
  ASSERT_EQ(state().bookmarks.size(), 1u);
  EXPECT_EQ(state().bookmarks[0].note, "here");
  EXPECT_EQ(state().bookmarks[0].time_ns, mark.time_ns + 50'000'000);
  EXPECT_EQ(state().bookmarks[0].end_ns, mark.end_ns + 50'000'000);
  EXPECT_EQ(replaced_notice(tab()), "");
}

// Times that lie outside move by the difference of the begins; others stay.
TEST_F(ReplacingTest, MovesOnlyWhatLiesOutside) {
  write_next(kLater);
  open_two_threads();
  run("select-range 100us 300us");
  run("replace-trace " + at("next.json"));
  EXPECT_EQ(state().range, (TimeRange{50'100'000, 50'300'000}));
  folder_.write("same.json", R"([{"ph":"X","pid":3,"tid":4,"ts":50050,"dur":1000,"name":"work"}])");
  run("replace-trace " + at("same.json"));
  EXPECT_EQ(state().range, (TimeRange{50'100'000, 50'300'000}));
}

TEST_F(ReplacingTest, ComparisonsGoOnWithIt) {
  folder_.write("next.json", kTwoThreads);
  open("b.json", kTwoThreads);
  open_two_threads();
  run("compare");
  run("tab 2");
  EXPECT_EQ(run("replace-trace " + at("next.json")), "");
  run("tab 3");
  const ComparePage* page = controllers().compare->shown();
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(page->answers.sources()[side_a].runs.front().path, at("b.json"));
  EXPECT_EQ(page->answers.sources()[side_b].runs.front().path, at("next.json"));
  EXPECT_TRUE(page->answers.whole());
  EXPECT_EQ(page->answers.sides()->run_count(side_b), 1u);
}

TEST_F(ReplacingTest, IsAChangeOfTheSession) {
  write_next(kLater);
  open_two_threads();
  run("save-session " + at("night.cinder"));
  EXPECT_EQ(controllers().sessions->label(), "night");
  run("replace-trace " + at("next.json"));
  EXPECT_EQ(controllers().sessions->label(), "night ·");
  run("save-session");
  EXPECT_EQ(controllers().sessions->label(), "night");
  UnseenWindow::TearDown();
  UnseenWindow::SetUp();
  controllers().tabs->open(at("night.cinder"));
  settle();
  EXPECT_EQ(tab().session->title(), "next.json");
  run("replace-trace " + at("two.json"));
  EXPECT_EQ(controllers().sessions->label(), "night ·");
}

TEST_F(ReplacingTest, UsingWhatIsInAMissingTracesPlaceIsTheSame) {
  open_two_threads();
  run("pin worker");
  run("bookmark here");
  run("save-session " + at("night.cinder"));
  folder_.write("two.json", kLater);
  UnseenWindow::TearDown();
  UnseenWindow::SetUp();
  controllers().tabs->open(at("night.cinder"));
  settle();
  ASSERT_NE(tab().missing, nullptr);
  EXPECT_EQ(run("use-trace"), "");
  EXPECT_EQ(replaced_notice(tab()),
            "two.json is shown in place of two.json. Not here: worker. 1 bookmark was left.");
}

TEST_F(ReplacingTest, ATraceDroppedOnATabsHeadMayTakeItsPlace) {
  write_next(kLater);
  open_two_threads();
  open("other.json", kLater);
  // The first head is left of the second, the shown one.
  float x = 40;
  for (; x < 400; x += 10) {
    shell_->input().push_back(PointerMoved{x, 20, {}});
    frame();
    shell_->input().push_back(FilesDropped{{at("next.json")}, false});
    settle();
    if (controllers().drops->open() && shell_->tabs().shown_index == 0) break;
    run("drop-choice cancel");
    run("tab 2");
  }
  ASSERT_TRUE(controllers().drops->open());
  press("4");
  ASSERT_EQ(shell_->tabs().all.size(), 2u);
  EXPECT_EQ(shell_->tabs().all[0]->session->title(), "next.json");
  // Elsewhere there is no such choice.
  shell_->input().push_back(PointerMoved{600, 500, {}});
  frame();
  shell_->input().push_back(FilesDropped{{at("two.json")}, false});
  settle();
  ASSERT_TRUE(controllers().drops->open());
  press("4");
  EXPECT_TRUE(controllers().drops->open());
}

}  // namespace
}  // namespace cinderscope
