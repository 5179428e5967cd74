#include "render/text/date_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace cinderscope {
namespace {

class DateTextTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("TZ", "UTC", 1);
    tzset();
  }
  void TearDown() override {
    unsetenv("TZ");
    tzset();
  }
  static constexpr std::int64_t kNow = 1'700'000'000;  // 14 Nov 2023, 22:13
};

TEST_F(DateTextTest, SaysLessOfWhatIsNear) {
  EXPECT_EQ(date_text(kNow - 60, kNow), "today 22:12");
  EXPECT_EQ(date_text(kNow - 86400, kNow), "13 Nov");
  EXPECT_EQ(date_text(kNow - 400 * 86400, kNow), "10 Oct 2022");
}

TEST_F(DateTextTest, LeavesOutWhatNoCalendarHolds) {
  EXPECT_EQ(date_text(INT64_MAX, kNow), "");
  EXPECT_EQ(date_text(0, kNow), "1 Jan 1970");
}

}  // namespace
}  // namespace cinderscope
