#include "app/recording/recorded_file.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

TEST(RecordedFileTest, WhatLayThereBeforeIsNotRecorded) {
  TempDir folder;
  const std::string path = folder.write("run.tsd", std::string(200, 'x')).string();
  const RecordedFile file(path);
  EXPECT_EQ(file.path(), path);
  EXPECT_FALSE(file.there());
  folder.write("run.tsd", std::string(300, 'y'));
  EXPECT_TRUE(file.there());
}

TEST(RecordedFileTest, IsNotThereBeforeItsHeader) {
  TempDir folder;
  const RecordedFile file((folder.path() / "run.tsd").string());
  EXPECT_FALSE(file.there());
  folder.write("run.tsd", "TSD");
  EXPECT_FALSE(file.there());
}

TEST(RecordedFileTest, ShowsNothingThatIsNoThreadStream) {
  TempDir folder;
  const RecordedFile file((folder.path() / "run.tsd").string());
  folder.write("run.tsd", std::string(4096, 'z'));
  EXPECT_TRUE(file.there());
  EXPECT_FALSE(file.can_be_shown());
}

}  // namespace
}  // namespace cinderscope
