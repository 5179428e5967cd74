#include "app/window/sql/sql_panel.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "app/window/controllers/panels.h"
#include "app/window/sql/sql_controller.h"
#include "app/window/sql/sql_examples.h"
#include "ingest/base/json/json_value.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class SqlPanelTest : public UnseenWindow {
 protected:
  void SetUp() override {
    UnseenWindow::SetUp();
    open_two_threads();
    EXPECT_EQ(run("panel sql"), "");
  }
  SqlPanel& panel() { return tab().panel<SqlPanel>(); }
  std::string ask(const std::string& text) {
    panel().set_text(text);
    return run("sql-run all");
  }
  JsonValue answer() {
    Result<JsonValue> read = read_json(panel().state_json(*tab().session));
    EXPECT_TRUE(read);
    return *read;
  }
  std::string error() {
    const JsonValue read = answer();
    return read.find("error")->text;
  }
  std::uint64_t rows() { return panel().count(*tab().session); }
  std::string first(std::size_t row, std::size_t column) {
    const JsonValue read = answer();
    const auto& rows = read.find("first")->members;
    if (row >= rows.size() || column >= rows[row].value.members.size()) return "none";
    return std::string(rows[row].value.members[column].value.raw);
  }
};

TEST_F(SqlPanelTest, RunsTheStatementAtTheCaretOrAll) {
  panel().set_text("SELECT 1 AS one; SELECT count(*) AS n FROM slice");
  EXPECT_EQ(run("sql-run"), "");
  EXPECT_EQ(answer().find("text")->text, "SELECT 1 AS one;");
  EXPECT_EQ(run("sql-run all"), "");
  EXPECT_EQ(rows(), 1U);
  EXPECT_EQ(first(0, 0), "4");
  EXPECT_EQ(error(), "");
}

TEST_F(SqlPanelTest, SaysWhatIsWrongAndKeepsTheRows) {
  ask("SELECT name FROM slice ORDER BY ts");
  EXPECT_EQ(rows(), 4U);
  ask("SELECT durr FROM slice");
  EXPECT_NE(error().find("no such column: durr"), std::string::npos);
  EXPECT_EQ(rows(), 4U);
  EXPECT_EQ(first(0, 0), "none");  // the state tells of the query that failed
  EXPECT_EQ(run("sql-go 1"), "");  // as they were given
  ask("SELECT 1 AS one");
  EXPECT_EQ(rows(), 1U);
  ask("ATTACH 'x' AS y");
  EXPECT_NE(error(), "");
  panel().set_text("  ");
  EXPECT_NE(run("sql-run"), "");
}

TEST_F(SqlPanelTest, ColumnsAreShownByTheirTypes) {
  ask("SELECT slice_id, ts, dur, name, 7 AS n FROM slice ORDER BY ts LIMIT 1");
  const JsonValue read = answer();
  std::string shown;
  for (const JsonMember& column : read.find("columns")->members) {
    shown += column.value.find("shown_as")->text + " ";
  }
  EXPECT_EQ(shown, "slice time duration text number ");
  EXPECT_EQ(run("sql-column n duration"), "");
  EXPECT_EQ(panel().rows().table()->shown[4], ShownAs::duration);
  EXPECT_NE(run("sql-column name duration"), "");
  EXPECT_NE(run("sql-column nothing text"), "");
}

