#include "ingest/input/byte_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace cinderscope {
namespace {

constexpr std::size_t kBlock = ByteBlocks::kBlockBytes;

std::vector<std::byte> numbered(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 31 + i / 251);
  return bytes;
}

class ByteBlocksTest : public testing::Test {
 protected:
  // In steps that fit no block.
  void fill() {
    for (std::size_t at = 0; at < bytes_.size(); at += 300'007) {
      const auto step =
          std::span(bytes_).subspan(at, std::min<std::size_t>(300'007, bytes_.size() - at));
      ASSERT_EQ(blocks_.append(step), step.size());
    }
  }
  bool is_there(std::uint64_t offset, std::uint64_t length, bool grows) {
    const std::optional<Pin> pin = blocks_.pin(offset, length, grows);
    return pin && pin->begin() == offset &&
           std::ranges::equal(pin->bytes(), std::span(bytes_).subspan(offset, length));
  }

  std::vector<std::byte> bytes_ = numbered(2 * kBlock + 1000);
  ByteBlocks blocks_;
};

TEST_F(ByteBlocksTest, GivesBytesOfOneBlockAndOfSeveral) {
  fill();
  EXPECT_EQ(blocks_.size_bytes(), bytes_.size());
  for (const bool grows : {true, false}) {
    EXPECT_TRUE(is_there(0, 1, grows));
    EXPECT_TRUE(is_there(0, kBlock, grows));
    EXPECT_TRUE(is_there(kBlock - 1, 2, grows));
    EXPECT_TRUE(is_there(kBlock - 5, kBlock + 10, grows));
    EXPECT_TRUE(is_there(2 * kBlock, 1000, grows));
    EXPECT_TRUE(is_there(1, bytes_.size() - 1, grows));
  }
}

TEST_F(ByteBlocksTest, ZerosFollowTheEnd) {
  fill();
  for (const std::uint64_t offset : {2 * kBlock + 10, kBlock + 10}) {
    const std::optional<Pin> pin = blocks_.pin(offset, bytes_.size() - offset, false);
    ASSERT_TRUE(pin);
    for (std::size_t i = 0; i < kPaddingBytes; ++i) {
      EXPECT_EQ(pin->bytes().data()[pin->size() + i], std::byte{0});
    }
  }
}

TEST_F(ByteBlocksTest, WhatIsPinnedOutlivesItsBlock) {
  fill();
  const std::optional<Pin> pin = blocks_.pin(kBlock + 7, 100, true);
  blocks_.drop_to(bytes_.size());
  ASSERT_TRUE(pin);
  EXPECT_TRUE(std::ranges::equal(pin->bytes(), std::span(bytes_).subspan(kBlock + 7, 100)));
  EXPECT_TRUE(is_there(2 * kBlock, 1000, true));  // of a block that is not full
}

TEST_F(ByteBlocksTest, GrowsWhereItsLastBlockIsPinned) {
  bytes_.resize(kBlock + 1000);
  fill();
  const std::optional<Pin> pin = blocks_.pin(kBlock, 1000, true);
  const std::vector<std::byte> more(500, std::byte{1});
  EXPECT_EQ(blocks_.append(more), more.size());
  ASSERT_TRUE(pin);
  EXPECT_EQ(pin->bytes().data()[pin->size()], std::byte{0});  // a copy: nobody writes behind it
}

TEST_F(ByteBlocksTest, AllOfItBecomesOnePiece) {
  fill();
  const std::optional<Pin> before = blocks_.pin(kBlock + 7, 100, false);
  EXPECT_TRUE(is_there(0, bytes_.size(), false));
  EXPECT_TRUE(is_there(kBlock - 1, 2, false));
  const std::optional<Pin> first = blocks_.pin(0, bytes_.size(), false);
  const std::optional<Pin> second = blocks_.pin(10, 10, false);
  ASSERT_TRUE(before && first && second);
  EXPECT_EQ(first->bytes().data() + 10, second->bytes().data());
  EXPECT_TRUE(std::ranges::equal(before->bytes(), std::span(bytes_).subspan(kBlock + 7, 100)));
  blocks_.drop_to(bytes_.size());
  EXPECT_EQ(first->bytes().back(), bytes_.back());
}

}  // namespace
}  // namespace cinderscope
