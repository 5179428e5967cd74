#include "app/window/controllers/merge.h"

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class MergeControllerTest : public UnseenWindow {
 protected:
  std::string other() { return folder_.write("other.json", kTwoThreads).string(); }
};

TEST_F(MergeControllerTest, PutsAFileOnTheShownTimeline) {
  open_two_threads();
  EXPECT_EQ(run("merge " + other()), "");
  EXPECT_EQ(tab().merged_files.size(), 2u);
  EXPECT_EQ(timeline().processes.size(), 2u);
  EXPECT_EQ(shell_->tabs().all.size(), 1u);
}

TEST_F(MergeControllerTest, MovesTheFilesThatWereAdded) {
  open_two_threads();
  EXPECT_EQ(run("merge-offset +1ms"), "There is only one file on this timeline.");
  run("merge " + other() + " +1ms");
  const std::int64_t end_ns = timeline().end_ns;
  EXPECT_EQ(run("merge-offset +2ms"), "");
  EXPECT_EQ(timeline().end_ns, end_ns + 1'000'000);
  EXPECT_EQ(run("merge-offset same 2"), "");
  EXPECT_EQ(timeline().end_ns, end_ns - 1'000'000);
  EXPECT_EQ(run("merge-offset start 3"), "There is no file 3 on this timeline.");
  EXPECT_EQ(
      run("merge-offset soon"),
      "merge-offset takes start, same, keep or an offset such as +12ms or -3s, not \"soon\".");
}

TEST_F(MergeControllerTest, WithoutATraceTheFilesHaveATabOfTheirOwn) {
  const std::string file = other();
  EXPECT_TRUE(controllers().merge->add({{file, {}}, {file, {}}}));
  settle();
  EXPECT_EQ(shell_->tabs().all.size(), 1u);
  EXPECT_FALSE(controllers().merge->add({}));
  EXPECT_FALSE(controllers().merge->add({{"-", {}}}));
}

TEST_F(MergeControllerTest, TakesWhatIsDroppedWithShift) {
  open_two_threads();
  shell_->input().push_back(FilesDropped{{other()}, true});
  settle();
  EXPECT_EQ(tab().merged_files.size(), 2u);
}

}  // namespace
}  // namespace cinderscope
