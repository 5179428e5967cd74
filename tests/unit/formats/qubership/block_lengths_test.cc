#include "formats/qubership/block_lengths.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/load.h"

namespace cinderscope::qubership {
namespace {

std::string without_lengths(std::string_view bytes, std::size_t piece, BlockLengths& lengths) {
  const std::vector<std::byte> all = bytes_of(bytes);
  std::string out;
  for (std::size_t at = 0; at < all.size(); at += piece) {
    lengths.take(std::span(all).subspan(at, std::min(piece, all.size() - at)), [&](auto part) {
      out.append(reinterpret_cast<const char*>(part.data()), part.size());
    });
  }
  return out;
}

TEST(BlockLengthsTest, TakesLengthsOutHoweverTheyAreSplit) {
  const std::string bytes("\0\0\0\3abc\0\0\0\0\0\0\0\2de", 17);
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    BlockLengths lengths;
    EXPECT_EQ(without_lengths(bytes, piece, lengths), "abcde") << piece;
    EXPECT_FALSE(lengths.damaged());
    EXPECT_FALSE(lengths.within_length());
  }
}

TEST(BlockLengthsTest, StopsAtALengthThatCannotBe) {
  const std::string bytes("\0\0\0\1a\0\0\x28\1bcdef", 14);
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    BlockLengths lengths;
    EXPECT_EQ(without_lengths(bytes, piece, lengths), "a") << piece;
    EXPECT_TRUE(lengths.damaged());
    EXPECT_EQ(lengths.length_at(), 5u);
  }
}

TEST(BlockLengthsTest, KnowsThatALengthIsNotComplete) {
  BlockLengths lengths;
  EXPECT_EQ(without_lengths(std::string_view("\0\0\0\1a\0\0", 7), 7, lengths), "a");
  EXPECT_TRUE(lengths.within_length());
  EXPECT_EQ(lengths.length_at(), 5u);
}

}  // namespace
}  // namespace cinderscope::qubership
