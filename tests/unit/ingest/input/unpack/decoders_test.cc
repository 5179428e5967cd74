#include "ingest/input/unpack/decoders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "tests/support/load.h"

namespace cinderscope {
namespace {

// ISA-L gives back bytes that it kept of an earlier step where it meets damage.
TEST(DecodersTest, ADamagedMemberNeverUsesMoreThanItIsGiven) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += std::to_string(i * i) + " and " + std::to_string(i % 7);
  const std::vector<std::byte> packed = gzipped(std::as_bytes(std::span(text)));
  std::size_t damaged = 0;
  for (std::size_t at = 0; at < packed.size(); ++at) {
    std::vector<std::byte> bytes = packed;
    bytes[at] ^= std::byte{0xff};
    for (const std::size_t piece_bytes : {std::size_t{1}, std::size_t{3}, bytes.size()}) {
      const auto decoder = make_decoder(Packing::gzip);
      std::array<std::byte, 100> out;
      std::span<const std::byte> rest = bytes;
      while (true) {
        const auto piece = rest.first(std::min(piece_bytes, rest.size()));
        const Decoder::Step step = decoder->step(piece, out);
        ASSERT_LE(step.consumed_bytes, piece.size()) << at << " in pieces of " << piece_bytes;
        ASSERT_LE(step.produced_bytes, out.size());
        rest = rest.subspan(step.consumed_bytes);
        damaged += step.state == Decoder::State::damaged ? 1 : 0;
        if (step.state != Decoder::State::more) break;
        if (step.consumed_bytes == 0 && step.produced_bytes == 0) break;
      }
    }
  }
  EXPECT_GT(damaged, packed.size());
}

}  // namespace
}  // namespace cinderscope
