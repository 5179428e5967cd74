#include "app/window/controllers/export/prepared.h"

#include <algorithm>
#include <filesystem>

#include "app/session/prepared_copies.h"
#include "app/store/settings.h"
#include "app/window/controllers/notices.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class PreparedControllerTest : public UnseenWindow {
 protected:
  LoadOptions load_options() override {
    return {.prepared_folder = (cache_.path() / "prepared").string()};
  }
  void SetUp() override {
    UnseenWindow::SetUp();
    controllers().prepared->offer_above(-1);
  }
  bool offered() { return !controllers().prepared->offer_text(tab()).empty(); }
  std::size_t copies() { return known_copies(load_options().prepared_folder).size(); }
  void settle_writing() {
    while (controllers().prepared->busy()) settle();
    settle();
  }

  TempDir cache_;
};

TEST_F(PreparedControllerTest, OffersACopyAfterALongLoadAndWritesNothingBefore) {
  open_two_threads();
  EXPECT_TRUE(offered());
  const std::vector<std::string> texts = controllers().notices->texts(tab());
  ASSERT_FALSE(texts.empty());
  EXPECT_NE(texts.back().find("so that this trace reopens at once?"), std::string::npos);
  EXPECT_EQ(copies(), 0u);
  EXPECT_EQ(run("keep-copy"), "");
  EXPECT_FALSE(offered());
  settle_writing();
  EXPECT_EQ(copies(), 1u);
  // Opened again it comes from there, and nothing is offered.
  EXPECT_EQ(run("reload"), "");
  EXPECT_TRUE(tab().session->prepared());
  EXPECT_FALSE(offered());
  EXPECT_EQ(run("keep-copy"), "This trace was opened from its prepared copy.");
}

TEST_F(PreparedControllerTest, OffersNothingAfterAShortLoad) {
  controllers().prepared->offer_above(1000);
  open_two_threads();
  EXPECT_FALSE(offered());
}

TEST_F(PreparedControllerTest, NeverAndAlwaysAnswerForAllTraces) {
  open_two_threads();
  EXPECT_EQ(run("prepared-copies never"), "");
  EXPECT_FALSE(offered());
  EXPECT_EQ(run("reload"), "");
  settle_writing();
  EXPECT_EQ(copies(), 0u);
  EXPECT_EQ(run("prepared-copies ask"), "");
  EXPECT_TRUE(offered());
  EXPECT_EQ(run("prepared-copies always"), "");
  settle_writing();
  EXPECT_EQ(copies(), 1u);
  for (const KnownCopy& copy : known_copies(load_options().prepared_folder)) remove_copy(copy);
  EXPECT_EQ(run("reload"), "");
  settle_writing();
  EXPECT_EQ(copies(), 1u);
}

TEST_F(PreparedControllerTest, WhatCopiesMayTakeIsSet) {
  open_two_threads();
  EXPECT_EQ(run("prepared-size 0"), "");
  EXPECT_EQ(run("keep-copy"), "");
  settle_writing();
  EXPECT_EQ(copies(), 0u);
  EXPECT_EQ(run("prepared-size 2GB"), "");
  EXPECT_EQ(run("prepared-share 60"), "");
  EXPECT_EQ(run("prepared-share 101"), "prepared-share takes at most 100 percent.");
  const CopyLimits limits = copy_limits(shell_->settings());
  EXPECT_EQ(limits.most_bytes, 2'000'000'000u);
  EXPECT_DOUBLE_EQ(limits.share_of_free, 0.6);
  EXPECT_EQ(run("keep-copy"), "");
  settle_writing();
  EXPECT_EQ(copies(), 1u);
  EXPECT_EQ(run("prepared-size auto"), "");
  EXPECT_EQ(run("prepared-share"), "");
  const CopyLimits usual = copy_limits(shell_->settings());
  EXPECT_EQ(usual.most_bytes, CopyLimits().most_bytes);
  EXPECT_DOUBLE_EQ(usual.share_of_free, CopyLimits().share_of_free);
}

}  // namespace
}  // namespace cinderscope
