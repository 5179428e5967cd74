#include "ingest/model/pauses.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

TEST(ProcessPausesTest, SortsAndJoinsThem) {
  const ProcessPauses pauses(ProcessId{3}, {{50, 60}, {10, 20}, {15, 30}, {30, 31}, {40, 40}});
  EXPECT_EQ(pauses.all(), (std::vector<Pause>{{10, 31}, {50, 60}}));
  EXPECT_EQ(pauses.process(), ProcessId{3});
}

TEST(ProcessPausesTest, SumsWhatLiesWithinARange) {
  const ProcessPauses pauses({}, {{10, 20}, {30, 40}, {50, 60}});
  EXPECT_EQ(pauses.within(0, 100), 30);
  EXPECT_EQ(pauses.within(15, 35), 10);
  EXPECT_EQ(pauses.within(20, 30), 0);
  EXPECT_EQ(pauses.within(32, 34), 2);
  EXPECT_EQ(pauses.within(60, 90), 0);
  EXPECT_EQ(pauses.within(90, 0), 0);
  EXPECT_EQ(ProcessPauses({}, {}).within(0, 100), 0);
}

TEST(ProcessPausesTest, FindsTheNextOne) {
  const ProcessPauses pauses({}, {{10, 20}, {30, 40}});
  EXPECT_EQ(pauses.first_after(0), 0u);
  EXPECT_EQ(pauses.first_after(19), 0u);
  EXPECT_EQ(pauses.first_after(20), 1u);
  EXPECT_EQ(pauses.first_after(40), 2u);
}

TEST(ProcessPausesTest, StaysWithinTheLimitsOfTime) {
  constexpr std::int64_t kFarAway = std::int64_t{1} << 62;
  const ProcessPauses pauses({}, {{-kFarAway, kFarAway}, {-kFarAway, kFarAway}});
  EXPECT_EQ(pauses.within(-kFarAway, kFarAway), INT64_MAX);
}

}  // namespace
}  // namespace cinderscope
