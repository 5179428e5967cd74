#include "app/commands/keys.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

TEST(KeysTest, ReadsChordsInEitherCase) {
  const auto chord = parse_chord("ctrl+SHIFT+pageup");
  ASSERT_TRUE(chord);
  EXPECT_EQ(*chord, (KeyChord{.key = Key::page_up, .ctrl = true, .shift = true}));
  EXPECT_EQ(parse_chord("Esc")->key, Key::escape);
  EXPECT_EQ(parse_chord("9")->key, Key::d9);
  EXPECT_EQ(parse_chord("+")->character, U'+');
  EXPECT_EQ(parse_chord("Ctrl++")->character, U'+');
}

TEST(KeysTest, RefusesWhatIsNoChord) {
  for (const char* text :
       {"", " ", "Ctrl+", "Hyper+A", "Ctrl", "F13", "AB", "\xc3\xbc", "Ctrl+ ", "+A", "++", "\n"}) {
    EXPECT_FALSE(parse_chord(text)) << '"' << text << '"';
  }
}

}  // namespace
}  // namespace cinderscope
