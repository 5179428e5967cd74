#include "app/collector/collector_controller.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

using Clock = GrowingRecordings::Clock;
using Due = std::vector<GrowingRecordings::Due>;
using std::chrono::milliseconds;

const Clock::time_point kStart = Clock::time_point{} + std::chrono::hours(1);

TEST(GrowingRecordingsTest, ARecordingIsReadAtOnceAndThenOnlyOnceASecond) {
  GrowingRecordings growing;
  growing.grew({.folder = "a"});
  EXPECT_EQ(growing.due(kStart), (Due{{"a", true}}));
  EXPECT_EQ(growing.due(kStart), Due{});
  EXPECT_EQ(growing.seconds_to_next(kStart), std::nullopt);
  growing.grew({.folder = "a"});
  EXPECT_EQ(growing.due(kStart + milliseconds(500)), Due{});
  EXPECT_EQ(growing.seconds_to_next(kStart + milliseconds(600)), 0.4);
  EXPECT_EQ(growing.due(kStart + milliseconds(1000)), (Due{{"a", false}}));
}

TEST(GrowingRecordingsTest, WhatTakesLongToReadIsReadSeldom) {
  GrowingRecordings growing;
  growing.grew({.folder = "a"});
  growing.due(kStart);
  growing.took("a", 2);
  growing.grew({.folder = "a"});
  EXPECT_EQ(growing.due(kStart + milliseconds(9'900)), Due{});
  EXPECT_EQ(growing.due(kStart + milliseconds(10'000)), (Due{{"a", false}}));
}

TEST(GrowingRecordingsTest, ARecordingThatEndedIsReadAtOnce) {
  GrowingRecordings growing;
  growing.grew({.folder = "a"});
  growing.due(kStart);
  growing.took("a", 100);
  growing.grew({.folder = "a", .ended = true});
  EXPECT_EQ(growing.due(kStart + milliseconds(1)), (Due{{"a", false}}));
}

TEST(GrowingRecordingsTest, WhatCouldNotBeReadIsDueAgainLater) {
  GrowingRecordings growing;
  growing.grew({.folder = "a"});
  growing.due(kStart);
  growing.again("a");
  EXPECT_EQ(growing.due(kStart), Due{});
  EXPECT_EQ(growing.due(kStart + milliseconds(1'000)), (Due{{"a", false}}));
}

}  // namespace
}  // namespace cinderscope
