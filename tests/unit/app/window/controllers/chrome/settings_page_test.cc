#include "app/window/controllers/chrome/settings_page.h"

#include "app/store/settings.h"
#include "app/window/controllers/chrome/keys.h"
#include "app/window/controllers/chrome/palette.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class SettingsPageTest : public UnseenWindow {
 protected:
  bool open() { return controllers().settings_page->open(); }
};

TEST_F(SettingsPageTest, OpensByKeyAndClosesByEscape) {
  press("Ctrl+,");
  EXPECT_TRUE(open());
  press("T");  // keys go nowhere else meanwhile
  EXPECT_EQ(shell_->settings().theme, ThemeChoice::dark);
  press("Escape");
  EXPECT_FALSE(open());
  press("Ctrl+,");
  press("Ctrl+,");
  EXPECT_FALSE(open());
  press("Ctrl+,");
  press("Ctrl+Shift+P");
  EXPECT_FALSE(open());
  EXPECT_TRUE(controllers().palette->open());
}

TEST_F(SettingsPageTest, AClickOnAWordChangesTheSettingAndTheKeysOpen) {
  EXPECT_EQ(run("settings"), "");
  // Down the middle of the page, where the words stand.
  for (float y = 100; y < kHeightPx - 150 && shell_->settings().theme == ThemeChoice::dark;
       y += 12) {
    click(575, y);
  }
  EXPECT_NE(shell_->settings().theme, ThemeChoice::dark);
  EXPECT_TRUE(open());
  // The last line.
  for (float y = kHeightPx - 140; y < kHeightPx - 45; y += 8) {
    for (float x = 516; x < 600 && open() && !controllers().keys->help_open(); x += 10) click(x, y);
  }
  EXPECT_TRUE(controllers().keys->help_open());
  EXPECT_FALSE(open());
}

TEST_F(SettingsPageTest, AClickOutsideClosesIt) {
  run("settings");
  click(5, 5);
  EXPECT_FALSE(open());
}

TEST_F(SettingsPageTest, IsInTheMenuBesideTheButtonThatOpens) {
  run("context-menu open");
  EXPECT_EQ(run("settings"), "");
  EXPECT_TRUE(open());
}

}  // namespace
}  // namespace cinderscope
