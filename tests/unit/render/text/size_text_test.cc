#include "render/text/size_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace cinderscope {
namespace {

TEST(SizeTextTest, PicksTheUnitThatLeavesTwoOrThreeDigits) {
  EXPECT_EQ(size_text(0), "0 bytes");
  EXPECT_EQ(size_text(1), "1 byte");
  EXPECT_EQ(size_text(999), "999 bytes");
  EXPECT_EQ(size_text(2'100'000), "2.1 MB");
  EXPECT_EQ(size_text(9'960), "10 kB");
  EXPECT_EQ(size_text(999'600), "1.0 MB");
  EXPECT_EQ(size_text(~std::uint64_t{0}), "18 EB");
}

TEST(SizeTextTest, TakesAnyRate) {
  EXPECT_EQ(rate_text(512e6), "512 MB/s");
  EXPECT_EQ(rate_text(-1), "0 bytes/s");
  EXPECT_EQ(rate_text(std::numeric_limits<double>::quiet_NaN()), "0 bytes/s");
  EXPECT_EQ(rate_text(std::numeric_limits<double>::infinity()), "1.0 EB/s");
}

}  // namespace
}  // namespace cinderscope
