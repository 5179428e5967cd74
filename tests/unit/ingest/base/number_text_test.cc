#include "ingest/base/number_text.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

TEST(NumberTextTest, GroupsDigitsFromTheRight) {
  EXPECT_EQ(grouped_digits(0), "0");
  EXPECT_EQ(grouped_digits(999), "999");
  EXPECT_EQ(grouped_digits(1000), "1 000");
  EXPECT_EQ(grouped_digits(500000), "500 000");
  EXPECT_EQ(grouped_digits(1234567), "1 234 567");
}

TEST(NumberTextTest, ReadsOnlyWholeNumbers) {
  EXPECT_EQ(parse_number<int>("12"), 12);
  EXPECT_FALSE(parse_number<int>("12 "));
  EXPECT_FALSE(parse_number<int>(""));
}

}  // namespace
}  // namespace cinderscope
