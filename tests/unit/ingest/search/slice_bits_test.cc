#include "ingest/search/slice_bits.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace cinderscope {
namespace {

constexpr std::uint32_t kNames = 200'000;

std::vector<Slice> slices_of(std::mt19937& random, std::uint32_t count, std::uint32_t first_name,
                             std::uint32_t names) {
  std::vector<Slice> slices(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    slices[i].begin_ns = i;
    slices[i].duration_ns = static_cast<std::int64_t>(random() % 100);
    slices[i].name = StringId{first_name + static_cast<std::uint32_t>(random() % names)};
  }
  return slices;
}

bool has(const ChunkBits& bits, std::uint32_t i) {
  return (bits[i / 64] >> i % 64 & 1) != 0;
}

// Names as far apart as needs 0, 1, 2 and 4 bytes; from none to all of them match.
TEST(SliceBitsTest, MarksTheSlicesWhoseNamesMatch) {
  std::mt19937 random(1);
  for (const std::uint32_t names : {1U, 3U, 256U, 257U, 60'000U, 150'000U}) {
    for (const std::uint32_t count : {1U, 63U, 64U, 65U, 1000U, kChunkSlices}) {
      for (const std::uint32_t every : {0U, 1U, 2U, 7U, 100U, 20'000U}) {
        const auto first_name = static_cast<std::uint32_t>(random() % (kNames - names));
        const auto slices = slices_of(random, count, first_name, names);
        const auto chunk = SliceChunk::seal(slices, nullptr);
        std::vector<std::uint8_t> holds(kNames);
        for (std::uint32_t id = 0; every > 0 && id < kNames; id += every) holds[id] = 1;
        const NameMask mask(holds);
        ChunkBits bits{};
        std::uint32_t wanted = 0;
        const std::uint32_t found = mark_names(*chunk, mask, bits);
        for (std::uint32_t i = 0; i < kChunkSlices; ++i) {
          const bool holds_it = i < count && holds[index(slices[i].name)] != 0;
          wanted += holds_it ? 1 : 0;
          ASSERT_EQ(has(bits, i), holds_it) << names << " " << count << " " << every << " " << i;
        }
        ASSERT_EQ(found, wanted);
        ASSERT_EQ(count_bits(bits), wanted);
      }
    }
  }
}

TEST(SliceBitsTest, NamesThatCameAfterTheQuestionMatchNothing) {
  std::mt19937 random(2);
  const auto chunk = SliceChunk::seal(slices_of(random, 900, 50, 400), nullptr);
  std::vector<std::uint8_t> holds(60, 1);
  holds[0] = 0;
  ChunkBits bits{};
  std::uint32_t known = 0;
  for (std::uint32_t i = 0; i < chunk->count(); ++i) known += index(chunk->name(i)) < 60 ? 1 : 0;
  EXPECT_GT(known, 0u);
  EXPECT_EQ(mark_names(*chunk, NameMask(holds), bits), known);
}

TEST(SliceBitsTest, KeepsWhatLiesBetween) {
  for (const std::uint32_t first : {0U, 1U, 64U, 100U, 1023U}) {
    for (const std::uint32_t end : {first, first + 1, std::max(first, 640U), kChunkSlices}) {
      ChunkBits bits = all_bits(kChunkSlices);
      keep_between(first, end, bits);
      EXPECT_EQ(count_bits(bits), end - first);
      for (std::uint32_t i = 0; i < kChunkSlices; ++i) {
        ASSERT_EQ(has(bits, i), i >= first && i < end);
      }
    }
  }
}

TEST(SliceBitsTest, KeepsSlicesThatLastAsLongAsWanted) {
  std::mt19937 random(3);
  for (const std::uint32_t count : {20U, 1000U}) {
    const auto slices = slices_of(random, count, 0, 5);
    const auto chunk = SliceChunk::seal(slices, nullptr);
    for (const bool negated : {false, true}) {
      ChunkBits bits = all_bits(count);
      bits[0] &= ~std::uint64_t{4};
      keep_durations(*chunk, {20, 50}, negated, bits);
      for (std::uint32_t i = 0; i < count; ++i) {
        const std::int64_t ns = slices[i].duration_ns;
        ASSERT_EQ(has(bits, i), i != 2 && (ns >= 20 && ns <= 50) != negated) << i;
      }
    }
  }
}

}  // namespace
}  // namespace cinderscope
