#include "app/window/controllers/chrome/palette.h"

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class PaletteControllerTest : public UnseenWindow {
 protected:
  void SetUp() override {
    UnseenWindow::SetUp();
    open_two_threads();
    press("Ctrl+Shift+P");
  }
};

TEST_F(PaletteControllerTest, RunsWhatIsTypedAndCloses) {
  ASSERT_TRUE(controllers().palette->open());
  type("theme light");
  press("Enter");
  EXPECT_FALSE(controllers().palette->open());
  EXPECT_EQ(shell_->settings().theme, ThemeChoice::light);
}

TEST_F(PaletteControllerTest, AsksForAChoiceAndEscapeGoesOneStepBack) {
  type("dark or light");
  press("Enter");
  EXPECT_TRUE(controllers().palette->open());
  press("Escape");
  EXPECT_TRUE(controllers().palette->open());
  press("Escape");
  EXPECT_FALSE(controllers().palette->open());
}

TEST_F(PaletteControllerTest, OffersThePanelsOfTheShownTrace) {
  controllers().palette->ask(shell_->commands().named("panel"));
  settle();
  type("rep");
  press("Enter");
  EXPECT_FALSE(controllers().palette->open());
  EXPECT_EQ(shell_->message(), "");
}

TEST_F(PaletteControllerTest, SaysWhatIsWrongWithAnArgumentAsAScriptWould) {
  controllers().palette->ask(shell_->commands().named("zoom-to"));
  settle();
  type("x y");
  press("Enter");
  EXPECT_EQ(shell_->message(), "zoom-to takes a time such as +1.2s, not \"x\".");
}

TEST_F(PaletteControllerTest, ASecondPressOfItsKeyClosesIt) {
  press("Ctrl+Shift+P");
  EXPECT_FALSE(controllers().palette->open());
}

}  // namespace
}  // namespace cinderscope
