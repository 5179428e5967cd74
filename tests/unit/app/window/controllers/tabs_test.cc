#include "app/window/controllers/tabs.h"

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class TabsControllerTest : public UnseenWindow {
 protected:
  std::size_t shown() { return shell_->tabs().shown_index; }
};

TEST_F(TabsControllerTest, OpensEachTraceInATabAndShowsTheLast) {
  open("a.json", kTwoThreads);
  open("b.json", kTwoThreads);
  EXPECT_EQ(shell_->tabs().all.size(), 2u);
  EXPECT_EQ(tab().session->title(), "b.json");
  EXPECT_EQ(run("previous-tab"), "");
  EXPECT_EQ(tab().session->title(), "a.json");
  EXPECT_EQ(run("tab 2"), "");
  EXPECT_EQ(shown(), 1u);
  EXPECT_EQ(run("next-tab"), "");
  EXPECT_EQ(shown(), 0u);
  EXPECT_EQ(run("tab 3"), "There is no tab 3.");
}

TEST_F(TabsControllerTest, OpensTheTracesOfAFolder) {
  folder_.write("a.json", kTwoThreads);
  folder_.write("b.json", kTwoThreads);
  folder_.write("readme.txt", "no trace");
  controllers().tabs->open(folder_.path().string());
  settle();
  EXPECT_EQ(shell_->tabs().all.size(), 2u);
}

TEST_F(TabsControllerTest, ListsAllTabsToChooseFrom) {
  for (const char* name : {"a.json", "b.json", "c.json"}) open(name, kTwoThreads);
  EXPECT_EQ(run("tabs"), "");
  press("Up");  // from the shown one, the last
  press("Enter");
  EXPECT_EQ(tab().session->title(), "b.json");
  open("clang.json", kTwoThreads);
  open("catalog_angle.json", kTwoThreads);  // has the letters, too
  EXPECT_EQ(run("tabs"), "");
  type("clang");
  press("Enter");
  EXPECT_EQ(tab().session->title(), "clang.json");
  EXPECT_EQ(run("tabs"), "");
  type("a.js");
  press("Enter");
  EXPECT_EQ(tab().session->title(), "a.json");
}

TEST_F(TabsControllerTest, AFileThatIsNoTraceHasATabThatSaysSo) {
  open("odd.json", "no trace at all");
  EXPECT_EQ(tab().session->phase(), SessionPhase::failed);
  EXPECT_FALSE(shell_->command_state().has_trace);
}

TEST_F(TabsControllerTest, ClosesOneOrAllOthers) {
  for (const char* name : {"a.json", "b.json", "c.json"}) open(name, kTwoThreads);
  EXPECT_EQ(run("close 1"), "");
  EXPECT_EQ(tab().session->title(), "c.json");
  EXPECT_EQ(run("close-others 1"), "");
  ASSERT_EQ(shell_->tabs().all.size(), 1u);
  EXPECT_EQ(tab().session->title(), "b.json");
  EXPECT_EQ(run("close"), "");
  EXPECT_EQ(shell_->tabs().shown(), nullptr);
}

TEST_F(TabsControllerTest, ReloadsWhatChanged) {
  open("a.json", kTwoThreads);
  folder_.write("a.json", R"([{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"other"}])");
  EXPECT_EQ(run("reload"), "");
  EXPECT_EQ(state().visible_boxes, 1u);
}

TEST_F(TabsControllerTest, LoadsOnlyAPart) {
  open_two_threads();
  EXPECT_EQ(run("load-part 5 1"), "load-part needs FROM before TO.");
  EXPECT_EQ(run("load-part 0 150000 1"), "");
  EXPECT_EQ(state().visible_boxes, 2u);  // work and the first step
  EXPECT_EQ(run("load-anyway"), "");
  EXPECT_EQ(state().visible_boxes, 4u);
}

TEST_F(TabsControllerTest, LoadsAllWithColumnsOnDisk) {
  open_two_threads();
  EXPECT_EQ(run("load-part 0 150000 1"), "");
  EXPECT_EQ(run("load-on-disk"), "");
  EXPECT_EQ(state().visible_boxes, 4u);
  EXPECT_GT(tab().session->load_options().memory_limit_bytes, 0u);
}

TEST_F(TabsControllerTest, CopiesThePath) {
  open_two_threads();
  EXPECT_EQ(run("copy-path"), "");
  EXPECT_EQ(copied_, tab().session->path());
}

}  // namespace
}  // namespace cinderscope
