#include "render/tables/change_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cinderscope {
namespace {

TEST(ChangeTextTest, ChangesAreInPercentUntilTheyAreTimes) {
  EXPECT_EQ(change_text(0.244), "+24.4 %");
  EXPECT_EQ(change_text(-0.5), "-50.0 %");
  EXPECT_EQ(change_text(0), "0.0 %");
  EXPECT_EQ(change_text(9.99), "+999.0 %");
  EXPECT_EQ(change_text(11.3), "×12.3");
  EXPECT_EQ(change_text(INFINITY), "–");
  EXPECT_EQ(interval_text(-0.07, 0.008), "-7.0 … +0.8 %");
  EXPECT_EQ(interval_text(0.5, 20), "×1.5 … ×21");
}

TEST(ChangeTextTest, ValuesAreInTheUnitOfTheMeasure) {
  EXPECT_EQ(value_text(1'250'000, {}), "1.25 ms");
  EXPECT_EQ(value_text(12'000, {.is_count = true}), "12 000");
  EXPECT_EQ(value_text(2.5, {.is_count = true}), "2.5");
  EXPECT_EQ(value_text(0.125, {.is_share = true}), "12.50 %");
  EXPECT_EQ(difference_text(-1'250'000, {}), "-1.25 ms");
  EXPECT_EQ(difference_text(3, {.axis = TimeAxis::events}), "+3");
  EXPECT_EQ(difference_text(0, {.is_count = true}), "0");
}

}  // namespace
}  // namespace cinderscope
