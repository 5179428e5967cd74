#include "ingest/input/unpack/unpacker.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <vector>

namespace cinderscope {
namespace {

// A frame of zstd asks for as much memory as its content is long.
TEST(UnpackerTest, TellsHowMuchItKeeps) {
  const std::vector<std::byte> content(std::size_t{3} << 20);
  std::vector<std::byte> packed(ZSTD_compressBound(content.size()));
  packed.resize(ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), 19));
  std::size_t taken = 0;
  Unpacker unpacker([&](std::span<const std::byte> bytes) {
    taken += bytes.size();
    return true;
  });
  const std::size_t before = unpacker.kept_bytes();
  EXPECT_LT(before, 10'000u);
  EXPECT_TRUE(unpacker.feed(std::span(packed).first(packed.size() - 1)));
  EXPECT_GT(unpacker.kept_bytes(), before + content.size());
  EXPECT_TRUE(unpacker.feed(std::span(packed).last(1)));
  EXPECT_EQ(taken, content.size());
  EXPECT_LT(unpacker.kept_bytes(), before + (std::size_t{1} << 20));  // the frame is over
}

}  // namespace
}  // namespace cinderscope
