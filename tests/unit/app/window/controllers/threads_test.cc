#include "app/window/controllers/threads.h"

#include "app/commands/thread_commands.h"
#include "app/window/panels/search_facts.h"
#include "render/layout/track_list.h"
#include "render/views/timeline/timeline.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class ThreadsControllerTest : public UnseenWindow {
 protected:
  void SetUp() override {
    UnseenWindow::SetUp();
    open_two_threads();
  }
  std::string shown() {
    std::string text;
    for (const std::string& name : shown_threads(timeline(), state()).shown) text += name + " ";
    return text;
  }
};

TEST_F(ThreadsControllerTest, CommandsChangeTheRowsOfTheShownTrace) {
  EXPECT_EQ(shown(), "main worker ");
  EXPECT_EQ(run("hide main"), "");
  EXPECT_EQ(shown(), "worker ");
  EXPECT_EQ(run("show main"), "");
  EXPECT_EQ(run("move-thread worker up"), "");
  EXPECT_EQ(shown(), "worker main ");
  EXPECT_EQ(run("sort name"), "");
  EXPECT_EQ(shown(), "main worker ");
  EXPECT_EQ(run("pin worker"), "");
  EXPECT_EQ(shown(), "worker main ");
  EXPECT_EQ(run("unpin worker"), "");
  EXPECT_EQ(run("solo worker"), "");
  EXPECT_EQ(shown(), "worker ");
  EXPECT_EQ(run("solo off"), "");
  EXPECT_EQ(run("collapse main"), "");
  EXPECT_EQ(state().collapsed_tracks.size(), 1u);
  EXPECT_EQ(run("expand main"), "");
  EXPECT_EQ(state().collapsed_tracks.size(), 0u);
  EXPECT_EQ(run("group ^w"), "");
  EXPECT_EQ(state().group_pattern, "^w");
  EXPECT_EQ(run("hide nobody"), "There is no thread \"nobody\".");
}

TEST_F(ThreadsControllerTest, GroupsOfAnyNameAreMoved) {
  open("groups.json", R"([
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"a before b"}},
{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"c \"up\" "}},
{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1000,"name":"f"},
{"ph":"X","pid":1,"tid":2,"ts":0,"dur":1000,"name":"f"}])");
  EXPECT_EQ(run("group ^.*$"), "");
  EXPECT_EQ(shown(), "a before b c \"up\"  ");
  const auto argument = [](const char* name) {
    return head_argument({.is_process = false, .name = name});
  };
  EXPECT_EQ(run("move-thread " + argument("a before b") + " after " + argument("c \"up\" ")), "");
  EXPECT_EQ(shown(), "c \"up\"  a before b ");
  EXPECT_EQ(run("collapse " + argument("c \"up\" ")), "");
  EXPECT_EQ(shown(), "a before b ");
}

TEST_F(ThreadsControllerTest, AQuotedFilterKeepsItsBlanks) {
  EXPECT_EQ(run("filter \"work\""), "");
  EXPECT_EQ(shown(), "worker ");
  EXPECT_EQ(run("filter \"work \""), "");
  EXPECT_EQ(shown(), "");
}

TEST_F(ThreadsControllerTest, TheFunnelIsAsHighAsTheRuler) {
  const Rect head =
      timeline_parts(state(), shell_->theme(), {0, 0, kWidthPx, kHeightPx}).ruler_head;
  int opened = 0;
  for (int y = 60; y < 160 && (opened == 0 || controllers().threads->shows_filter(state())); ++y) {
    controllers().threads->close_filter();
    click(right_of(head) - 12, static_cast<float>(y));
    opened += controllers().threads->shows_filter(state()) ? 1 : 0;
  }
  EXPECT_EQ(static_cast<float>(opened), head.height);
}

TEST_F(ThreadsControllerTest, SeveralThreadsAreSelectedMeasuredAndSearched) {
  EXPECT_EQ(run("scope thread"),
            "No call or thread is selected, so there is no thread to measure.");
  EXPECT_EQ(run("select-threads toggle worker"), "");
  EXPECT_EQ(run("select-threads to main"), "");
  EXPECT_EQ(state().selected_tracks.size(), 2u);
  EXPECT_EQ(run("scope thread"), "");
  EXPECT_EQ(tab().scope.scope(timeline(), state()).tracks.size(), 2u);
  EXPECT_EQ(run("select-threads only worker"), "");
  EXPECT_EQ(run("search-scope thread"), "");
  EXPECT_EQ(run("search step"), "");
  settle();
  EXPECT_EQ(match_count_text(tab().search, tab().disk, *tab().session), "no match");
  EXPECT_EQ(run("clear"), "");  // the search, then the threads
  EXPECT_EQ(run("clear"), "");
  EXPECT_TRUE(state().selected_tracks.empty());
  EXPECT_EQ(run("select-threads to main"), "");  // from where nothing is selected
  EXPECT_EQ(state().selected_tracks.size(), 1u);
}

TEST_F(ThreadsControllerTest, ThreadsWithoutMatchesAreHiddenWhileSomethingIsSearchedFor) {
  EXPECT_EQ(run("hide-without-matches on"), "");
  settle();
  EXPECT_EQ(shown(), "main worker ");
  EXPECT_EQ(run("search job"), "");
  settle();
  EXPECT_EQ(shown(), "worker ");
  EXPECT_EQ(run("search step"), "");
  settle();
  EXPECT_EQ(shown(), "main ");
  EXPECT_EQ(run("clear"), "");
  settle();
  EXPECT_EQ(shown(), "main worker ");
}

TEST_F(ThreadsControllerTest, HeightsFollowTheViewAndLimits) {
  settle();
  const double all_px = state().content_height_px;
  EXPECT_EQ(run("zoom-to 600000 700000"), "");  // no step is there
  settle();
  const double fitted_px = state().content_height_px;
  EXPECT_LT(fitted_px, all_px);
  EXPECT_EQ(run("fit-rows off"), "");
  settle();
  EXPECT_EQ(state().content_height_px, all_px);
  EXPECT_EQ(run("depth-limit 1 main"), "");
  settle();
  EXPECT_GT(state().content_height_px, fitted_px);  // a line tells of the hidden rows
  EXPECT_LT(state().content_height_px, all_px + 15);
  EXPECT_EQ(state().depth_limits.size(), 1u);
  EXPECT_EQ(run("depth-limit off main"), "");
  EXPECT_TRUE(state().depth_limits.empty());
  EXPECT_NE(run("depth-limit 0 main"), "");
}

TEST_F(ThreadsControllerTest, TheFilterSaysHowManyThreadsItLeaves) {
  EXPECT_EQ(run("filter work"), "");
  settle();
  EXPECT_EQ(state().filtered_tracks, 1u);
  EXPECT_EQ(state().all_tracks, 2u);
}

TEST_F(ThreadsControllerTest, TheFilterIsTypedIntoItsField) {
  EXPECT_EQ(run("filter"), "");
  type("work");
  EXPECT_EQ(state().filter, "work");
  EXPECT_EQ(shown(), "worker ");
  EXPECT_TRUE(controllers().threads->typing());
  EXPECT_EQ(run("show-all"), "");
  EXPECT_EQ(shown(), "main worker ");
}

TEST_F(ThreadsControllerTest, AFilterScrollsToTheTop) {
  state().scroll_px = 30;
  EXPECT_EQ(run("filter main"), "");
  EXPECT_EQ(state().scroll_px, 0);
  EXPECT_EQ(shown(), "main ");
}

}  // namespace
}  // namespace cinderscope
