#include "app/window/window_commands.h"

#include <filesystem>
#include <string>

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class WindowCommandsTest : public UnseenWindow {};

TEST_F(WindowCommandsTest, RefusesWhatIsNoCommandOrCanDoNothing) {
  EXPECT_EQ(run("nonsense"), "There is no command \"nonsense\".");
  EXPECT_EQ(run("fit"), "\"fit\" can do nothing now.");
  open_two_threads();
  EXPECT_EQ(run("fit"), "");
  EXPECT_EQ(run("copy-name"), "\"copy-name\" can do nothing now.");
}

TEST_F(WindowCommandsTest, RefusesUnknownWordsWithWhatWasExpected) {
  open_two_threads();
  const std::string refusal = run("panel nonsense");
  EXPECT_TRUE(refusal.ends_with("not \"nonsense\".")) << refusal;
  for (const auto& panel : tab().panels) {
    const bool is_told = refusal.find(panel->word()) != std::string::npos;
    EXPECT_EQ(is_told, panel->available(*tab().session)) << panel->word();
  }
  EXPECT_EQ(run("theme pink"), "theme takes dark, light or system, not \"pink\".");
  EXPECT_EQ(run("sort colour"), "sort takes index, time, name, id or activity, not \"colour\".");
  EXPECT_EQ(run("fit please"), "fit takes no argument, not \"please\".");
}

// What is open stays as it is, whatever is typed.
TEST_F(WindowCommandsTest, EveryCommandBearsOddArguments) {
  open_two_threads();
  // Some of them are taken for names of files to write.
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  for (const Command& each : window_commands()) {
    if (each.name == "collect" || each.name == "open" || each.name == "quit") continue;
    for (const char* odd : {"nonsense", "\"", "-1", "99999999999999999999 1", "\xff", "up up up"}) {
      run(std::string(each.name) + " " + odd);
      if (shell_->tabs().all.empty()) open_two_threads();
    }
  }
  std::filesystem::current_path(before);
  EXPECT_FALSE(shell_->tabs().all.empty());
}

TEST_F(WindowCommandsTest, QuitEndsTheWindow) {
  EXPECT_FALSE(shell_->quitting());
  EXPECT_EQ(run("quit"), "");
  EXPECT_TRUE(shell_->quitting());
}

}  // namespace
}  // namespace cinderscope
