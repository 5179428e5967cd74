#include "app/window/panels/table_saver.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/store/settings.h"
#include "app/window/controllers/panels.h"
#include "app/window/controllers/search.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

Result<TakenTable> numbers(TableText /*form*/) {
  return TakenTable{.word = "numbers",
                    .columns = {{.key = "n"}},
                    .row_count = 200'000,
                    .write_row = [](std::uint64_t row, TableWriter& out) { out.count(row); }};
}

class TableSaverTest : public UnseenWindow {
 protected:
  std::string path(const std::string& name) { return (folder_.path() / name).string(); }
  std::string content(const std::string& name) {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(TableSaverTest, CopiesWhatThePanelShowsAsFilteredAndSorted) {
  open_two_threads();
  run("panel statistics");
  run("filter-statistics o");
  run("sort-statistics name");
  EXPECT_EQ(run("copy-table"), "");
  EXPECT_TRUE(copied_.starts_with("name\tcount\ttotal\t")) << copied_;
  EXPECT_NE(copied_.find("\njob\t1\t700000\t"), std::string::npos) << copied_;
  EXPECT_LT(copied_.find("\njob\t"), copied_.find("\nwork\t"));
  EXPECT_EQ(copied_.find("step"), std::string::npos);
  EXPECT_EQ(shell_->message(), "2 rows copied");
  EXPECT_EQ(run("copy-table markdown"), "");
  EXPECT_TRUE(copied_.starts_with("| Name |")) << copied_;
  EXPECT_NE(copied_.find("|---|--:"), std::string::npos) << copied_;
}

TEST_F(TableSaverTest, SavesByTheEndingOfThePath) {
  open_two_threads();
  run("panel statistics");
  EXPECT_EQ(run("save-table " + path("a.csv")), "");
  EXPECT_TRUE(content("a.csv").starts_with("name,count,total,"));
  EXPECT_EQ(run("save-table " + path("a.tsv")), "");
  EXPECT_TRUE(content("a.tsv").starts_with("name\tcount\t"));
  EXPECT_EQ(run("save-table " + path("a.jsonl")), "");
  EXPECT_TRUE(content("a.jsonl").starts_with("{\"name\":\"work\",\"count\":1,\"total\":1000000,"));
  EXPECT_EQ(run("save-table " + path("a.md")), "");
  EXPECT_TRUE(content("a.md").starts_with("| Name |"));
  EXPECT_EQ(run("save-table " + path("a.txt")), "A table is saved as .csv, .tsv, .jsonl or .md.");
  EXPECT_EQ(run("save-table " + path("a.csv")),
            path("a.csv") + " is there already; with force behind it, it is replaced.");
  EXPECT_EQ(run("save-table " + path("a.csv") + " force"), "");
}

TEST_F(TableSaverTest, EachPanelHasATableOrSaysThatItHasNone) {
  open_two_threads();
  find("work");
  run("panel details");
  EXPECT_EQ(run("copy-table"), "");
  EXPECT_TRUE(copied_.starts_with("fact\tvalue\nName\twork\n")) << copied_;
  run("select-range 0 350us");
  EXPECT_EQ(run("copy-table"), "");
  EXPECT_NE(copied_.find("\nwork\t1\t350000\t"), std::string::npos) << copied_;
  run("select-range");
  find("step");
  EXPECT_EQ(run("copy-histogram"), "");
  EXPECT_TRUE(copied_.starts_with("from\tto\tcount\n50000\t")) << copied_;
  EXPECT_EQ(run("save-histogram " + path("bars.csv")), "");
  run("search step");
  run("panel search");
  EXPECT_EQ(run("copy-table"), "");
  EXPECT_EQ(copied_,
            "name\tbegin\tduration\tthread\nstep\t100000\t200000\tmain 1\nstep\t400000\t50000\t"
            "main 1\n");
  controllers().search->clear();
  EXPECT_EQ(run("copy-table"), "Nothing is searched for.");
  run("panel report");
  EXPECT_EQ(run("copy-table"), "");
  EXPECT_EQ(copied_, "code\tseverity\tcount\tfirst_offset\ttext\n");
  run("panel flame-graph");
  EXPECT_EQ(run("copy-table"), "No table is shown: the command panel opens one.");
}

TEST_F(TableSaverTest, EachPanelOfAComparisonHasOneToo) {
  const std::string a = folder_.write("a.json", kTwoThreads).string();
  const std::string b = folder_.write("b.json", kTwoThreads).string();
  EXPECT_EQ(run("compare " + a + " " + b), "");
  run("compare-filter every");
  run("panel names");
  EXPECT_EQ(run("copy-table"), "");
  EXPECT_TRUE(copied_.starts_with("name\tverdict\ta\tb\tdifference\t")) << copied_;
  EXPECT_EQ(run("copy-table markdown"), "");
  EXPECT_TRUE(copied_.starts_with("| Name | A | B |")) << copied_;
  run("panel threads");
  EXPECT_EQ(run("copy-table"), "");
  EXPECT_EQ(copied_,
            "thread_a\tthread_b\tcalls_a\tcalls_b\tbusy_a\tbusy_b\n"
            "main 1\tmain 1\t3\t3\t1000000\t1000000\n"
            "worker 2\tworker 2\t1\t1\t700000\t700000\n");
  run("panel runs");
  EXPECT_EQ(run("copy-table"), "");
  EXPECT_TRUE(copied_.starts_with("side\trun\tfile\tcalls\t")) << copied_;
  run("compare-select work");
  run("panel histogram");
  EXPECT_EQ(run("copy-table"), "");
  EXPECT_TRUE(copied_.starts_with("from\tto\tcount_a\tcount_b\n")) << copied_;
}

TEST_F(TableSaverTest, NoNameBecomesAFormulaIfThatIsAskedFor) {
  open("formula.json", R"([{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1,"name":"=1+1"}])");
  run("panel statistics");
  EXPECT_EQ(run("save-table " + path("plain.csv")), "");
  EXPECT_NE(content("plain.csv").find("\n=1+1,"), std::string::npos);
  EXPECT_EQ(run("spreadsheet-texts on"), "");
  EXPECT_EQ(run("save-table " + path("safe.csv")), "");
  EXPECT_NE(content("safe.csv").find("\n'=1+1,"), std::string::npos);
}

TEST_F(TableSaverTest, WhatIsReadIsNotWrittenOver) {
  std::filesystem::rename(folder_.write("calls.json", kTwoThreads), path("calls.csv"));
  std::filesystem::create_symlink(path("calls.csv"), path("link.csv"));
  controllers().tabs->open(path("calls.csv"));
  settle();
  run("panel statistics");
  EXPECT_EQ(run("save-table " + path("calls.csv") + " force"),
            path("calls.csv") + " is what is read; it is not overwritten.");
  EXPECT_NE(run("save-table " + path("link.csv") + " force"), "");
  EXPECT_EQ(content("calls.csv"), kTwoThreads);
}

TEST_F(TableSaverTest, ANewerTableDoesNotEndAnOlderOne) {
  open_two_threads();
  for (const char* name : {"one.csv", "two.csv"}) {
    ASSERT_TRUE(controllers().tables->save(numbers, CommandArguments({path(name)})));
  }
  settle();
  EXPECT_TRUE(content("one.csv").ends_with("\n199999\n"));
  EXPECT_TRUE(content("two.csv").ends_with("\n199999\n"));
}

TEST_F(TableSaverTest, WhetherAFileIsThereIsAskedOnAnotherThread) {
  open_two_threads();
  run("panel statistics");
  std::ofstream(path("old.csv")) << "old";
  // Nothing is known of the disk yet.
  EXPECT_TRUE(shell_->run_command("save-table", path("old.csv")));
  settle();
  EXPECT_EQ(controllers().tables->take_failed(),
            path("old.csv") + " is there already; with force behind it, it is replaced.");
  EXPECT_EQ(controllers().tables->take_failed(), "");
  EXPECT_EQ(content("old.csv"), "old");
}

TEST_F(TableSaverTest, ALongTableIsWrittenInTheBackground) {
  TableSaver& saver = *controllers().tables;
  open_two_threads();
  ASSERT_TRUE(saver.save(numbers, CommandArguments({path("n.csv")})));
  while (saver.busy()) frame();
  settle();
  EXPECT_TRUE(content("n.csv").ends_with("\n199999\n"));
  EXPECT_TRUE(shell_->message().ends_with("rows saved to " + path("n.csv"))) << shell_->message();
}

}  // namespace
}  // namespace cinderscope
