#include "ingest/os/memory.h"

#include <gtest/gtest.h>

#include <vector>

namespace cinderscope {
namespace {

TEST(MemoryTest, TheMachineHasMoreThanIsFreeAndThanThisProcessHolds) {
  EXPECT_LE(free_memory_bytes(), machine_memory_bytes());
  EXPECT_LT(own_memory_bytes(), machine_memory_bytes());
}

TEST(MemoryTest, WhatIsHeldIsCounted) {
  constexpr std::size_t kBytes = 64 << 20;
  const std::uint64_t before_bytes = own_memory_bytes();
  const std::vector<char> held(kBytes, 'x');
  EXPECT_GT(own_memory_bytes(), before_bytes + kBytes / 2);
  EXPECT_EQ(held.back(), 'x');
}

}  // namespace
}  // namespace cinderscope
