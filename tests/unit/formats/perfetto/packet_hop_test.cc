#include "formats/perfetto/wire/packet_hop.h"

#include <gtest/gtest.h>

#include <string>

namespace cinderscope::perfetto {
namespace {

// A packet with a time and `padding` bytes of an unknown field.
std::string packet(std::size_t padding = 3) {
  const std::string body =
      std::string("\x40\x01\x1a") + static_cast<char>(padding) + std::string(padding, 'x');
  return std::string("\n") + static_cast<char>(body.size()) + body;
}

std::string packets(int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += packet();
  return out;
}

Hop hop(const std::string& bytes, std::uint64_t block_bytes = 1 << 20) {
  std::vector<std::byte> copy;
  for (const char c : bytes) copy.push_back(static_cast<std::byte>(c));
  const Input input = Input::from_memory("t", std::move(copy));
  return hop_packets(ByteSource(input), block_bytes, [](std::uint64_t) { return true; });
}

TEST(PerfettoHopTest, CutsAtPacketsOnly) {
  const Hop made = hop(packets(10), 2 * packet().size());
  ASSERT_EQ(made.blocks.size(), 5u);
  for (const PacketBlock& block : made.blocks)
    EXPECT_EQ(block.end - block.begin, 2 * packet().size());
  EXPECT_FALSE(made.is_cut);
}

TEST(PerfettoHopTest, SaysWhereTheLastPacketIsCut) {
  const std::string whole = packets(6);
  for (std::size_t size = 5 * packet().size() + 1; size < whole.size(); ++size) {
    const Hop made = hop(whole.substr(0, size));
    EXPECT_TRUE(made.is_cut) << size;
    EXPECT_EQ(made.cut_at, 5 * packet().size());
    EXPECT_TRUE(made.damaged_at.empty());
  }
}

TEST(PerfettoHopTest, GoesOnBehindBadTags) {
  const std::string before = packets(3);
  const Hop made = hop(before + std::string(100, '\0') + packets(5));
  ASSERT_EQ(made.damaged_at.size(), 1u);
  EXPECT_EQ(made.damaged_at[0], before.size());
  ASSERT_EQ(made.blocks.size(), 2u);
  EXPECT_EQ(made.blocks[1].begin, before.size() + 100);
}

TEST(PerfettoHopTest, TakesFewerPacketsThatEndWithTheFileBehindABadTagOnly) {
  const std::string before = packets(3), bad_length = "\n\xff\xff\xff\x7f";
  EXPECT_EQ(hop(before + std::string(9, '\7') + packets(2)).blocks.size(), 2u);
  const Hop cut = hop(before + bad_length + packets(2));
  EXPECT_EQ(cut.blocks.size(), 1u);
  EXPECT_TRUE(cut.is_cut);
  EXPECT_EQ(hop(before + bad_length + packets(4)).damaged_at.size(), 1u);
}

TEST(PerfettoHopTest, TellsHeadsThatAreCutFromBadOnes) {
  using Kind = FieldHead::Kind;
  EXPECT_EQ(read_head("\n").kind, Kind::cut);
  EXPECT_EQ(read_head("\n\x80").kind, Kind::cut);
  EXPECT_EQ(read_head("\n\x05").kind, Kind::packet);
  EXPECT_EQ(read_head("\x12\x05").kind, Kind::other);
  EXPECT_EQ(read_head("\x0b\x05").kind, Kind::bad_tag);
  EXPECT_EQ(read_head(std::string("\n") + std::string(11, '\xff')).kind, Kind::bad_tag);
}

}  // namespace
}  // namespace cinderscope::perfetto
