#include "app/window/controllers/disk.h"

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class DiskControllerTest : public UnseenWindow {};

TEST_F(DiskControllerTest, LoadsAsTheSettingsSay) {
  EXPECT_EQ(run("lazy-above 2GB"), "");
  EXPECT_EQ(shell_->settings().lazy_above_mb, 2000u);
  EXPECT_EQ(controllers().disk->load_options().lazy_above_bytes, 2'000'000'000u);
  EXPECT_EQ(run("lazy-above auto"), "");
  EXPECT_EQ(shell_->settings().lazy_above_mb, Settings().lazy_above_mb);
  EXPECT_EQ(run("lazy-above much"),
            "lazy-above takes auto or a size such as 500MB or 2GB, not \"much\".");
}

TEST_F(DiskControllerTest, WhatIsGivenAtTheStartGoesBeforeTheSettings) {
  controllers().disk->set_lazy_above(5);
  EXPECT_EQ(controllers().disk->load_options().lazy_above_bytes, 5u);
  run("lazy-above 1MB");
  EXPECT_EQ(controllers().disk->load_options().lazy_above_bytes, 1'000'000u);
}

TEST_F(DiskControllerTest, TakesAMemoryLimit) {
  EXPECT_EQ(run("lazy-memory 500 MB"), "");
  EXPECT_EQ(shell_->settings().lazy_memory_mb, 500u);
  EXPECT_EQ(run("lazy-memory"), "");
  EXPECT_EQ(shell_->settings().lazy_memory_mb, 0u);
  EXPECT_EQ(run("memory-limit 1MB"), "There is no command \"memory-limit\".");
}

TEST_F(DiskControllerTest, WritesNoIndexWhereThereIsNone) {
  open_two_threads();
  EXPECT_EQ(run("write-index"), "This trace has no index that could be written.");
}

}  // namespace
}  // namespace cinderscope
