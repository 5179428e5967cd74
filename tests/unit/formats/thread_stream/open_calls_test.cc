#include "formats/thread_stream/open_calls.h"

#include <gtest/gtest.h>

namespace cinderscope::thread_stream {
namespace {

TEST(OpenCallsTest, KeysOfDifferentFamiliesNeverMatch) {
  OpenCalls open;
  open.push(site_key(5));
  EXPECT_TRUE(open.innermost_is(site_key(5)));
  EXPECT_FALSE(open.innermost_is(address_key(5)));
  EXPECT_EQ(open.above(address_key(5)), SIZE_MAX);
  EXPECT_EQ(open.above(managed_key(0, 5)), SIZE_MAX);
  EXPECT_NE(managed_key(1, 0), managed_key(0, 1));
}

TEST(OpenCallsTest, FindsTheInnermostOfAKey) {
  OpenCalls open;
  EXPECT_EQ(open.above(1), SIZE_MAX);
  for (const std::uint64_t key : {1u, 2u, 1u, 3u, 4u}) open.push(key);
  EXPECT_EQ(open.above(1), 2u);
  EXPECT_EQ(open.above(4), 0u);
  EXPECT_EQ(open.above(9), SIZE_MAX);
  open.pop();
  open.pop();
  open.pop();
  EXPECT_EQ(open.above(1), 1u);
  EXPECT_EQ(open.above(3), SIZE_MAX);
}

// Counting by key ends after a while, and begins again.
TEST(OpenCallsTest, GoesOnCountingAfterManyCalls) {
  OpenCalls open;
  open.push(7);
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(open.above(8), SIZE_MAX);
    for (int i = 0; i < 1000; ++i) {
      open.push(8);
      open.pop();
    }
    open.push(8);
    EXPECT_EQ(open.above(7), 1u);
    EXPECT_EQ(open.above(8), 0u);
    open.pop();
  }
  open.clear();
  EXPECT_EQ(open.depth(), 0u);
  EXPECT_EQ(open.above(7), SIZE_MAX);
}

TEST(OpenCallsTest, StraysCostNothingAtAnyDepth) {
  OpenCalls open;
  for (std::uint64_t i = 0; i < 50'000; ++i) open.push(i);
  for (std::uint64_t i = 0; i < 1'000'000; ++i) ASSERT_EQ(open.above(50'000 + i), SIZE_MAX);
}

}  // namespace
}  // namespace cinderscope::thread_stream
