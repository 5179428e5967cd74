#include "app/window/controllers/found_traces.h"

#include <fmt/format.h>

#include "app/window/controllers/chrome/palette.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class FoundTracesTest : public UnseenWindow {
 protected:
  void write(int count) {
    for (int i = 0; i < count; ++i) folder_.write(fmt::format("t{}.json", i), kTwoThreads);
  }
  void find(int count) {
    write(count);
    controllers().tabs->open(folder_.path().string());
    settle();
  }
  std::size_t tabs() { return shell_->tabs().all.size(); }
};

TEST_F(FoundTracesTest, AFewAreOpenedWithoutAWord) {
  find(5);
  EXPECT_EQ(tabs(), 5u);
  EXPECT_EQ(run("found-traces open"), "\"found-traces\" can do nothing now.");
}

TEST_F(FoundTracesTest, OfManyItIsAskedFirst) {
  find(6);
  EXPECT_EQ(tabs(), 0u);
  EXPECT_EQ(run("found-traces open"), "");
  EXPECT_EQ(tabs(), 6u);
  EXPECT_FALSE(controllers().found_traces->waiting());
}

TEST_F(FoundTracesTest, PutsAllOnOneTimeline) {
  find(6);
  EXPECT_EQ(run("found-traces merge"), "");
  ASSERT_EQ(tabs(), 1u);
  EXPECT_EQ(tab().merged_files.size(), 6u);
}

TEST_F(FoundTracesTest, TheButtonsAreAboveEverything) {
  find(6);
  for (float x = kWidthPx - 20; x > 0 && controllers().found_traces->waiting(); x -= 20) {
    click(x, 58);
  }
  EXPECT_FALSE(controllers().found_traces->waiting());
}

TEST_F(FoundTracesTest, OpensTheTickedOnes) {
  find(12);
  EXPECT_EQ(run("found-traces choose"), "");
  EXPECT_TRUE(controllers().palette->open());
  EXPECT_EQ(run("found-traces open-ticked"), "No trace is ticked.");
  type("t11");
  press("Enter");  // ticks it, and the list stays
  EXPECT_TRUE(controllers().palette->open());
  for (int i = 0; i < 3; ++i) press("Backspace");
  press("Down");
  press("Enter");
  press("Ctrl+Enter");
  EXPECT_FALSE(controllers().palette->open());
  EXPECT_EQ(tabs(), 2u);
}

TEST_F(FoundTracesTest, TicksAllWhoseNamesFitAndNoneAgain) {
  find(12);
  run("found-traces tick-all t1");
  run("found-traces tick 1");
  EXPECT_EQ(run("found-traces tick 13"), "There is no trace 13 among those found.");
  run("found-traces tick-all t1");  // all of these were ticked
  EXPECT_EQ(run("found-traces merge-ticked"), "");
  ASSERT_EQ(tabs(), 1u);
  EXPECT_TRUE(tab().session->path().ends_with("t0.json"));
}

TEST_F(FoundTracesTest, ManyDroppedFilesAreAskedAboutAndOneAfterTheOther) {
  write(7);
  FilesDropped drop;
  for (int i = 0; i < 7; ++i)
    drop.paths.push_back((folder_.path() / fmt::format("t{}.json", i)).string());
  shell_->input().push_back(drop);
  shell_->input().push_back(drop);
  settle();
  EXPECT_EQ(tabs(), 0u);
  EXPECT_EQ(run("found-traces cancel"), "");
  EXPECT_TRUE(controllers().found_traces->waiting());
  EXPECT_EQ(run("found-traces open"), "");
  EXPECT_EQ(tabs(), 7u);
}

}  // namespace
}  // namespace cinderscope
