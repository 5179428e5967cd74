#include "app/window/controllers/chrome/paths.h"

#include <cstdlib>
#include <fstream>

#include "app/window/controllers/chrome/palette.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class PathsControllerTest : public UnseenWindow {
 protected:
  void SetUp() override {
    UnseenWindow::SetUp();
    std::filesystem::create_directory(folder_.path() / "inner");
    folder_.write("inner/deep.json", kTwoThreads);
    folder_.write("two.json", kTwoThreads);
    at_ = folder_.path().string();
  }
  std::string shown() { return shell_->tabs().shown() == nullptr ? "" : tab().session->title(); }
  PaletteController& palette() { return *controllers().palette; }
  std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string at_;
};

TEST_F(PathsControllerTest, OpensThePathThatIsTyped) {
  press("Ctrl+O");
  ASSERT_TRUE(palette().open());
  type(at_ + "/two.json");
  press("Enter");
  EXPECT_FALSE(palette().open());
  EXPECT_EQ(shown(), "two.json");
}

TEST_F(PathsControllerTest, TabCompletesAndEnterGoesIntoAFolder) {
  press("Ctrl+O");
  type(at_ + "/inn");
  EXPECT_EQ(palette().text(), at_ + "/inn");
  press("Tab");
  EXPECT_EQ(palette().text(), at_ + "/inner/");
  type("d");
  EXPECT_EQ(palette().text(), at_ + "/inner/d");
  press("Tab");
  EXPECT_EQ(palette().text(), at_ + "/inner/deep.json");
  press("Enter");
  EXPECT_EQ(shown(), "deep.json");
  press("Ctrl+O");
  type(at_ + "/inner");
  press("Enter");
  EXPECT_TRUE(palette().open());
  EXPECT_EQ(palette().text(), at_ + "/inner/");
}

TEST_F(PathsControllerTest, BackspaceAtASlashGoesUp) {
  press("Ctrl+O");
  type(at_ + "/inner/");
  press("Backspace");
  EXPECT_EQ(palette().text(), at_ + "/");
  type("tw");
  press("Backspace");
  EXPECT_EQ(palette().text(), at_ + "/t");
  press("Enter");
  EXPECT_EQ(shown(), "two.json");
}

TEST_F(PathsControllerTest, ABarePathInThePaletteOpens) {
  press("Ctrl+Shift+P");
  type(at_ + "/tw");
  press("Down");
  press("Up");
  press("Enter");
  EXPECT_EQ(shown(), "two.json");
  press("Ctrl+Shift+P");
  type("open " + at_ + "/inner/de");
  press("Tab");
  EXPECT_EQ(palette().text(), "open " + at_ + "/inner/deep.json");
  press("Enter");
  EXPECT_EQ(shown(), "deep.json");
}

TEST_F(PathsControllerTest, RecentFilesAreThereWithATraceOpen) {
  open_two_threads();
  shell_->settings().recent = {{at_ + "/inner/deep.json", 5, 1}};
  press("Ctrl+O");
  press("Enter");
  EXPECT_EQ(shown(), "deep.json");
  run("close");
  press("Ctrl+Shift+P");
  type("recent deep");
  press("Enter");
  EXPECT_EQ(shown(), "deep.json");
}

TEST_F(PathsControllerTest, EscapeClosesAFieldThatAKeyOpened) {
  press("Ctrl+O");
  press("Escape");
  EXPECT_FALSE(palette().open());
}

TEST_F(PathsControllerTest, ATableIsSavedOnlyWhereThatIsSaid) {
  open_two_threads();
  press("Ctrl+Shift+P");
  type("save-statistics");
  press("Enter");
  ASSERT_TRUE(palette().open());
  EXPECT_EQ(palette().text(), at_ + "/two.json.statistics.csv");
  EXPECT_FALSE(std::filesystem::exists(palette().text()));
  press("Enter");
  const std::string saved = at_ + "/two.json.statistics.csv";
  EXPECT_EQ(shell_->message(), "3 rows saved to " + saved);
  // Again: one Enter replaces nothing.
  folder_.write("two.json.statistics.csv", "mine");
  shell_->ask_command("save-statistics", "");
  settle();
  press("Enter");
  EXPECT_TRUE(palette().open());
  EXPECT_EQ(text_of(saved), "mine");
  press("Down");
  press("Enter");
  EXPECT_NE(text_of(saved), "mine");
}

TEST_F(PathsControllerTest, WithoutADialogOfTheDesktopBrowsingIsTyping) {
  if (controllers().paths->has_dialog()) GTEST_SKIP() << "a dialog would open";
  EXPECT_EQ(run("browse"), "");
  EXPECT_TRUE(palette().open());
  EXPECT_EQ(run("browse fit"), "\"fit\" is no command that takes a path.");
  EXPECT_EQ(run("browse merge"), "\"merge\" can do nothing now.");
}

}  // namespace
}  // namespace cinderscope
