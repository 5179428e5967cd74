// What lies beside one file of a trace whose threads have a file each.
#include "app/session/other_threads.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

TEST(OtherThreadsTest, CountsTheThreadsOfTheFoldersTrace) {
  const TempDir folder;
  for (const char* name : {"thread-1.flow", "thread-12.jsonl", "thread-3.flow.gz", "ids.properties",
                           "thread-x.flow", "notes.txt"}) {
    std::ofstream(folder.path() / name) << '\x80';
  }
  EXPECT_EQ(threads_in_folder_of((folder.path() / "thread-1.flow").string()), 3u);
  EXPECT_EQ(threads_in_folder_of((folder.path() / "notes.txt").string()), 0u);
  EXPECT_EQ(threads_in_folder_of((folder.path() / "gone" / "thread-1.flow").string()), 0u);
  EXPECT_EQ(threads_in_folder_of(folder.path().string()), 0u);
}

}  // namespace
}  // namespace cinderscope
