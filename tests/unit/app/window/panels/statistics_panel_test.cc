#include "app/window/panels/statistics_panel.h"

#include <fstream>
#include <iterator>

#include "app/window/controllers/panels.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class StatisticsPanelTest : public UnseenWindow {
 protected:
  void SetUp() override {
    UnseenWindow::SetUp();
    open_two_threads();
    run("panel statistics");
  }
  // The names of the rows from top to bottom.
  std::string rows() {
    const StatisticsFacts facts = tab().panel<StatisticsPanel>().facts(*tab().session);
    std::string text;
    for (const std::uint32_t row : facts.rows) {
      text += std::string(text_in(*facts.table, facts.table->columns.front(), row)) + " ";
    }
    return text;
  }
  std::string_view scope() {
    return word_of(tab().panel<StatisticsPanel>().facts(*tab().session).scope);
  }
};

TEST_F(StatisticsPanelTest, SortsAndFiltersTheTable) {
  EXPECT_EQ(run("sort-statistics name"), "");
  EXPECT_EQ(rows(), "job step work ");
  EXPECT_EQ(run("sort-statistics count"), "");
  EXPECT_EQ(rows().substr(0, 5), "step ");
  EXPECT_EQ(run("filter-statistics o"), "");
  EXPECT_EQ(run("sort-statistics name"), "");
  EXPECT_EQ(rows(), "job work ");
  EXPECT_NE(run("sort-statistics colour").find("sort-statistics takes name, count"),
            std::string::npos);
}

TEST_F(StatisticsPanelTest, MeasuresAPart) {
  EXPECT_EQ(scope(), "trace");
  EXPECT_EQ(run("scope range"), "No range is selected.");
  EXPECT_EQ(run("select-range 0 350000"), "");
  EXPECT_EQ(run("scope range"), "");
  EXPECT_EQ(scope(), "range");
  EXPECT_EQ(run("scope thread"),
            "No call or thread is selected, so there is no thread to measure.");
  EXPECT_EQ(run("scope trace"), "");
  EXPECT_EQ(scope(), "trace");
}

TEST_F(StatisticsPanelTest, CommandsBringItIntoSightButForTheFlameGraph) {
  run("panel details");
  run("whole-calls on");
  EXPECT_TRUE(controllers().panels->shows("statistics"));
  run("panel flame-graph");
  run("scope trace");
  EXPECT_TRUE(controllers().panels->shows("flame-graph"));
}

TEST_F(StatisticsPanelTest, SavesAndReplacesAFileOnlyByForce) {
  const std::string path = (folder_.path() / "names.csv").string();
  EXPECT_EQ(run("save-statistics " + path), "");
  EXPECT_EQ(shell_->message(), "3 rows saved to " + path);
  EXPECT_EQ(run("save-statistics " + path),
            path + " is there already; with force behind it, it is replaced.");
  EXPECT_EQ(run("filter-statistics job"), "");
  EXPECT_EQ(run("save-statistics " + path + " force"), "");
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(text.find("job"), std::string::npos);
  EXPECT_EQ(text.find("work"), std::string::npos);
  EXPECT_EQ(run("save-statistics /nowhere/names.csv"),
            "\"/nowhere/names.csv\" cannot be written: No such file or directory.");
}

TEST_F(StatisticsPanelTest, CopiesTheTable) {
  EXPECT_EQ(run("copy-statistics"), "");
  EXPECT_NE(copied_.find("step\t2"), std::string::npos) << copied_;
  EXPECT_EQ(shell_->message(), "3 rows copied");
}

}  // namespace
}  // namespace cinderscope
