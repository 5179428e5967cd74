#include "app/script/input_clock.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

using std::chrono::milliseconds;

const InputClock::TimePoint kStart{};

TEST(InputClockTest, CountsFromTheOldestEventOfAFrameToItsPicture) {
  InputClock clock;
  clock.arrived(1, kStart);
  clock.arrived(3, kStart + milliseconds(10));
  clock.taken(0);
  clock.shown(kStart + milliseconds(25));
  EXPECT_EQ(clock.times().count(), 1u);
  EXPECT_DOUBLE_EQ(clock.times().last_ms(), 25);
}

TEST(InputClockTest, KeepsTheTimeOfWhatAFrameLeaves) {
  InputClock clock;
  clock.arrived(1, kStart);
  clock.arrived(2, kStart + milliseconds(10));
  clock.taken(1);
  clock.shown(kStart + milliseconds(20));
  clock.taken(0);
  clock.shown(kStart + milliseconds(40));
  EXPECT_EQ(clock.times().count(), 2u);
  EXPECT_DOUBLE_EQ(clock.times().last_ms(), 30);
}

TEST(InputClockTest, IgnoresFramesWithoutInput) {
  InputClock clock;
  clock.taken(0);
  clock.shown(kStart + milliseconds(20));
  clock.arrived(1, kStart + milliseconds(30));
  clock.shown(kStart + milliseconds(40));  // was drawn before it was taken
  EXPECT_EQ(clock.times().count(), 0u);
}

TEST(InputClockTest, WaitsForTheNextPictureWhereAFrameLookedLikeTheOneBefore) {
  InputClock clock;
  clock.arrived(1, kStart);
  clock.taken(0);  // not shown
  clock.taken(0);
  clock.shown(kStart + milliseconds(30));
  EXPECT_EQ(clock.times().count(), 1u);
  EXPECT_DOUBLE_EQ(clock.times().last_ms(), 30);
}

TEST(InputClockTest, ForgetsWhatChangedNothingOnceTheWindowRests) {
  InputClock clock;
  clock.arrived(1, kStart);
  clock.taken(0);
  clock.rested();
  clock.shown(kStart + milliseconds(500));
  EXPECT_EQ(clock.times().count(), 0u);
}

}  // namespace
}  // namespace cinderscope
