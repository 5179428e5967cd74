#include "ingest/os/atomic_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  fs::path path(const char* name) const { return folder_.path() / name; }
  static std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator());
  }

  TempDir folder_;
};

TEST_F(AtomicFileTest, ReplacesAFileAsAWhole) {
  ASSERT_TRUE(replace_file(path("a"), "a long old text"));
  auto file = AtomicFile::create(path("a"));
  ASSERT_TRUE(file);
  file->append("new ");
  file->append("text");
  EXPECT_EQ(text_of(path("a")), "a long old text");
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(text_of(path("a")), "new text");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, LeavesNothingWithoutCommit) {
  {
    auto file = AtomicFile::create(path("a"));
    ASSERT_TRUE(file);
    file->append("text");
    EXPECT_EQ(files(), 1);
  }
  EXPECT_EQ(files(), 0);
}

TEST_F(AtomicFileTest, KeepsASymbolicLink) {
  ASSERT_TRUE(replace_file(path("real"), "old"));
  fs::create_symlink("real", path("link"));
  ASSERT_TRUE(replace_file(path("link"), "new"));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(text_of(path("real")), "new");
}

TEST_F(AtomicFileTest, AFileForItsOwnerIsReadByNobodyElse) {
  ASSERT_TRUE(replace_file(path("a"), "text", FileAccess::owner_only));
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AtomicFileTest, SaysWhereItCannotWrite) {
  const Status written = replace_file(path("none/a"), "text");
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().text.find("none/a\" cannot be written"), std::string::npos);
}

}  // namespace
}  // namespace cinderscope
