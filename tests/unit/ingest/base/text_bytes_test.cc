#include "ingest/base/text_bytes.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace cinderscope {
namespace {

std::string padded(std::string text) {
  return text + std::string(64, '\xff');
}

TEST(TextBytesTest, SaysOfEachByteWhatItIs) {
  const std::string text = padded("12:/,\"\\x.\xb1");
  const ThirtyTwoBytes bytes(text.data());
  EXPECT_EQ(bytes.digits(), 0b0000000011u);
  EXPECT_EQ(bytes.equal('.'), 0b0100000000u);
  EXPECT_EQ(bytes.equal('"', '\\'), 0b0001100000u);
  const std::string other = padded("12:/,\"\\y.\xb1");
  EXPECT_EQ(bytes.equal(ThirtyTwoBytes(other.data())), ~0b0010000000u);
}

TEST(TextBytesTest, MakesWordsOfNoMoreThanTheBytesAskedFor) {
  const std::string text = padded("ab");
  EXPECT_EQ(word_of(text.data(), 0), 0u);
  EXPECT_EQ(word_of(text.data(), 1), 0x61u);
  EXPECT_EQ(word_of(text.data(), 2), 0x6261u);
  EXPECT_EQ(word_of(padded("12345678").data(), 8), 0x3837363534333231u);
}

TEST(TextBytesTest, TellsShortTextsApartByTheirOwnBytesOnly) {
  for (std::size_t size = 0; size <= kShortText; ++size) {
    const std::string a = std::string(size, 'a') + std::string(32, 'x');
    const std::string b = std::string(size, 'a') + std::string(32, 'y');
    EXPECT_TRUE(short_texts_equal(a.data(), b.data(), size));
    EXPECT_EQ(short_text_hash(a.data(), size), short_text_hash(b.data(), size));
    for (std::size_t i = 0; i < size; ++i) {
      std::string other = b;
      other[i] = 'b';
      EXPECT_FALSE(short_texts_equal(a.data(), other.data(), size)) << size << " " << i;
      EXPECT_NE(short_text_hash(a.data(), size), short_text_hash(other.data(), size));
    }
  }
}

// Names are looked up by the low bits.
TEST(TextBytesTest, SpreadsNamesThatDifferInOneByte) {
  for (std::size_t at = 0; at < kShortText; ++at) {
    std::set<std::uint32_t> slots;
    for (int c = 0; c < 256; ++c) {
      std::string name(kShortText, 'n');
      name[at] = static_cast<char>(c);
      slots.insert(short_text_hash(name.data(), name.size()) % 1024);
    }
    EXPECT_GT(slots.size(), 150u) << at;
  }
}

}  // namespace
}  // namespace cinderscope
