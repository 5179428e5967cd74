#include "app/window/controllers/threads.h"

#include "app/commands/thread_commands.h"
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
