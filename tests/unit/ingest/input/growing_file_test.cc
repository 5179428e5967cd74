#include "ingest/input/growing_file.h"

#include <gtest/gtest.h>

#include <array>
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

}  // namespace
}  // namespace cinderscope
