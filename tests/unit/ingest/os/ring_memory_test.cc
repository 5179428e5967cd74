#include "ingest/os/ring_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string_view>

namespace cinderscope {
namespace {

TEST(RingMemoryTest, BytesAcrossItsEndLieInOnePiece) {
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  const auto ring = RingMemory::create(kBytes);
  ASSERT_NE(ring, nullptr);
  ASSERT_TRUE(ring->reach(5 * kBytes));
  constexpr std::string_view kText = "across the end";
  const std::uint64_t at = 5 * kBytes - 4;
  std::ranges::copy(std::as_bytes(std::span(kText)), ring->at(at));
  const auto text_at = [&](std::uint64_t offset, std::size_t size) {
    return std::string_view(reinterpret_cast<const char*>(ring->at(offset)), size);
  };
  EXPECT_EQ(text_at(at, kText.size()), kText);
  EXPECT_EQ(text_at(at + 4, 4), "ss t");
  EXPECT_EQ(text_at(4 + kBytes, 3), "he ");
}

}  // namespace
}  // namespace cinderscope