TEST_F(SqlPanelTest, ARowLeadsToItsCall) {
  ask("SELECT slice_id, dur FROM slice WHERE name = 'step' ORDER BY dur");
  EXPECT_EQ(run("sql-go 1"), "");
  EXPECT_EQ(selected_name(), "step");
  EXPECT_EQ(slice_at(timeline(), state().selected).duration_ns, 50'000);
  EXPECT_EQ(run("sql-go 2 zoom"), "");
  EXPECT_EQ(slice_at(timeline(), state().selected).duration_ns, 200'000);
  EXPECT_LT(state().view.end_ns() - state().view.begin_ns, 400'000);
  EXPECT_NE(run("sql-go 3"), "");
}

TEST_F(SqlPanelTest, ARowWithATimeLeadsThere) {
  ask("SELECT 700000 AS ts, 10000 AS dur");
  run("zoom-to 0 1000");
  EXPECT_EQ(run("sql-go 1 zoom"), "");
  EXPECT_LE(state().view.begin_ns, 700'000);
  EXPECT_GE(state().view.end_ns(), 710'000);
  EXPECT_LT(state().view.end_ns() - state().view.begin_ns, 100'000);
}

TEST_F(SqlPanelTest, ShowsItsRowsAsASearch) {
  ask("SELECT slice_id FROM slice WHERE name = 'step'");
  EXPECT_EQ(run("sql-show on"), "");
  EXPECT_TRUE(tab().search.text().starts_with("SQL: "));
  EXPECT_EQ(tab().search.matches()->count(), 2U);
  run("next-match");
  EXPECT_EQ(selected_name(), "step");
  ask("SELECT slice_id FROM slice WHERE name = 'job'");
  EXPECT_EQ(tab().search.matches()->count(), 1U);
  EXPECT_EQ(run("sql-show off"), "");
  EXPECT_FALSE(tab().search.active());
  // What somebody types is an ordinary search again.
  run("sql-show on");
  run("search step");
  EXPECT_FALSE(tab().search.shows_given());
  EXPECT_EQ(tab().search.matches()->count(), 2U);
}

TEST_F(SqlPanelTest, SortsAndFiltersItsRows) {
  ask("SELECT name, dur, NULL AS gone FROM slice ORDER BY ts");
  EXPECT_EQ(run("sql-sort dur"), "");
  EXPECT_EQ(first(0, 1), "1000000");
  run("sql-sort 2");
  EXPECT_EQ(first(0, 1), "50000");
  EXPECT_EQ(first(0, 2), "null");
  run("sql-filter step");
  EXPECT_EQ(answer().find("shown")->raw, "2");
  EXPECT_EQ(run("copy-table"), "");
  EXPECT_EQ(copied_, "name\tdur\tgone\nstep\t50000\t\nstep\t200000\t\n");
  EXPECT_NE(run("sql-sort 9"), "");
}

TEST_F(SqlPanelTest, SavesQueriesAndOpensThem) {
  panel().set_text("-- all of it\nSELECT * FROM slice");
  EXPECT_EQ(run("sql-save Every call"), "");
  EXPECT_TRUE(panel().is_saved());
  EXPECT_NE(run("sql-save a/b"), "");
  EXPECT_EQ(run("sql-open Cost by name"), "");
  EXPECT_EQ(panel().query_name(), "Cost by name");
  EXPECT_EQ(run("sql-run Every call"), "");
  EXPECT_EQ(rows(), 4U);
  EXPECT_EQ(panel().rows().title(), "Every call");
  EXPECT_EQ(run("sql-remove Every call"), "");
  EXPECT_NE(run("sql-open Every call"), "");
}

TEST_F(SqlPanelTest, KeysGoToTheEditorOnceItHasThem) {
  EXPECT_EQ(run("sql"), "");
  EXPECT_TRUE(controllers().panels->editing());
  type("SELECT 5 AS mw");
  EXPECT_EQ(panel().text(), "SELECT 5 AS mw");
  press("Backspace");
  press("Ctrl+Enter");
  EXPECT_EQ(first(0, 0), "5");
  EXPECT_EQ(answer().find("columns")->members[0].value.find("name")->text, "m");
  press("Ctrl+Z");
  EXPECT_EQ(panel().text(), "SELECT 5 AS mw");
  press("Ctrl+A");
  press("Ctrl+X");
  EXPECT_EQ(copied_, "SELECT 5 AS mw");
  press("Alt+Up");
  EXPECT_EQ(panel().text(), "SELECT 5 AS m");
  press("Alt+Down");
  EXPECT_EQ(panel().text(), "");
  press("Escape");
  EXPECT_FALSE(controllers().panels->editing());
  type("0");
  EXPECT_EQ(panel().text(), "");
  press("F6");
  press("F6");
  EXPECT_TRUE(controllers().panels->editing());
}

TEST_F(SqlPanelTest, TabCompletesWhatThereIs) {
  settle();
  run("sql");
  type("SELECT thread_n FROM thread");
  for (int i = 0; i < 12; ++i) press("Left");
  press("Tab");
  EXPECT_EQ(panel().text(), "SELECT thread_name FROM thread");
  panel().set_text("");
  type("SELECT 1 FROM slice WHERE name = 'jo");
  press("Tab");
  EXPECT_EQ(panel().text(), "SELECT 1 FROM slice WHERE name = 'job'");
  panel().set_text("");
  type("SELECT t");
  press("Tab");
  EXPECT_TRUE(panel().editor()->list_open());
  press("Escape");
  EXPECT_FALSE(panel().editor()->list_open());
}

TEST_F(SqlPanelTest, RowsBecomeATrackThatStaysAndCloses) {
  const std::size_t tracks = timeline().tracks.size();
  ask("SELECT ts, dur, name FROM slice WHERE depth = 2");
  EXPECT_EQ(run("sql-track Steps"), "");
  ASSERT_EQ(timeline().tracks.size(), tracks + 1);
  EXPECT_EQ(timeline().tracks.back().slice_count, 2U);
  EXPECT_EQ(timeline().text(timeline().tracks.back().name), "Steps");
  // It is no part of the trace.
  ask("SELECT count(*) AS n FROM lifetime");
  EXPECT_EQ(first(0, 0), "0");
  run("reload");
  EXPECT_EQ(timeline().tracks.size(), tracks + 1);
  ask("SELECT ts, depth AS value FROM slice");
  EXPECT_EQ(run("sql-track Depth"), "");
  EXPECT_EQ(timeline().tracks.back().kind, TrackKind::counter);
  EXPECT_EQ(run("sql-close-track Steps"), "");
  EXPECT_EQ(timeline().tracks.size(), tracks + 1);
  EXPECT_EQ(run("sql-close-track"), "");
  EXPECT_EQ(timeline().tracks.size(), tracks);
  EXPECT_NE(run("sql-close-track"), "");
  ask("SELECT name FROM slice");
  EXPECT_NE(run("sql-track"), "");
}

TEST_F(SqlPanelTest, FollowsTheViewWhereItIsAsked) {
  ask("SELECT view_begin() AS ts");
  if (error().find("no such function") != std::string::npos) GTEST_SKIP() << error();
  run("sql-follow on");
  run("zoom-to 100000 200000");
  settle();
  EXPECT_EQ(first(0, 0), "100000");
}

TEST_F(SqlPanelTest, TabsWithoutAPanelOrATraceAreLeftAlone) {
  run("panel");
  EXPECT_NE(run("focus editor"), "");
  EXPECT_EQ(run("sql"), "");
  EXPECT_TRUE(controllers().panels->shows("sql"));
  run("close");
  EXPECT_NE(run("sql-run all"), "");
}

TEST(SqlExamplesTest, AreFifteenWithAName) {
  EXPECT_EQ(sql_examples().size(), 15U);
  for (const SqlExample& example : sql_examples()) {
    EXPECT_TRUE(check_query_name(example.name)) << example.name;
    EXPECT_TRUE(example.text.starts_with("-- ")) << example.name;
  }
}

}  // namespace
}  // namespace cinderscope
