#include "ingest/base/utf16.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

TEST(Utf16Test, TextComesBackAsItWas) {
  for (const char* text : {"", "trace.json", "gr\xc3\xbc\xc3\x9f-\xe6\x97\xa5\xe6\x9c\xac.json",
                           "\xf0\x9f\x94\xa5", "\xef\xbf\xbf\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(utf8_of_utf16(utf16_of(text)), text);
  }
  EXPECT_EQ(utf16_of("\xf0\x9f\x94\xa5"), u"\U0001f525");
  EXPECT_EQ(utf8_of_utf16(u"gr\u00fc\u00df"), "gr\xc3\xbc\xc3\x9f");
}

TEST(Utf16Test, LoneSurrogatesComeBack) {
  const std::u16string name = {u'a', 0xdc00, u'b', 0xd800, 0xd800, 0xdfff};
  EXPECT_EQ(utf8_of_utf16(name),
            "a\xed\xb0\x80"
            "b\xed\xa0\x80\xf0\x90\x8f\xbf");
  EXPECT_EQ(utf16_of(utf8_of_utf16(name)), name);
}

TEST(Utf16Test, BytesThatAreNoUtf8AreReplaced) {
  EXPECT_EQ(utf16_of("a\xff"
                     "b\xc3"),
            u"a\ufffd"
            u"b\ufffd");
  EXPECT_EQ(utf16_of("\xed\xa0"), u"\ufffd\ufffd");  // a surrogate cut short
  EXPECT_EQ(utf16_of("\xed\x9f\xbf"), u"\ud7ff");    // the last character before them
}

}  // namespace
}  // namespace cinderscope
