#include "ingest/input/growing_file.h"

#include <gtest/gtest.h>

#include <array>

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

}  // namespace
}  // namespace cinderscope
