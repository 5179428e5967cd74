#include "ingest/os/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <string>

#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

class FileTest : public testing::Test {
 protected:
  std::string path(const char* name) const { return (folder_.path() / name).string(); }
  std::string written(const char* name, std::string_view text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  TempDir folder_;
  std::error_code error_;
};

TEST_F(FileTest, SaysWhyThereIsNoFile) {
  EXPECT_FALSE(open_to_read(path("none"), error_));
  EXPECT_EQ(error_, std::errc::no_such_file_or_directory);
  EXPECT_FALSE(file_status(path("none")));
}

TEST_F(FileTest, TellsFilesFoldersAndStreamsApart) {
  const UniqueFd file = open_to_read(written("a", "12345"), error_);
  EXPECT_EQ(file_status(file, error_)->kind, FileKind::regular);
  EXPECT_EQ(file_status(file, error_)->size_bytes, 5u);
  EXPECT_GT(file_status(file, error_)->modified_ns, 1'500'000'000'000'000'000);
  EXPECT_EQ(file_status(folder_.path())->kind, FileKind::folder);
  EXPECT_EQ(file_status("/dev/null")->kind, FileKind::device);
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const UniqueFd pipe = open_to_read(path("pipe"), error_);  // nobody writes into it
  ASSERT_TRUE(pipe);
  EXPECT_EQ(file_status(pipe, error_)->kind, FileKind::stream);
  EXPECT_FALSE(stands_at_begin(pipe));
}

TEST_F(FileTest, ReadsUpToTheEnd) {
  const UniqueFd file = open_to_read(written("a", "12345"), error_);
  EXPECT_TRUE(stands_at_begin(file));
  std::string text(8, '.');
  EXPECT_EQ(read_at(file, 3, std::as_writable_bytes(std::span(text)), error_), 2u);
  EXPECT_EQ(text, "45......");
  EXPECT_TRUE(stands_at_begin(file));
  EXPECT_EQ(read_all(file, std::as_writable_bytes(std::span(text)), error_), 5u);
  EXPECT_EQ(text, "12345...");
  EXPECT_FALSE(error_);
  EXPECT_FALSE(stands_at_begin(file));
}

TEST_F(FileTest, AFullDiskIsAnError) {
  const UniqueFd full(::open("/dev/full", O_WRONLY));
  if (!full) GTEST_SKIP() << "no /dev/full";
  const std::array<std::byte, 4> bytes{};
  EXPECT_EQ(write_all(full, bytes, error_), 0u);
  EXPECT_EQ(error_, std::errc::no_space_on_device);
}

}  // namespace
}  // namespace cinderscope
