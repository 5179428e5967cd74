#include "ingest/base/time_zone.h"

#include <gtest/gtest.h>

#include "tests/support/time_zone.h"

namespace cinderscope {
namespace {

constexpr std::int64_t kHourNs = 3'600'000'000'000;
// 2023-11-14 22:13:20 UTC.
constexpr std::int64_t kIn2023Ns = 1'700'000'000'000'000'000;

TEST(TimeZoneTest, TakesNamesOfTheSystemsList) {
  const WithTimeZone as_before("UTC0");
  ASSERT_TRUE(use_time_zone("Europe/Berlin"));
  EXPECT_EQ(local_time(kIn2023Ns).fields.tm_hour, 23);
  ASSERT_TRUE(use_time_zone("UTC"));
  EXPECT_EQ(local_time(kIn2023Ns).fields.tm_hour, 22);
  ASSERT_TRUE(use_time_zone("local"));
  EXPECT_EQ(local_time(kIn2023Ns).fields.tm_hour, 22);
}

TEST(TimeZoneTest, RefusesWhatIsNotInTheList) {
  const WithTimeZone as_before("UTC0");
  for (const char* name :
       {"", "Nowhere/Town", "../../etc/passwd", "/etc/passwd", "Europe", "a b"}) {
    EXPECT_FALSE(use_time_zone(name)) << name;
  }
  EXPECT_EQ(use_time_zone("Nowhere/Town").error().text,
            "There is no time zone \"Nowhere/Town\"; give local, UTC or a name such as "
            "Europe/Berlin.");
}

TEST(TimeZoneTest, FindsATimeOnADayWhoseClockChanges) {
  const WithTimeZone as_before("UTC0");
  ASSERT_TRUE(use_time_zone("Europe/Berlin"));
  // 2023-10-29 00:30 local; summer time ends at 03:00.
  constexpr std::int64_t kNightNs = 1'698'532'200'000'000'000;
  EXPECT_EQ(time_on_day(kNightNs, kHourNs / 2), kNightNs);
  EXPECT_EQ(time_on_day(kNightNs, 12 * kHourNs), kNightNs + 12 * kHourNs + kHourNs / 2);
}

TEST(TimeZoneTest, KeepsTheRestBelowASecond) {
  EXPECT_EQ(local_time(-1).rest_ns, 999'999'999);
  EXPECT_EQ(local_time(1'500'000'001).rest_ns, 500'000'001);
  EXPECT_FALSE(time_on_day(INT64_MAX, 23 * kHourNs) == INT64_MAX);
}

}  // namespace
}  // namespace cinderscope
