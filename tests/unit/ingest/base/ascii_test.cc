#include "ingest/base/ascii.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

TEST(AsciiTest, LowersLettersAndLeavesOtherBytes) {
  EXPECT_EQ(ascii_lower("AZ@[az \xC4"), "az@[az \xC4");
  EXPECT_TRUE(equals_in_any_case("Main", "mAIN"));
  EXPECT_FALSE(equals_in_any_case("main", "mai"));
}

TEST(AsciiTest, TellsBlanksAndDigits) {
  EXPECT_EQ(trimmed(" \t\r\na b\v\f"), "a b");
  EXPECT_EQ(trimmed("  "), "");
  EXPECT_TRUE(is_blank(std::string_view(" \t")));
  EXPECT_FALSE(is_blank(std::string_view(" x")));
  EXPECT_TRUE(is_number("0129"));
  EXPECT_FALSE(is_number(""));
  EXPECT_FALSE(is_number("12a"));
}

}  // namespace
}  // namespace cinderscope
