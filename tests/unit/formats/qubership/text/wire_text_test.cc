#include "formats/qubership/text/wire_text.h"

#include <gtest/gtest.h>

#include "tests/support/load.h"

namespace cinderscope::qubership {
namespace {

using namespace std::string_view_literals;

std::vector<std::byte> bytes(std::string_view text) {
  return bytes_of(text);
}

TEST(QubershipWireTest, ReadsNumbersOfEveryLength) {
  const auto data = bytes("\x05\xac\x02\xff\xff\xff\xff\x0f\x01\x02"sv);
  WireCursor in(data);
  EXPECT_EQ(in.varint32(), 5u);
  EXPECT_EQ(in.varint32(), 300u);
  EXPECT_EQ(static_cast<std::int32_t>(in.varint32()), -1);
  EXPECT_EQ(in.zigzag32(), -1);
  EXPECT_EQ(in.zigzag32(), 1);
  EXPECT_TRUE(in.at_end());
  EXPECT_FALSE(in.cut());
}

TEST(QubershipWireTest, ReadsLongNumbersInTwoParts) {
  const auto data = bytes("\x80\x80\x80\x80\x01\x80\x80\x80\x80\x80\x02\xe8\xa6\x8d\x18"sv);
  WireCursor in(data);
  EXPECT_EQ(in.varint64(), std::int64_t{1} << 28);
  EXPECT_EQ(in.varint64(), std::int64_t{1} << 36);
  EXPECT_EQ(in.varint64(), 50549608);
}

TEST(QubershipWireTest, StopsAtTheEndOfItsBytes) {
  const auto data = bytes("\x03\x00\x61\x00\x62"sv);
  WireCursor in(data);
  EXPECT_TRUE(in.text().units.empty());
  EXPECT_TRUE(in.cut());
  EXPECT_EQ(in.i64(), 0);
  EXPECT_EQ(in.varint32(), 0u);
  EXPECT_TRUE(in.at_end());
}

TEST(QubershipWireTest, TurnsUtf16IntoUtf8) {
  const auto data = bytes("\x05\x00\x61\x8a\x9e\xd8\x3d\xdd\x25\xd8\x00"sv);
  WireCursor in(data);
  const WireText text = in.text();
  EXPECT_EQ(utf8_of(text), "a\u8a9e\U0001f525\ufffd");
  EXPECT_EQ(utf8_of(text, 2), "a\u8a9e");
  EXPECT_FALSE(equals(text, "a"));
}

}  // namespace
}  // namespace cinderscope::qubership
