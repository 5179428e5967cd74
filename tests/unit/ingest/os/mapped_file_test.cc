#include "ingest/os/mapped_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace cinderscope {
namespace {

// A file without a name, all zeros but for its last byte.
UniqueFd sparse_file(std::uint64_t size_bytes) {
  std::string path = testing::TempDir() + "mapped_file_XXXXXX";
  UniqueFd file(mkstemp(path.data()));
  unlink(path.c_str());
  const char last = 'x';
  EXPECT_EQ(pwrite(file.get(), &last, 1, static_cast<off_t>(size_bytes - 1)), 1);
  return file;
}

TEST(MappedFileTest, ZerosFollowTheLastByte) {
  const MappedFile file(sparse_file(5000), 5000);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.bytes().size(), 5000u);
  EXPECT_EQ(file.bytes().back(), std::byte{'x'});
  EXPECT_EQ(file.bytes().data()[5000], std::byte{0});
}

// Its pages are let go of in pieces that do not divide its size.
TEST(MappedFileTest, AFileOfSeveralPiecesGoesAndTheNextOneIsWhole) {
  constexpr std::uint64_t kSize = (200u << 20) + 12345;
  for (int i = 0; i < 2; ++i) {
    const MappedFile file(sparse_file(kSize), kSize);
    ASSERT_TRUE(file.ok());
    std::size_t others = 0;
    for (std::uint64_t at = 0; at < kSize - 1; at += 1 << 20) {
      others += file.bytes()[at] == std::byte{0} ? 0 : 1;
    }
    EXPECT_EQ(others, 0u);
    EXPECT_EQ(file.bytes()[kSize - 1], std::byte{'x'});
  }
}

}  // namespace
}  // namespace cinderscope
