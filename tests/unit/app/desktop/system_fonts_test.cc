#include "app/desktop/system_fonts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#ifdef __SANITIZE_ADDRESS__
// The library keeps a pattern and a string of its own for as long as the process lives, and no
// pointer to them.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libfontconfig.so";
}
#endif

namespace cinderscope {
namespace {

constexpr char32_t kInNoFont = 0x10fffd;  // for private use

using Characters = std::vector<char32_t>;

TEST(SystemFontsTest, TheBestFontHasAllThatOneFontCanHave) {
  const std::vector<SystemFont> fonts = system_fonts_with({U'é', U'a', kInNoFont});
  ASSERT_EQ(fonts.size(), 1u);
  EXPECT_EQ(fonts[0].characters, (Characters{U'a', U'é'}));
  EXPECT_TRUE(std::filesystem::is_regular_file(fonts[0].path));
  EXPECT_GE(fonts[0].face, 0);
}

TEST(SystemFontsTest, EachCharacterIsOfOneFont) {
  std::set<char32_t> wanted;
  for (char32_t character = 0x20; character < 0x3000; ++character) wanted.insert(character);
  const std::vector<SystemFont> fonts = system_fonts_with(wanted);
  ASSERT_FALSE(fonts.empty());
  EXPECT_LE(fonts.size(), 8u);
  std::set<char32_t> found;
  for (const SystemFont& font : fonts) {
    EXPECT_FALSE(font.characters.empty()) << font.path;
    EXPECT_TRUE(std::ranges::is_sorted(font.characters)) << font.path;
    for (const char32_t character : font.characters) {
      EXPECT_TRUE(wanted.contains(character));
      EXPECT_TRUE(found.insert(character).second) << font.path;
    }
  }
  EXPECT_TRUE(found.contains(U'a'));
}

TEST(SystemFontsTest, ThereIsNoneForWhatNoFontHas) {
  EXPECT_TRUE(system_fonts_with({kInNoFont}).empty());
  EXPECT_TRUE(system_fonts_with({}).empty());
}

}  // namespace
}  // namespace cinderscope
