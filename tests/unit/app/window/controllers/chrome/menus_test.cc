#include "app/window/controllers/chrome/menus.h"

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class MenusControllerTest : public UnseenWindow {
 protected:
  void SetUp() override {
    UnseenWindow::SetUp();
    open_two_threads();
  }
};

TEST_F(MenusControllerTest, OpensForWhatWasClickedAndEscapeClosesIt) {
  EXPECT_EQ(run("context-menu track 0"), "");
  EXPECT_TRUE(controllers().menus->open());
  press("Escape");
  EXPECT_FALSE(controllers().menus->open());
}

TEST_F(MenusControllerTest, RunsTheEntryThatIsClicked) {
  shell_->input().push_back(PointerMoved{300, 200, {}});
  settle();
  run("context-menu track 0");
  click(330, 218);  // the first line
  EXPECT_EQ(state().collapsed_tracks.size(), 1u);
  EXPECT_FALSE(controllers().menus->open());
}

}  // namespace
}  // namespace cinderscope
