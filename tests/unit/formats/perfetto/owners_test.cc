#include "formats/perfetto/tracks/owners.h"

#include <gtest/gtest.h>

namespace cinderscope::perfetto {
namespace {

TEST(PerfettoOwnersTest, AnIdThatIsUsedAgainIsTheLastOneDescribedBefore) {
  // So many that looking at each of them for each event would not end.
  constexpr std::uint64_t kThreads = 100'000;
  Owners owners;
  const std::uint32_t process = owners.describe_process(0, 5, 0);
  std::uint32_t first = kNone;
  for (std::uint64_t i = 0; i < kThreads; ++i) {
    const std::uint32_t thread = owners.describe_thread(process, 6, 10 * i + 10);
    if (i == 0) first = thread;
    ASSERT_EQ(owners.thread_at(0, 5, 6, 10 * i + 15), thread);
  }
  EXPECT_EQ(owners.thread_at(0, 5, 6, 1), first);
  EXPECT_EQ(owners.thread_at(0, 5, 6, 19), first);
  EXPECT_NE(owners.thread_at(0, 5, 6, 20), first);
}

}  // namespace
}  // namespace cinderscope::perfetto
