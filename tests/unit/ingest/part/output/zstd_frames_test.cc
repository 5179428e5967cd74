#include "ingest/part/output/zstd_frames.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace cinderscope {
namespace {

std::string sample(std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; text.size() < bytes; ++i) text += std::to_string(i * 2654435761u);
  text.resize(bytes);
  return text;
}

FramesInput input_of(const std::string& text) {
  return {.bytes = text.size(),
          .read = [&text](std::uint64_t at, std::span<std::byte> to, std::error_code&) {
            const std::size_t size = std::min(to.size(), text.size() - at);
            std::ranges::copy(std::as_bytes(std::span(text)).subspan(at, size), to.begin());
            return size;
          }};
}

std::string packed_by(const std::string& text, unsigned jobs) {
  std::string out;
  std::uint64_t done_before = 0;
  const Status done =
      pack_in_frames(input_of(text), jobs, [&](std::span<const std::byte> piece, std::uint64_t at) {
        out.append(reinterpret_cast<const char*>(piece.data()), piece.size());
        EXPECT_GE(at, done_before);
        done_before = at;
        return true;
      });
  EXPECT_TRUE(done.operator bool());
  EXPECT_EQ(done_before, text.size());
  return out;
}

std::uint32_t u32(const std::string& text, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, text.data() + at, sizeof value);
  return value;
}

TEST(ZstdFrames, AnyNumberOfJobsMakesTheSameFrames) {
  const std::string text = sample((9u << 20) + 5);
  const std::string packed = packed_by(text, 1);
  EXPECT_EQ(packed_by(text, 3), packed);
  std::string back(text.size(), '\0');
  ASSERT_EQ(ZSTD_decompress(back.data(), back.size(), packed.data(), packed.size()), text.size());
  EXPECT_EQ(back, text);
  EXPECT_LE(packed.size(), most_packed_bytes(text.size()));
}

TEST(ZstdFrames, TheTableTellsWhereFramesBegin) {
  const std::string text = sample((9u << 20) + 5);
  const std::string packed = packed_by(text, 2);
  const std::size_t end = packed.size();
  EXPECT_EQ(u32(packed, end - 4), 0x8f92eab1u);
  ASSERT_EQ(u32(packed, end - 9), 3u);
  const std::size_t table = end - 9 - 3 * 8;
  EXPECT_EQ(u32(packed, table - 8), 0x184d2a5eu);
  EXPECT_EQ(u32(packed, table - 4), 3u * 8 + 9);
  EXPECT_EQ(u32(packed, table + 4), 4u << 20);
  // The third frame alone.
  const std::size_t third = u32(packed, table) + u32(packed, table + 8);
  std::string back(u32(packed, table + 20), '\0');
  EXPECT_EQ(back.size(), (1u << 20) + 5);
  ASSERT_EQ(
      ZSTD_decompress(back.data(), back.size(), packed.data() + third, u32(packed, table + 16)),
      back.size());
  EXPECT_EQ(back, text.substr(8u << 20));
}

TEST(ZstdFrames, NothingIsAFrameToo) {
  const std::string packed = packed_by("", 2);
  EXPECT_EQ(ZSTD_decompress(nullptr, 0, packed.data(), packed.size()), 0u);
}

TEST(ZstdFrames, EndsWhenItIsToldTo) {
  const std::string text = sample(9u << 20);
  const Status done = pack_in_frames(
      input_of(text), 2, [](std::span<const std::byte>, std::uint64_t) { return false; });
  ASSERT_FALSE(done.operator bool());
  EXPECT_EQ(done.error().code, ErrorCode::cancelled);
}

TEST(ZstdFrames, AnInputThatShrinksIsAnError) {
  FramesInput input = input_of("");
  input.bytes = 100;
  input.read = [](std::uint64_t, std::span<std::byte>, std::error_code&) -> std::size_t {
    return 3;
  };
  const Status done =
      pack_in_frames(input, 2, [](std::span<const std::byte>, std::uint64_t) { return true; });
  ASSERT_FALSE(done.operator bool());
  EXPECT_NE(done.error().text.find("shorter"), std::string::npos);
}

TEST(ZstdFrames, EstimatesBySamples) {
  const std::string text = sample(9u << 20);
  const auto packed = static_cast<double>(packed_by(text, 2).size());
  const auto estimated = static_cast<double>(estimated_packed_bytes(input_of(text)));
  EXPECT_NEAR(estimated / packed, 1, 0.2);
}

}  // namespace
}  // namespace cinderscope
