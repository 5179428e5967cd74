// SQL in the tab of a comparison.
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/sql/sql_controller.h"
#include "app/window/sql/sql_panel.h"
#include "ingest/base/json/json_value.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

// kTwoThreads, where each "step" takes twice as long, "job" is gone and "new job" is there.
constexpr std::string_view kSlower = R"([
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"main"}},
{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"worker"}},
{"ph":"X","pid":1,"tid":1,"ts":5000,"dur":1250,"name":"work"},
{"ph":"X","pid":1,"tid":1,"ts":5100,"dur":400,"name":"step"},
{"ph":"X","pid":1,"tid":1,"ts":5600,"dur":100,"name":"step"},
{"ph":"X","pid":1,"tid":2,"ts":5200,"dur":700,"name":"new job"}])";

class SqlOfComparisonTest : public UnseenWindow {
 protected:
  void SetUp() override {
    UnseenWindow::SetUp();
    const std::string a = folder_.write("before.json", kTwoThreads).string();
    const std::string b = folder_.write("after.json", kSlower).string();
    ASSERT_EQ(run("compare " + a + " " + b), "");
    ASSERT_NE(controllers().compare->shown(), nullptr);
    EXPECT_EQ(run("panel sql"), "");
  }
  ComparePage& page() { return *controllers().compare->shown(); }
  SqlPanel& panel() { return shell_->tabs().page()->panel<SqlPanel>(); }
  // Rows as JSON, or the error.
  std::string ask(std::string_view text) {
    panel().set_text(text);
    if (std::string refused = run("sql-run all"); !refused.empty()) return refused;
    const Result<JsonValue> read = read_json(panel().state_json(*shell_->tabs().page()->session));
    EXPECT_TRUE(read);
    const JsonValue* error = read->find("error");
    return error->text.empty() ? std::string(read->find("first")->raw) : std::string(error->text);
  }
  const std::vector<Track>& tracks(Side side) { return page().session(side).timeline().tracks; }
  std::string name_of_last(Side side) {
    return std::string(page().session(side).timeline().text(tracks(side).back().name));
  }
  static std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    while (text.ends_with("\n") && path.ends_with(".sql")) text.pop_back();
    return text;
  }
  std::string selected(Side side) {
    const Session& session = page().session(side);
    const SliceRef& slice = session.state().selected;
    return slice ? std::string(session.timeline().text(slice_at(session.timeline(), slice).name))
                 : "";
  }
};

TEST_F(SqlOfComparisonTest, TheFirstTraceIsATheSecondB) {
  EXPECT_EQ(ask("SELECT trace_id, trace_name FROM trace"),
            R"([[1,"before.json"],[2,"after.json"]])");
  EXPECT_EQ(ask("SELECT trace_id, sum(dur) FROM slice WHERE name = 'step' GROUP BY trace_id"),
            "[[1,250000],[2,500000]]");
}

TEST_F(SqlOfComparisonTest, ComparedHasTheNumbersOfTheComparison) {
  EXPECT_EQ(ask("SELECT * FROM compared WHERE name IN ('step', 'job', 'new job') ORDER BY name"),
            R"([["job",700000,0,-700000,null,"gone"],["new job",0,700000,700000,null,"new"],)"
            R"(["step",250000,500000,250000,1,"more"]])");
  std::string shown;
  for (const ShownAs as : panel().rows().table()->shown) shown += std::string(word_of(as)) + " ";
  EXPECT_EQ(shown, "text duration duration duration number text ");
  EXPECT_EQ(run("compare-measure count"), "");
  EXPECT_EQ(ask("SELECT a, b FROM compared WHERE name = 'step'"), "[[2,2]]");
  EXPECT_EQ(panel().rows().table()->shown[0], ShownAs::number);
  EXPECT_EQ(run("compare-scale share"), "");
  EXPECT_EQ(ask("SELECT round(sum(a), 6), count(*) > 0 FROM compared"), "[[1,1]]");
}

TEST_F(SqlOfComparisonTest, NamesOfCallsMeetThoseThatAreCompared) {
  EXPECT_EQ(ask("SELECT c.verdict, count(*) FROM slice s JOIN compared c ON "
                "c.name = name_key(s.name) WHERE s.trace_id = 2 GROUP BY 1 ORDER BY 2, 1"),
            R"([["new",1],["same",1],["more",2]])");
}

TEST_F(SqlOfComparisonTest, ItFollowsSwappedSides) {
  EXPECT_EQ(run("compare-swap"), "");
  EXPECT_NE(run("sql-go 1"), "");  // no rows yet
  EXPECT_EQ(
      ask("SELECT trace_name, a, b FROM compared, trace WHERE name = 'step' AND trace_id = 1"),
      R"([["after.json",500000,250000]])");
  EXPECT_EQ(ask("SELECT slice_id FROM slice WHERE name = 'job'").substr(0, 2), "[[");
  EXPECT_EQ(run("compare-swap"), "");
  EXPECT_NE(run("sql-go 1"), "");  // those rows were of the other sides
}

