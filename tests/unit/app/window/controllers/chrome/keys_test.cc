#include "app/window/controllers/chrome/keys.h"

#include "app/window/controllers/chrome/palette.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class KeysControllerTest : public UnseenWindow {
 protected:
  void SetUp() override {
    UnseenWindow::SetUp();
    open_two_threads();
  }
};

TEST_F(KeysControllerTest, RunsTheCommandOfAKey) {
  run("zoom-to 100000 200000");
  press("Home");
  EXPECT_LE(state().view.begin_ns, 0);
}

TEST_F(KeysControllerTest, BindsOtherKeysAndTheOldOnesAgain) {
  EXPECT_EQ(run("bind fit G"), "");
  EXPECT_EQ(controllers().keys->map().all("fit"), "G");
  EXPECT_EQ(shell_->settings().keys.at("fit"), "G");
  EXPECT_EQ(run("bind nonsense G"), "There is no command \"nonsense\".");
  EXPECT_NE(run("bind fit Hyper+X"), "");
  EXPECT_EQ(run("default-keys"), "");
  EXPECT_EQ(controllers().keys->map().all("fit"), "0, Home");
}

TEST_F(KeysControllerTest, AHeldKeyMovesTheViewUntilItIsLetGo) {
  run("zoom-to 400000 500000");
  const double before = state().view.span_ns();
  shell_->input().push_back(KeyChanged{*parse_chord("S"), true, false});
  for (int i = 0; i < 5; ++i) frame();
  EXPECT_GT(state().view.span_ns(), before);
  shell_->input().push_back(KeyChanged{*parse_chord("S"), false, false});
  settle();
  const double after = state().view.span_ns();
  frame();
  EXPECT_EQ(state().view.span_ns(), after);
}

TEST_F(KeysControllerTest, AHeldKeyIsLetGoOnceThereIsNothingToMove) {
  shell_->input().push_back(KeyChanged{*parse_chord("S"), true, false});
  frame();
  EXPECT_TRUE(controllers().keys->holds());
  run("close");
  EXPECT_FALSE(controllers().keys->holds());
}

TEST_F(KeysControllerTest, TheHelpListensForNothingUntilAskedAndEscapeClosesIt) {
  press("F1");
  EXPECT_TRUE(controllers().keys->help_open());
  press("Escape");
  EXPECT_FALSE(controllers().keys->help_open());
  press("F1");
  press("Ctrl+Shift+P");
  EXPECT_FALSE(controllers().keys->help_open());
  EXPECT_TRUE(controllers().palette->open());
}

}  // namespace
}  // namespace cinderscope
