#include "app/store/file_check.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

TEST(FileCheckTest, TellsSizesOfFilesButNotOfFolders) {
  const TempDir folder;
  const std::string file = folder.write("a.json", "12345").string();
  FileCheck check([] {});
  check.ask({file, folder.path().string(), "/nowhere/at/all"});
  std::map<std::string, FileFacts> facts;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (facts.size() < 3 && std::chrono::steady_clock::now() < end) {
    facts.merge(check.take());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_EQ(facts.size(), 3u);
  EXPECT_EQ(facts[file].size_bytes, 5u);
  EXPECT_GT(facts[file].modified_s, 0);
  const FileFacts inside = facts[folder.path().string()];
  EXPECT_TRUE(inside.there && inside.is_folder);
  EXPECT_EQ(inside.size_bytes, 0u);  // that of the folder itself tells nothing
  EXPECT_FALSE(facts["/nowhere/at/all"].there);
}

}  // namespace
}  // namespace cinderscope