TEST_F(SqlOfComparisonTest, ARowLeadsToTheLaneOfItsSide) {
  ask("SELECT trace_id, slice_id, dur FROM slice WHERE name = 'step' ORDER BY dur DESC");
  EXPECT_EQ(run("sql-go 1"), "");
  EXPECT_EQ(page().used(), side_b);
  EXPECT_EQ(selected(side_b), "step");
  EXPECT_EQ(slice_at(page().session(side_b).timeline(), page().session(side_b).state().selected)
                .duration_ns,
            400'000);
  EXPECT_EQ(run("sql-go 2 zoom"), "");
  EXPECT_EQ(page().used(), side_a);
  EXPECT_EQ(selected(side_a), "step");
  EXPECT_LT(
      page().session(side_a).state().view.end_ns() - page().session(side_a).state().view.begin_ns,
      400'000);
}

TEST_F(SqlOfComparisonTest, ATimeLeadsToItsSide) {
  ask("SELECT thread_id, 5200000 AS ts, 10000 AS dur FROM thread WHERE trace_id = 2");
  EXPECT_EQ(run("sql-go 2 zoom"), "");
  EXPECT_EQ(page().used(), side_b);
  const Viewport& view = page().session(side_b).state().view;
  EXPECT_LE(view.begin_ns, 5'200'000);
  EXPECT_GE(view.end_ns(), 5'210'000);
  ask("SELECT 1 AS trace_id, 100000 AS ts, 10000 AS dur");
  EXPECT_EQ(run("sql-go 1 zoom"), "");
  EXPECT_EQ(page().used(), side_a);
  ask("SELECT -9223372036854775808 AS track_id, 100000 AS ts");
  EXPECT_EQ(run("sql-go 1"), "");
}

TEST_F(SqlOfComparisonTest, FoundCallsAreLitInBothLanes) {
  ask("SELECT slice_id FROM slice WHERE name = 'step' AND dur > 60000");
  EXPECT_EQ(run("sql-show on"), "");
  ASSERT_NE(page().lane(side_a).search.matches(), nullptr);
  ASSERT_NE(page().lane(side_b).search.matches(), nullptr);
  EXPECT_EQ(page().lane(side_a).search.matches()->count(), 1U);
  EXPECT_EQ(page().lane(side_b).search.matches()->count(), 2U);
  EXPECT_EQ(run("sql-show off"), "");
  EXPECT_FALSE(page().lane(side_b).search.active());
}

TEST_F(SqlOfComparisonTest, TheWindowIsTheLaneUsedLast) {
  run("zoom-to 100us 300us");
  EXPECT_EQ(ask("SELECT view_begin()"), "[[100000]]");
  page().act_on(side_b, true);
  settle();
  EXPECT_EQ(ask("SELECT view_begin()"), "[[5100000]]");
}

TEST_F(SqlOfComparisonTest, RowsBecomeATrackInTheLaneOfTheirTrace) {
  const std::size_t a = tracks(side_a).size(), b = tracks(side_b).size();
  ask("SELECT trace_id, ts, dur, name FROM slice WHERE name IN ('step', 'job')");
  EXPECT_EQ(run("sql-track Steps"), "");
  ASSERT_EQ(tracks(side_a).size(), a + 1);
  ASSERT_EQ(tracks(side_b).size(), b + 1);
  EXPECT_EQ(name_of_last(side_a), "Steps");
  EXPECT_EQ(tracks(side_a).back().slice_count, 3U);
  EXPECT_EQ(tracks(side_b).back().slice_count, 2U);
  // They are no part of the traces, nor of their own tabs.
  EXPECT_EQ(ask("SELECT count(*) FROM lifetime"), "[[0]]");
  EXPECT_EQ(page().session(side_a).viewed()->timeline().tracks.size(), a);
  EXPECT_EQ(page().used(), side_a);
  // Rows of one trace alone lead to its lane; calls have their own names.
  ask("SELECT slice_id, ts, dur FROM slice WHERE name = 'new job'");
  EXPECT_EQ(run("sql-track New"), "");
  EXPECT_EQ(page().used(), side_b);
  ASSERT_EQ(tracks(side_a).size(), a + 1);
  ASSERT_EQ(tracks(side_b).size(), b + 2);
  const Timeline& of_b = page().session(side_b).timeline();
  EXPECT_EQ(of_b.text(tracks(side_b).back().root().rows[0].slice(0).name), "new job");
  // In place of the one of that name.
  ask("SELECT trace_id, ts, depth AS value FROM slice WHERE trace_id = 1");
  EXPECT_EQ(run("sql-track Steps"), "");
  EXPECT_EQ(tracks(side_a).back().kind, TrackKind::counter);
  EXPECT_EQ(tracks(side_b).size(), b + 1);
  EXPECT_EQ(name_of_last(side_b), "New");
}

TEST_F(SqlOfComparisonTest, ItsTracksStayUntilTheyAreClosed) {
  const std::size_t a = tracks(side_a).size(), b = tracks(side_b).size();
  ask("SELECT trace_id, ts, dur FROM slice WHERE name = 'step'");
  EXPECT_EQ(run("sql-track Steps"), "");
  EXPECT_EQ(run("reload"), "");
  EXPECT_EQ(tracks(side_a).size(), a + 1);
  EXPECT_EQ(run("sql-track Again"), "The trace was read again: run the query again.");
  EXPECT_EQ(run("compare-swap"), "");
  EXPECT_EQ(tracks(side_a).size(), b + 1);
  EXPECT_EQ(tracks(side_b).size(), a + 1);
  EXPECT_NE(run("sql-close-track Other"), "");
  EXPECT_EQ(run("sql-close-track Steps"), "");
  EXPECT_EQ(tracks(side_a).size(), b);
  EXPECT_EQ(tracks(side_b).size(), a);
  EXPECT_EQ(run("sql-close-track"), "No query's rows are shown as a track.");
}

TEST_F(SqlOfComparisonTest, TracksOfATracesOwnTabComeAndGoBelowThoseOfTheLane) {
  ask("SELECT trace_id, ts, dur FROM slice WHERE name = 'step'");
  EXPECT_EQ(run("sql-track Steps"), "");
  const Session& lane = page().session(side_a);
  Session& trace = *lane.viewed();
  const std::size_t before = tracks(side_a).size();
  TimelineState& state = page().session(side_a).state();
  state.selected = {.track = TrackId(before - 1)};
  state.pinned_tracks = {static_cast<std::uint32_t>(before - 1)};
  trace.set_added_tracks({AddedTrack{.name = "Own", .slices = {{100'000, 5, "x"}}, .values = {}}});
  settle();
  ASSERT_EQ(tracks(side_a).size(), before + 1);
  EXPECT_EQ(name_of_last(side_a), "Steps");
  EXPECT_EQ(index(state.selected.track), before);
  ASSERT_EQ(state.pinned_tracks.size(), 1U);
  EXPECT_EQ(state.pinned_tracks[0], before);
  trace.set_added_tracks({});
  settle();
  EXPECT_EQ(tracks(side_a).size(), before);
  EXPECT_EQ(name_of_last(side_a), "Steps");
  EXPECT_EQ(index(state.selected.track), before - 1);
}

TEST_F(SqlOfComparisonTest, ASavedQueryIsRunForItsTrack) {
  panel().set_text("SELECT trace_id, ts, dur FROM slice WHERE name = 'step'");
  EXPECT_EQ(run("sql-save Steps"), "");
  panel().set_text("SELECT durr FROM slice");
  EXPECT_EQ(run("sql-save Broken"), "");
  const std::size_t b = tracks(side_b).size();
  EXPECT_EQ(run("sql-track Steps"), "");
  EXPECT_EQ(tracks(side_b).size(), b + 1);
  EXPECT_EQ(run("sql-track Broken"), "");
  EXPECT_EQ(tracks(side_b).size(), b + 1);
  EXPECT_NE(shell_->message().find("Broken: no such column"), std::string::npos)
      << shell_->message();
}

TEST_F(SqlOfComparisonTest, QueriesAreSavedAndRowsAreWritten) {
  const std::string settings = (folder_.path() / "settings").string();
  controllers().sql->keep({.config = settings, .state = {}});
  panel().set_text("-- slower\nSELECT name, a, b FROM compared WHERE name = 'step'");
  EXPECT_EQ(run("focus editor"), "");
  press("Ctrl+S");  // asks for the name
  type("Slower");
  press("Enter");
  while (controllers().sql->busy()) frame();
  EXPECT_EQ(content(settings + "/queries/Slower.sql"),
            "-- slower\nSELECT name, a, b FROM compared WHERE name = 'step'");
  EXPECT_TRUE(panel().is_saved());
  panel().set_text("SELECT 1");
  EXPECT_EQ(run("sql-open Slower"), "");
  EXPECT_EQ(run("sql-run all"), "");
  const std::string table = (folder_.path() / "rows.csv").string();
  EXPECT_EQ(run("save-table " + table), "");
  EXPECT_EQ(content(table), "name,a,b\nstep,250000,500000\n");
}

TEST_F(SqlOfComparisonTest, OtherTabsHaveNoComparedNames) {
  EXPECT_EQ(run("tab 1"), "");
  EXPECT_NE(ask("SELECT * FROM compared").find("Only the tab of a comparison has it"),
            std::string::npos);
}

}  // namespace
}  // namespace cinderscope
