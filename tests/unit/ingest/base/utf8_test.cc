#include "ingest/base/utf8.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

TEST(Utf8Test, KeepsWhatIsValid) {
  EXPECT_EQ(valid_utf8("a\u00e9\u8a66\U0001F600"), "a\u00e9\u8a66\U0001F600");
}

TEST(Utf8Test, ReplacesEachBadByte) {
  EXPECT_EQ(valid_utf8("a\xff"), "a\uFFFD");
  EXPECT_EQ(valid_utf8("\xc0\x80"), "\uFFFD\uFFFD");            // overlong
  EXPECT_EQ(valid_utf8("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(valid_utf8("\xe8\xa9"), "\uFFFD\uFFFD");            // cut short
  EXPECT_EQ(valid_utf8("\xf5\x80\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
}

}  // namespace
}  // namespace cinderscope
