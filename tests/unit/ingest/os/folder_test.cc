#include "ingest/os/folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <thread>

#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

TEST(FolderTest, MissingFoldersAreTheOwnersAlone) {
  const TempDir top;
  const fs::perms before = fs::status(top.path()).permissions();
  make_private_folders(top.path() / "a/b");
  EXPECT_EQ(fs::status(top.path() / "a").permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(top.path() / "a/b").permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(top.path()).permissions(), before);
}

TEST(FolderTest, ASecondLockWaitsForTheFirst) {
  const TempDir top;
  std::optional<FolderLock> first(std::in_place, top.path() / "new");
  std::atomic<bool> first_has_gone{false}, waited{false};
  std::thread second([&] {
    const FolderLock lock(top.path() / "new");
    waited = first_has_gone.load();
  });
  first_has_gone = true;
  first.reset();
  second.join();
  EXPECT_TRUE(waited);
}

class FolderBelowTest : public testing::Test {
 protected:
  void append(const fs::path& folder, const std::string& file) {
    const FolderBelow below(top_.path(), folder, error_);
    const std::string text = "abc";
    if (!error_) below.append(file, std::as_bytes(std::span(text)), error_);
  }

  TempDir top_, elsewhere_;
  std::error_code error_;
};

TEST_F(FolderBelowTest, AppendsToAFileAndMakesWhatIsMissing) {
  append("a/b", "file");
  append("a/b", "file");
  EXPECT_FALSE(error_) << error_.message();
  EXPECT_EQ(fs::file_size(top_.path() / "a/b/file"), 6u);
  const FolderBelow below(top_.path(), "a", error_);
  EXPECT_FALSE(below.make("b", error_));
  EXPECT_TRUE(below.make("c", error_));
  EXPECT_FALSE(error_);
}

TEST_F(FolderBelowTest, FollowsNoLinks) {
  fs::create_directory_symlink(elsewhere_.path(), top_.path() / "link");
  append("link", "file");
  EXPECT_TRUE(error_);
  append("link/b", "file");
  EXPECT_TRUE(error_);
  fs::create_directory(top_.path() / "a");
  fs::create_symlink(elsewhere_.path() / "file", top_.path() / "a/file");
  append("a", "file");
  EXPECT_TRUE(error_);
  EXPECT_TRUE(fs::is_empty(elsewhere_.path()));
}

TEST_F(FolderBelowTest, TheTopItselfMayBeALink) {
  fs::create_directory_symlink(top_.path(), elsewhere_.path() / "link");
  const FolderBelow below(elsewhere_.path() / "link", "", error_);
  EXPECT_FALSE(error_);
}

TEST(ScratchFolderTest, GoesWithAllThatIsInIt) {
  fs::path path;
  {
    const ScratchFolder scratch;
    path = scratch.path();
    EXPECT_TRUE(fs::create_directories(path / "a/b"));
  }
  EXPECT_FALSE(path.empty());
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(FolderBelowTest, SetsSpaceAsideUntilItIsWritten) {
  const FolderBelow below(top_.path(), "a", error_);
  const fs::path file = top_.path() / "a/file";
  const auto taken_bytes = [&] {
    struct stat facts = {};
    return ::stat(file.c_str(), &facts) == 0 ? facts.st_blocks * 512 : -1;
  };
  below.reserve("file", 1 << 20, error_);
  EXPECT_FALSE(error_) << error_.message();
  EXPECT_EQ(fs::file_size(file), 0u);
  if (taken_bytes() == 0) GTEST_SKIP() << "the file system sets nothing aside";
  EXPECT_GE(taken_bytes(), 1 << 20);
  const std::string text = "abc";
  below.append("file", std::as_bytes(std::span(text)), error_);
  EXPECT_FALSE(error_) << error_.message();
  EXPECT_EQ(fs::file_size(file), 3u);
  EXPECT_LT(taken_bytes(), 1 << 20);
}

}  // namespace
}  // namespace cinderscope
