#include "app/window/controllers/chrome/start.h"

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class StartControllerTest : public UnseenWindow {
 protected:
  void SetUp() override {
    UnseenWindow::SetUp();
    for (const char* name : {"a.json", "b.json"}) {
      shell_->settings().recent.push_back({folder_.write(name, kTwoThreads).string(), 1, 1});
    }
    settle();
  }
};

TEST_F(StartControllerTest, DigitsOpenARecentFile) {
  press("2");
  ASSERT_NE(shell_->tabs().shown(), nullptr);
  EXPECT_EQ(tab().session->title(), "b.json");
}

TEST_F(StartControllerTest, ArrowsChooseOneThatEnterOpens) {
  press("Down");
  press("Down");
  press("Up");
  press("Enter");
  ASSERT_NE(shell_->tabs().shown(), nullptr);
  EXPECT_EQ(tab().session->title(), "a.json");
}

TEST_F(StartControllerTest, DeleteForgetsTheChosenOne) {
  press("Down");
  press("Delete");
  ASSERT_EQ(shell_->settings().recent.size(), 1u);
  EXPECT_TRUE(shell_->settings().recent[0].path.ends_with("b.json"));
}

}  // namespace
}  // namespace cinderscope
