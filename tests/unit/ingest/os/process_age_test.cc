#include "ingest/os/process_age.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

TEST(ProcessAgeTest, TheProcessBeganBeforeThisAndNotLongAgo) {
  const auto now = std::chrono::steady_clock::now();
  EXPECT_LE(process_start(), now);
  EXPECT_GT(process_start(), now - std::chrono::hours(24));
  EXPECT_EQ(process_start(), process_start());
}

}  // namespace
}  // namespace cinderscope
