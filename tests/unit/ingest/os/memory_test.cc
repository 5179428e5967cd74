#include "ingest/os/memory.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
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

#ifdef __linux__
TEST(MemoryTest, PagesAreGivenBackAndWhatLiesBesideThemStays) {
  constexpr std::size_t kBytes = 64 << 20, kBeside = 1000;
  std::vector<std::byte> held(kBytes, std::byte{7});
  const std::uint64_t before_bytes = own_memory_bytes();
  give_back_pages(std::span(held).subspan(kBeside, kBytes - 2 * kBeside));
  EXPECT_LT(own_memory_bytes(), before_bytes - kBytes / 2);
  for (std::size_t i = 0; i < kBeside; ++i) {
    ASSERT_EQ(held[i], std::byte{7});
    ASSERT_EQ(held[kBytes - 1 - i], std::byte{7});
  }
  give_back_pages(std::span(held).first(100));  // no whole page
  give_back_pages({});
  EXPECT_EQ(held.front(), std::byte{7});
}
#endif

}  // namespace
}  // namespace cinderscope
