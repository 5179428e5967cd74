#include <gtest/gtest.h>

#include "tests/support/lincheck_files.h"

namespace cinderscope {
namespace {

std::string tree(const std::string& name, const TreeRequest& request) {
  return tree_of(Input::from_memory("unknown", read_file(lincheck_case(name, "input.trace"))),
                 request);
}

TEST(LincheckTreeTest, EqualsWhatTheRecordersPrinterWrites) {
  for (const std::string name : {"tiny_stream", "recorded_stream"}) {
    EXPECT_EQ(tree(name, {}), text_of_file(lincheck_case(name, "tree.txt"))) << name;
    EXPECT_EQ(tree(name, {.verbose = true}), text_of_file(lincheck_case(name, "tree_verbose.txt")))
        << name;
  }
}

TEST(LincheckTreeTest, FoldsWhatLiesDeeperThanAskedFor) {
  EXPECT_EQ(tree("tiny_stream", {.depth = 2, .thread = "1"}),
            "# Thread 2 (worker-\u00fc)\n"
            "Thread@505.run(): <untracked result>\n"
            "  app.level1(0, null): 0\n"
            "  app.level1(1, null): 1\n"
            "  app.level1(2, null): 2\n"
            "  App@101.level2(9, null): <unfinished method>\n");
  EXPECT_EQ(tree("tiny_stream", {.depth = 1}),
            "# Thread 1 (main)\n"
            "App.main()\n"
            "  ... <15 unloaded children>\n"
            "# Thread 2 (worker-\u00fc)\n"
            "Thread@505.run(): <untracked result>\n"
            "  ... <4 unloaded children>\n");
}

TEST(LincheckTreeTest, ShowsOnlyWhatHappensInARange) {
  EXPECT_EQ(tree("tiny_stream", {.thread = "main", .begin = 15, .end = 17}),
            "# Thread 1 (main)\n"
            "App.main()\n"
            "  loop(3 iterations)\n"
            "    <iteration 1>\n"
            "      i = 0\n");
}

TEST(LincheckTreeTest, MarksCallsThatTheDataEndIn) {
  const std::string text = tree("cut_in_a_block", {.depth = 1, .thread = "2"});
  EXPECT_NE(text.find("Thread.run(): <unfinished method>\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace cinderscope
