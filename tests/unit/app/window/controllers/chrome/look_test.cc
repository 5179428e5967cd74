#include "app/window/controllers/chrome/look.h"

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class LookControllerTest : public UnseenWindow {};

TEST_F(LookControllerTest, TheThemeIsThatOfTheSettings) {
  settle();
  EXPECT_EQ(shell_->theme().kind, ThemeKind::dark);
  EXPECT_EQ(run("theme"), "");
  EXPECT_EQ(shell_->theme().kind, ThemeKind::light);
  EXPECT_EQ(shell_->theme().colours.background, theme_colours(ThemeKind::light).background);
  EXPECT_EQ(run("theme dark"), "");
  EXPECT_EQ(shell_->theme().kind, ThemeKind::dark);
}

TEST_F(LookControllerTest, ScalesByStepsWithinBounds) {
  settle();
  EXPECT_FLOAT_EQ(shell_->theme().scale, 1);
  run("larger");
  EXPECT_FLOAT_EQ(shell_->theme().scale, 1.125F);
  run("smaller");
  EXPECT_FLOAT_EQ(shell_->theme().scale, 1);
  for (int i = 0; i < 20; ++i) run("larger");
  EXPECT_FLOAT_EQ(shell_->theme().scale, kLargestScale);
  run("normal-size");
  EXPECT_FLOAT_EQ(shell_->theme().scale, 1);
}

TEST_F(LookControllerTest, SwitchesAreSettings) {
  EXPECT_EQ(run("colours colour-blind"), "");
  EXPECT_TRUE(shell_->theme().colour_blind);
  EXPECT_EQ(run("wheel scroll"), "");
  EXPECT_TRUE(shell_->settings().wheel_scrolls);
  EXPECT_EQ(run("reduced-motion off"), "");
  EXPECT_FALSE(shell_->settings().reduced_motion);
  EXPECT_EQ(run("reduced-motion"), "");
  EXPECT_TRUE(shell_->settings().reduced_motion);
  open_two_threads();
  EXPECT_TRUE(state().wheel_scrolls);
}

}  // namespace
}  // namespace cinderscope
