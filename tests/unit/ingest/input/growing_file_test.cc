#include "ingest/input/growing_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <thread>
#include <vector>

namespace cinderscope {
namespace {

TEST(GrowingFileTest, OtherFilesOfTheTraceCountForItsShareOfTheDisk) {
  const auto file = GrowingFile::create(1e-9);
  ASSERT_TRUE(file);
  constexpr std::array<std::byte, 100> kBytes{};
  EXPECT_TRUE((*file)->append(kBytes));  // so little is taken of any disk
  const auto next = GrowingFile::create(1e-9);
  ASSERT_TRUE(next);
  (*next)->note_elsewhere(std::uint64_t{64} << 20);
  EXPECT_FALSE((*next)->append(kBytes));
  EXPECT_TRUE((*next)->trouble().has(diagnostic::kDiskShare));
}

TEST(GrowingFileTest, InMemoryItTakesHalfOfThatAtMost) {
  constexpr std::array<std::byte, 100> kBytes{};
  const auto file = GrowingFile::create_in_memory();
  EXPECT_TRUE(file->append(kBytes));
  EXPECT_EQ(file->wait_for_size(100), 100u);
  // As if another file of the trace had taken nearly all.
  file->note_elsewhere(std::uint64_t{1} << 60);
  std::vector<std::byte> block(ByteBlocks::kBlockBytes);
  EXPECT_FALSE(file->append(block));
  EXPECT_TRUE(file->trouble().has(diagnostic::kMemoryShare));
  file->close();
  EXPECT_EQ(file->wait_for_size(UINT64_MAX), 100u);  // what fitted
}

// Numbers, so that bytes of one place are told from those of another.
std::vector<std::byte> numbers(std::uint64_t from, std::size_t bytes) {
  std::vector<std::uint64_t> values(bytes / sizeof(std::uint64_t));
  for (std::uint64_t& value : values) value = from++;
  const std::span<const std::byte> all = std::as_bytes(std::span(values));
  return {all.begin(), all.end()};
}

constexpr std::size_t kPart = std::size_t{1} << 20;
constexpr std::uint64_t kOfPart = kPart / sizeof(std::uint64_t);

TEST(GrowingFileTest, WhatPassesThroughMemoryNeverReachesTheFile) {
  const auto file = GrowingFile::create();
  ASSERT_TRUE(file);
  (*file)->pass_through_memory();
  const std::uint64_t parts = 3 * GrowingFile::kRingBytes / kPart;
  for (std::uint64_t i = 0; i < parts; ++i) {
    const std::vector<std::byte> part = numbers(i * kOfPart, kPart);
    const std::span<std::byte> room = (*file)->room();
    ASSERT_EQ(room.size(), kPart);
    std::ranges::copy(part, room.begin());
    ASSERT_TRUE((*file)->append(room));
    (*file)->note_droppable((i + 1) * kPart);
    const auto pin = (*file)->pin(i * kPart, kPart);
    ASSERT_TRUE(pin);
    ASSERT_TRUE(std::ranges::equal(pin->bytes(), part)) << i;
    (*file)->let_go(i * kPart);
  }
  (*file)->close();
  {
    const auto last = (*file)->pin(parts * kPart - 8, 8);
    ASSERT_TRUE(last);
    EXPECT_EQ(last->bytes().data()[8], std::byte{0});  // behind the end
  }
  EXPECT_FALSE((*file)->pin(0, 1));
  (*file)->let_go(UINT64_MAX);
  EXPECT_EQ((*file)->dropped_bytes(), parts * kPart);
}

TEST(GrowingFileTest, WhatDoesNotFitIntoMemoryGoesOnInTheFile) {
  const auto file = GrowingFile::create();
  ASSERT_TRUE(file);
  (*file)->pass_through_memory();
  const std::uint64_t parts = 2 * GrowingFile::kRingBytes / kPart;
  std::thread reader([&] { (*file)->wait_for_size(parts * kPart); });  // of all at once
  std::optional<Pin> early;
  for (std::uint64_t i = 0; i < parts; ++i) {
    ASSERT_TRUE((*file)->append(numbers(i * kOfPart, kPart)));
    if (i == 5) early = (*file)->pin(0, 3 * kPart);
  }
  (*file)->close();
  reader.join();
  EXPECT_TRUE((*file)->room().empty());
  EXPECT_TRUE(std::ranges::equal(early->bytes(), numbers(0, 3 * kPart)));
  const auto all = (*file)->pin(0, parts * kPart);
  ASSERT_TRUE(all);
  EXPECT_TRUE(std::ranges::equal(all->bytes(), numbers(0, parts * kPart)));
}

// As where no thread can be started for it: nobody can read meanwhile.
TEST(GrowingFileTest, AWriterThatWaitsForNobodyGoesOnInTheFile) {
  const auto file = GrowingFile::create();
  ASSERT_TRUE(file);
  (*file)->pass_through_memory();
  (*file)->wait_for_nobody();
  const std::uint64_t parts = GrowingFile::kRingBytes / kPart + 2;
  for (std::uint64_t i = 0; i < parts; ++i) {
    ASSERT_TRUE((*file)->append(numbers(i * kOfPart, kPart)));
  }
  (*file)->close();
  const auto all = (*file)->pin(0, parts * kPart);
  ASSERT_TRUE(all);
  EXPECT_TRUE(std::ranges::equal(all->bytes(), numbers(0, parts * kPart)));
}

TEST(GrowingFileTest, AWriterThatWaitsForRoomIsStopped) {
  const auto file = GrowingFile::create();
  ASSERT_TRUE(file);
  (*file)->pass_through_memory();
  bool taken = true;
  std::thread writer([&] {
    for (std::uint64_t i = 0; taken; ++i) taken = (*file)->append(numbers(i * kOfPart, kPart));
  });
  EXPECT_GE((*file)->wait_for_size(GrowingFile::kRingBytes - 2 * kPart),
            GrowingFile::kRingBytes - 2 * kPart);
  (*file)->stop();
  writer.join();
  EXPECT_FALSE(taken);
  EXPECT_LE((*file)->wait_for_size(0), GrowingFile::kRingBytes);
}

}  // namespace
}  // namespace cinderscope
