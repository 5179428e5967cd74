#include "ingest/base/time_units.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

std::int64_t ns_of(std::string_view text) {
  const Result<Nanoseconds> time = nanoseconds_from(text);
  EXPECT_TRUE(time) << text;
  return time ? time->floor_ns : 0;
}

TEST(TimeUnitsTest, ReadsEveryUnitAndItsOtherSpellings) {
  EXPECT_EQ(ns_of("7"), 7);
  EXPECT_EQ(ns_of("7ns"), 7);
  EXPECT_EQ(ns_of("7us"), 7'000);
  EXPECT_EQ(ns_of("7\u00b5s"), 7'000);
  EXPECT_EQ(ns_of("7\u03bcs"), 7'000);
  EXPECT_EQ(ns_of("7ms"), 7'000'000);
  EXPECT_EQ(ns_of("7s"), 7'000'000'000);
  EXPECT_EQ(ns_of("2m"), 120'000'000'000);
  EXPECT_EQ(ns_of("2min"), 120'000'000'000);
  EXPECT_EQ(ns_of("2h"), 7'200'000'000'000);
}

TEST(TimeUnitsTest, RoundsDownAndSaysWhetherAnythingWasLost) {
  EXPECT_EQ(ns_of("1.5us"), 1'500);
  EXPECT_EQ(ns_of("-1.5us"), -1'500);
  EXPECT_TRUE(nanoseconds_from("1.5us")->exact);
  EXPECT_EQ(ns_of("1.5"), 1);
  EXPECT_EQ(ns_of("-1.5"), -2);
  EXPECT_FALSE(nanoseconds_from("1.5")->exact);
  EXPECT_EQ(ns_of("99999999999999999999h"), INT64_MAX);
}

TEST(TimeUnitsTest, AddsUpPartsFromTheLargestUnitDown) {
  EXPECT_EQ(ns_of("1h2m"), 3'720'000'000'000);
  EXPECT_EQ(ns_of("1h2min3.5s"), 3'723'500'000'000);
  EXPECT_EQ(ns_of("-1s500ms"), -1'500'000'000);
  for (const char* wrong : {"2m1h", "1h2", "1h2h", "1 h", "1h 2m", "h", "1h-2m", "1.2.3"}) {
    EXPECT_FALSE(nanoseconds_from(wrong)) << wrong;
  }
}

TEST(TimeUnitsTest, SaysWhereTextIsNoTime) {
  EXPECT_EQ(nanoseconds_from("x").error().offset_bytes, 0);
  EXPECT_EQ(nanoseconds_from("12days").error().offset_bytes, 2);
  EXPECT_FALSE(nanoseconds_from(""));
}

}  // namespace
}  // namespace cinderscope
