#include "app/desktop/user_folders.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace cinderscope {
namespace {

TEST(UserFoldersTest, FollowsTheVariablesButOnlyTheseInAScript) {
  const auto set = [](const char* name, const char* value) {
    if (value == nullptr) {
      unsetenv(name);
    } else {
      setenv(name, value, 1);
    }
  };
  const char* home = std::getenv("HOME");
  const std::string old_home = home == nullptr ? "" : home;
  set("XDG_CONFIG_HOME", "/x/config");
  set("XDG_STATE_HOME", "relative");
  set("HOME", "/home/anna");
  EXPECT_EQ(user_folders(false).config, "/x/config/cinderscope");
  EXPECT_EQ(user_folders(false).state, "/home/anna/.local/state/cinderscope");
  EXPECT_EQ(user_folders(true).config, "/x/config/cinderscope");
  EXPECT_EQ(user_folders(true).state, "");
  set("XDG_CONFIG_HOME", nullptr);
  set("HOME", nullptr);
  EXPECT_EQ(user_folders(false).config, "");
  set("XDG_STATE_HOME", nullptr);
  set("HOME", old_home.empty() ? nullptr : old_home.c_str());
}

}  // namespace
}  // namespace cinderscope
