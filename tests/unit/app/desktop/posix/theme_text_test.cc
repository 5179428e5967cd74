#include "app/desktop/posix/theme_text.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

TEST(ThemeTextTest, ReadsThePortalsAnswer) {
  EXPECT_EQ(theme_from_portal("(<<uint32 1>>,)\n"), ThemeKind::dark);
  EXPECT_EQ(theme_from_portal("(<<uint32 2>>,)"), ThemeKind::light);
  EXPECT_EQ(theme_from_portal("(<<uint32 0>>,)"), std::nullopt);
  EXPECT_EQ(theme_from_portal("Error: no such name"), std::nullopt);
  EXPECT_EQ(theme_from_portal("uint32 "), std::nullopt);
  EXPECT_EQ(theme_from_portal(""), std::nullopt);
}

TEST(ThemeTextTest, ReadsGtksSettings) {
  EXPECT_EQ(theme_from_gtk("Adwaita:dark", ""), ThemeKind::dark);
  EXPECT_EQ(theme_from_gtk("Adwaita", ""), ThemeKind::light);
  EXPECT_EQ(theme_from_gtk("", "[Settings]\ngtk-application-prefer-dark-theme = 1\r\n"),
            ThemeKind::dark);
  EXPECT_EQ(theme_from_gtk("", "gtk-application-prefer-dark-theme=0"), ThemeKind::light);
  EXPECT_EQ(theme_from_gtk("", "gtk-theme-name=\"Yaru-Dark\"\n"), ThemeKind::dark);
  EXPECT_EQ(theme_from_gtk("", "=\n==\n\xff"), std::nullopt);
  EXPECT_EQ(theme_from_gtk("", ""), std::nullopt);
}

}  // namespace
}  // namespace cinderscope
