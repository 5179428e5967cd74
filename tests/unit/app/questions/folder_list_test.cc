#include "app/questions/folder_list.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/go_on.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

using test::kGoOn;

TEST(FolderListTest, HasFoldersFirstEachByNameInAnyCase) {
  const TempDir folder;
  for (const char* name : {"b.json", "A.json", ".hidden", "a.json"}) folder.write(name, "");
  std::filesystem::create_directory(folder.path() / "zoo");
  std::filesystem::create_directory_symlink(folder.path() / "zoo", folder.path() / "Link");
  const FolderList list = list_folder(folder.path().string(), kGoOn);
  EXPECT_EQ(list.entries, (std::vector<FolderEntry>{{"Link", true},
                                                    {"zoo", true},
                                                    {".hidden", false},
                                                    {"A.json", false},
                                                    {"a.json", false},
                                                    {"b.json", false}}));
  EXPECT_FALSE(list.cut);
  EXPECT_EQ(list.problem, "");
}

TEST(FolderListTest, SaysThatThereIsMoreThanItHas) {
  const TempDir folder;
  for (int i = 0; i < 5; ++i) folder.write(std::to_string(i), "");
  EXPECT_TRUE(list_folder(folder.path().string(), kGoOn, 4).cut);
  EXPECT_EQ(list_folder(folder.path().string(), kGoOn, 4).entries.size(), 4u);
  EXPECT_FALSE(list_folder(folder.path().string(), kGoOn, 5).cut);
}

TEST(FolderListTest, SaysWhyAFolderCannotBeRead) {
  EXPECT_EQ(list_folder("/nowhere/at/all/", kGoOn).problem, "No such file or directory");
}

TEST(FolderListTest, EndsAtOnceWhenCancelled) {
  const TempDir folder;
  const std::atomic<bool> cancelled{true};
  folder.write("a", "");
  EXPECT_TRUE(list_folder(folder.path().string(), cancelled).entries.empty());
  const auto whole = list_folder_aside(folder.path().string(), kGoOn);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->entries.size(), 1u);
}

}  // namespace
}  // namespace cinderscope
