#include "ingest/os/folder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
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

}  // namespace
}  // namespace cinderscope
