#include "app/window/sessions/sessions.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/compare/side_file.h"
#include "app/compare/side_loader.h"
#include "app/desktop/single_instance.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/panels.h"
#include "app/window/panels/flame_graph_panel.h"
#include "app/window/panels/statistics_panel.h"
#include "app/window/places/shows.h"
#include "app/window/sessions/missing.h"
#include "app/window/sql/sql_controller.h"
#include "app/window/sql/sql_panel.h"
#include "ingest/base/json/json_value.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class SessionsTest : public UnseenWindow {
 protected:
  std::string at(const char* name) const { return (folder_.path() / name).string(); }
  std::string text_of(const char* name) const {
    std::ifstream file(at(name));
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  // As another start of the program.
  void start_again() {
    UnseenWindow::TearDown();
    UnseenWindow::SetUp();
  }
  void open_session(const char* name) {
    controllers().tabs->open(at(name));
    settle();
  }
  std::string session_facts() { return controllers().sessions->state_json(); }
  // A tab with something of everything.
  void make_work() {
    open_two_threads();
    ASSERT_TRUE(find("job"));
    run("pin worker");
    run("hide main");
    run("search step");
    run("bookmark here");
    run("select-range 100us 300us");
    run("sort-statistics count");
    run("filter-statistics st");
    run("flame-graph callers");
    run("panel statistics");
  }
};

TEST_F(SessionsTest, ASessionWithoutTabsShowsItsTraces) {
  folder_.write("a.json", kTwoThreads);
  folder_.write("night.cinder",
                R"({"cinderscope_session": 1, "traces": [{"id": "t1", "path": "a.json"}]})");
  open_session("night.cinder");
  EXPECT_EQ(tab().session->title(), "a.json");
  run("save-session");
  EXPECT_NE(text_of("night.cinder").find("a.json"), std::string::npos);
}

TEST_F(SessionsTest, PathsOfTracesThatAreMissingKeepTheirMeaningElsewhere) {
  std::filesystem::create_directories(at("one"));
  std::filesystem::create_directories(at("two"));
  folder_.write("one/night.cinder",
                R"({"cinderscope_session": 1, "traces": [{"id": "t1", "path": "gone.json"}],
                    "tabs": [{"kind": "trace", "traces": [{"trace": "t1"}]}]})");
  open_session("one/night.cinder");
  EXPECT_EQ(run("save-session " + at("two/night.cinder")), "");
  EXPECT_NE(text_of("two/night.cinder").find("one/gone.json"), std::string::npos);
}

TEST_F(SessionsTest, APartOfAComparisonIsAChange) {
  open("a.json", kTwoThreads);
  open("b.json", kTwoThreads);
  run("compare");
  settle();
  run("save-session " + at("night.cinder"));
  EXPECT_EQ(controllers().sessions->label(), "night");
  run("select-range 100us 300us");
  ASSERT_EQ(run("compare-part range"), "");
  EXPECT_EQ(controllers().sessions->label(), "night ·");
}

TEST_F(SessionsTest, AComparisonKeepsItsQueryAndItsTracks) {
  const UserFolders folders{.config = at("config"), .state = at("state")};
  controllers().sql->keep(folders);
  open("a.json", kTwoThreads);
  open("b.json", kTwoThreads);
  run("compare");
  run("sql SELECT trace_id, ts, dur FROM slice WHERE name = 'step'");
  run("sql-run all");
  EXPECT_EQ(run("sql-track Steps"), "");
  const std::size_t tracks = tab().session->timeline().tracks.size();
  EXPECT_EQ(run("save-session " + at("night.cinder")), "");
  EXPECT_EQ(controllers().sessions->label(), "night");
  start_again();
  controllers().sql->keep(folders);
  open_session("night.cinder");
  const ComparePage* page = controllers().compare->shown();
  ASSERT_NE(page, nullptr);
  const SqlPanel& sql = shell_->tabs().page()->panel<SqlPanel>();
  EXPECT_EQ(sql.text(), "SELECT trace_id, ts, dur FROM slice WHERE name = 'step'");
  // It was run on this machine before.
  EXPECT_EQ(page->session(side_a).timeline().tracks.size(), tracks);
  EXPECT_EQ(page->session(side_b).timeline().tracks.size(), tracks);
  EXPECT_EQ(controllers().sessions->label(), "night");
  run("sql SELECT 1");
  EXPECT_EQ(controllers().sessions->label(), "night ·");
}

TEST_F(SessionsTest, ASavedFileIsNeverATraceThatIsOpen) {
  open_two_threads();
  const std::string before = text_of("two.json");
  EXPECT_NE(run("save-session-as " + at("two.json") + " force").find("is what is read"),
            std::string::npos);
  EXPECT_EQ(text_of("two.json"), before);
}

TEST_F(SessionsTest, WhatIsShownIsThereAgain) {
  make_work();
  const Viewport view = state().view;
  EXPECT_EQ(run("save-session " + at("night.cinder")), "");
  EXPECT_EQ(controllers().sessions->label(), "night");
  start_again();
  open_session("night.cinder");
  ASSERT_EQ(shell_->tabs().all.size(), 1u);
  EXPECT_NEAR(static_cast<double>(state().view.begin_ns), static_cast<double>(view.begin_ns), 2);
  EXPECT_NEAR(static_cast<double>(state().view.end_ns()), static_cast<double>(view.end_ns()), 2);
  EXPECT_EQ(selected_name(), "job");
  EXPECT_EQ(state().pinned_tracks.size(), 1u);
  EXPECT_EQ(state().hidden_tracks.size(), 1u);
  ASSERT_EQ(state().bookmarks.size(), 1u);
  EXPECT_EQ(state().bookmarks[0].note, "here");
  EXPECT_EQ(state().range, (TimeRange{100'000, 300'000}));
  EXPECT_EQ(tab().search.text(), "step");
  EXPECT_EQ(tab().panel<StatisticsPanel>().order().filter, "st");
  EXPECT_NE(session_facts().find("\"unsaved\":false"), std::string::npos) << session_facts();
}

TEST_F(SessionsTest, SavedTwiceItHasTheSameBytes) {
  make_work();
  run("save-session " + at("night.cinder"));
  const std::string first = text_of("night.cinder");
  EXPECT_FALSE(first.empty());
  run("save-session");
  EXPECT_EQ(text_of("night.cinder"), first);
  start_again();
  open_session("night.cinder");
  run("save-session");
  EXPECT_EQ(text_of("night.cinder"), first);
}

TEST_F(SessionsTest, ASessionIsToldByItsContent) {
  open_two_threads();
  run("save-session " + at("night.txt"));
  start_again();
  open_session("night.txt");
  ASSERT_EQ(shell_->tabs().all.size(), 1u);
  EXPECT_EQ(tab().session->title(), "two.json");
}

TEST_F(SessionsTest, SeveralTracesAMergedTimelineAndAComparison) {
  open("b.json", kTwoThreads);
  open("two.json", kTwoThreads);
  EXPECT_EQ(run("compare"), "");
  run("compare-measure total");
  run("compare-rule numbers=always");
  ASSERT_EQ(shell_->tabs().all.size(), 3u);
  open("c.json", kTwoThreads);
  EXPECT_EQ(run("merge " + at("two.json") + " +12ms"), "");
  EXPECT_EQ(run("save-session " + at("night.cinder")), "");
  const std::string saved = text_of("night.cinder");
  start_again();
  open_session("night.cinder");
  ASSERT_EQ(shell_->tabs().all.size(), 4u);
  EXPECT_EQ(shell_->tabs().shown_index, 3u);
  ASSERT_EQ(tab().merged_files.size(), 2u);
  EXPECT_EQ(tab().merged_files[1].offset.ns, 12'000'000);
  run("tab 3");
  const ComparePage* page = controllers().compare->shown();
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(page->answers.options().measure, Measure::total);
  EXPECT_EQ(page->answers.rules().of(NameRule::numbers), RuleState::always);
  run("tab 4");
  run("save-session");
  EXPECT_EQ(text_of("night.cinder"), saved);
}

TEST_F(SessionsTest, SingleRunsOfASavedSideStayLeftOut) {
  open("b.json", kTwoThreads);
  open("two.json", kTwoThreads);
  SideLoader loader({});
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(loader.add(side_a, at("b.json"), {}));
  folder_.write("base.json", saved_side(loader.runs()[side_a]));
  EXPECT_EQ(run("compare " + at("b.json") + " " + at("two.json")), "");
  EXPECT_EQ(run("add-runs a " + at("base.json")), "");
  EXPECT_EQ(run("use-run a 3"), "");
  EXPECT_EQ(controllers().compare->shown()->answers.sides()->run_count(side_a), 3u);
  EXPECT_EQ(run("save-session " + at("night.cinder")), "");
  const std::string saved = text_of("night.cinder");
  start_again();
  open_session("night.cinder");
  ASSERT_NE(controllers().compare->shown(), nullptr);
  const CompareAnswers& answers = controllers().compare->shown()->answers;
  ASSERT_EQ(answers.sources()[side_a].runs.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(answers.sources()[side_a].runs[i].left_out, i == 2);
  }
  EXPECT_EQ(answers.sides()->run_count(side_a), 3u);
  run("save-session");
  EXPECT_EQ(text_of("night.cinder"), saved);
}

TEST_F(SessionsTest, ChangesAreToldAndViewsAreNone) {
  open_two_threads();
  run("save-session " + at("night.cinder"));
  ASSERT_TRUE(find("job"));
  run("panel search");
  EXPECT_EQ(controllers().sessions->label(), "night");
  EXPECT_FALSE(controllers().sessions->asks_before_end());
  run("bookmark here");
  EXPECT_EQ(controllers().sessions->label(), "night ·");
  EXPECT_EQ(run("quit"), "");
  EXPECT_FALSE(shell_->quitting());
  EXPECT_EQ(run("answer-session cancel"), "");
  EXPECT_EQ(run("quit"), "");
  EXPECT_FALSE(shell_->quitting());
  EXPECT_EQ(run("answer-session save"), "");
  EXPECT_TRUE(shell_->quitting());
  EXPECT_NE(text_of("night.cinder").find("\"note\": \"here\""), std::string::npos);
}

TEST_F(SessionsTest, ASessionThatWasNeverSavedAsksNothing) {
  open_two_threads();
  run("bookmark here");
  run("session-note Slow frames: see bookmark");
  EXPECT_EQ(run("quit"), "");
  EXPECT_TRUE(shell_->quitting());
}

TEST_F(SessionsTest, TitleAndNoteAreShownUntilTheyAreClickedAway) {
  open_two_threads();
  run("session-note Slow frames: compare the third");
  run("save-session " + at("night.cinder"));
  start_again();
  open_session("night.cinder");
  ASSERT_EQ(controllers().sessions->notices().size(), 1u);
  EXPECT_EQ(controllers().sessions->notices()[0], "Slow frames: compare the third");
  run("answer-session dismiss");
  EXPECT_TRUE(controllers().sessions->notices().empty());
}

TEST_F(SessionsTest, AsksWhereAMissingTraceIsAndFindsTheOthersNearIt) {
  folder_.write("b.json", std::string(kTwoThreads) + "\n");
  open_two_threads();
  controllers().tabs->open(at("b.json"));
  settle();
  run("bookmark of b");
  run("save-session " + at("night.cinder"));
  std::filesystem::create_directory(at("else"));
  for (const char* name : {"two.json", "b.json"}) {
    std::filesystem::rename(at(name), at("else") + "/" + name);
  }
  start_again();
  open_session("night.cinder");
  ASSERT_EQ(shell_->tabs().all.size(), 2u);
  ASSERT_NE(tab().missing, nullptr);
  EXPECT_EQ(missing_title(*tab().missing), "Where is b.json?");
  EXPECT_NE(session_facts().find("\"missing\":[\"two.json\",\"b.json\"]"), std::string::npos)
      << session_facts();
  EXPECT_EQ(run("locate-trace " + at("else") + "/b.json"), "");
  EXPECT_EQ(tab().missing, nullptr);
  ASSERT_EQ(state().bookmarks.size(), 1u);
  run("tab 1");
  EXPECT_EQ(tab().missing, nullptr);
  EXPECT_NE(session_facts().find("\"missing\":[]"), std::string::npos) << session_facts();
}

TEST_F(SessionsTest, AnotherRecordingIsTakenOnlyWhenSaid) {
  open_two_threads();
  run("save-session " + at("night.cinder"));
  folder_.write("two.json", R"([{"ph":"X","pid":1,"tid":1,"ts":5,"dur":3,"name":"x"}])");
  start_again();
  open_session("night.cinder");
  ASSERT_NE(tab().missing, nullptr);
  EXPECT_NE(missing_title(*tab().missing).find("is another recording"), std::string::npos);
  EXPECT_EQ(run("use-trace"), "");
  EXPECT_EQ(tab().missing, nullptr);
  EXPECT_EQ(timeline().slice_count, 1u);
}

TEST_F(SessionsTest, LeavesAMissingTraceOut) {
  open_two_threads();
  run("save-session " + at("night.cinder"));
  std::filesystem::remove(at("two.json"));
  start_again();
  open_session("night.cinder");
  EXPECT_EQ(run("leave-out-trace"), "");
  EXPECT_TRUE(shell_->tabs().all.empty());
}

TEST_F(SessionsTest, WhatSomebodyElseSavedIsNotOverwritten) {
  open_two_threads();
  run("save-session " + at("night.cinder"));
  std::string theirs = text_of("night.cinder");
  theirs.insert(theirs.find("\"title\": \"\"") + 10, "theirs");
  folder_.write("night.cinder", theirs);
  run("bookmark here");
  run("save-session");
  EXPECT_EQ(text_of("night.cinder"), theirs);
  ASSERT_FALSE(controllers().sessions->notices().empty());
  EXPECT_EQ(controllers().sessions->notices()[0],
            "night.cinder was changed meanwhile by somebody else.");
  run("answer-session replace");
  EXPECT_NE(text_of("night.cinder").find("here"), std::string::npos);
}

TEST_F(SessionsTest, WhatANewerVersionWroteStays) {
  open_two_threads();
  run("save-session " + at("night.cinder"));
  std::string text = text_of("night.cinder");
  text.insert(text.find("  \"title\""), "  \"future\": [1.50],\n");
  text.insert(text.find("      \"view\""), "      \"mood\": \"good\",\n");
  text.insert(text.rfind("\n  ],"), ",\n    {\n      \"kind\": \"graph\"\n    }");
  folder_.write("night.cinder", text);
  start_again();
  open_session("night.cinder");
  ASSERT_FALSE(controllers().sessions->notices().empty());
  EXPECT_EQ(controllers().sessions->notices()[0],
            "1 thing in night.cinder is from a newer version and was left out.");
  run("bookmark here");
  EXPECT_EQ(run("save-session"), "");
  const std::string again = text_of("night.cinder");
  for (const char* kept : {"\"future\": [1.50]", "\"mood\": \"good\"", "\"graph\"", "here"}) {
    EXPECT_NE(again.find(kept), std::string::npos) << kept << again;
  }
}

// Unknown members on every level: what was changed is all that a diff shows.
TEST_F(SessionsTest, ADiffShowsOnlyTheChange) {
  open_two_threads();
  run("pin worker");
  run("bookmark first");
  run("save-session " + at("night.cinder"));
  std::string text = text_of("night.cinder");
  const auto insert = [&text](std::string_view before, std::string_view what) {
    ASSERT_NE(text.find(before), std::string::npos) << before << text;
    text.insert(text.find(before), what);
  };
  insert("\"title\"", "\"future\": {\"a\": [1.50]}, ");
  insert("\"head\"", "\"colour\": null, ");
  insert("\"slices\"", "\"x\": 1e3, ");
  insert("\"view\"", "\"mood\": \"good\", ");
  insert("\"order\"", "\"y\": [[[]]], ");
  insert("\"shown\"", "\"z\": {}, ");
  insert("\"note\": \"first\"", "\"colour\": \"red\", ");
  folder_.write("night.cinder", text);
  start_again();
  open_session("night.cinder");
  EXPECT_EQ(run("save-session"), "");
  const std::string before = text_of("night.cinder");  // laid out by lines
  for (const char* kept :
       {"\"future\": {\"a\": [1.50]}", "\"colour\": null", "\"x\": 1e3", "\"mood\": \"good\"",
        "\"y\": [[[]]]", "\"z\": {}", "\"colour\": \"red\""}) {
    EXPECT_NE(before.find(kept), std::string::npos) << kept << before;
  }
  run("session-note Slow: frames");
  EXPECT_EQ(run("save-session"), "");
  std::string changed = text_of("night.cinder");
  const auto put_back = [&changed](std::string_view now, std::string_view then) {
    ASSERT_NE(changed.find(now), std::string::npos) << changed;
    changed.replace(changed.find(now), now.size(), then);
  };
  put_back("\"title\": \"Slow\"", "\"title\": \"\"");
  put_back("\"note\": \"frames\"", "\"note\": \"\"");
  EXPECT_EQ(changed, before);
}

TEST_F(SessionsTest, RefusesToReplaceAFileThatIsNoneOfItsOwn) {
  open_two_threads();
  folder_.write("other.cinder", "x");
  EXPECT_NE(run("save-session-as " + at("other.cinder")).find("is there already"),
            std::string::npos);
  EXPECT_EQ(text_of("other.cinder"), "x");
  EXPECT_EQ(run("save-session-as " + at("other.cinder") + " force"), "");
  EXPECT_NE(text_of("other.cinder"), "x");
}

TEST_F(SessionsTest, ADamagedSessionIsAPageThatSaysWhere) {
  folder_.write("bad.cinder", "{\"cinderscope_session\": 1,\n \"tabs\": [}");
  open_session("bad.cinder");
  ASSERT_EQ(shell_->tabs().all.size(), 1u);
  EXPECT_EQ(tab().session->error().text, "The session is not JSON from line 2, column 11 on.");
}

TEST_F(SessionsTest, AnotherRecordingInPlaceKeepsWhatIsShown) {
  make_work();
  std::string renumbered(kTwoThreads);  // other ids, so that names alone tell
  for (std::size_t at = renumbered.find("\"pid\":1"); at != std::string::npos;
       at = renumbered.find("\"pid\":1")) {
    renumbered.replace(at, 7, "\"pid\":9");
  }
  const std::string next = folder_.write("next.json", renumbered).string();
  EXPECT_EQ(run("replace-trace " + next), "");
  EXPECT_EQ(tab().session->path(), next);
  EXPECT_EQ(state().pinned_tracks.size(), 1u);
  EXPECT_EQ(state().hidden_tracks.size(), 1u);
  EXPECT_EQ(tab().search.text(), "step");
  EXPECT_TRUE(state().bookmarks.empty());
}

TEST_F(SessionsTest, WhatIsSearchedAndZoomedIsThereAgain) {
  open_two_threads();
  ASSERT_TRUE(find("job"));
  run("search step");
  EXPECT_EQ(run("search-scope thread"), "");
  run("panel flame-graph");
  tab().panel<FlameGraphPanel>().zoom_to({"work", "step"});
  settle();
  EXPECT_EQ(tab().panel<FlameGraphPanel>().zoom_names(),
            (std::vector<std::string>{"work", "step"}));
  controllers().panels->restore_height(333);
  run("save-session " + at("night.cinder"));
  const std::string saved = text_of("night.cinder");
  start_again();
  open_session("night.cinder");
  EXPECT_EQ(tab().search.scope(), ScopeChoice::thread);
  EXPECT_EQ(tab().search.scope_tracks().size(), 1u);
  EXPECT_EQ(tab().panel<FlameGraphPanel>().zoom_names(),
            (std::vector<std::string>{"work", "step"}));
  EXPECT_EQ(controllers().panels->session_height_px(), 333.0F);
  EXPECT_FALSE(controllers().panels->dragged_height_px());
  run("save-session");
  EXPECT_EQ(text_of("night.cinder"), saved);
}

TEST_F(SessionsTest, ALineUpByHandIsThereAgain) {
  open("b.json", kTwoThreads);
  open("two.json", kTwoThreads);
  run("compare");
  controllers().compare->shown()->line_up_hand(100'000, 350'000);
  settle();
  run("save-session " + at("night.cinder"));
  start_again();
  open_session("night.cinder");
  const ComparePage* page = controllers().compare->shown();
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(page->line_up().how, LineUpHow::hand);
  EXPECT_EQ(page->line_up().shift_ns(), 250'000);
}

// Few are read one after the other behind the one that is shown; of many those that are shown.
TEST_F(SessionsTest, TracesAreReadWhenTheyAreShown) {
  std::string tabs, traces;
  for (int i = 0; i < 40; ++i) {
    folder_.write(std::to_string(i) + ".json", kTwoThreads);
    traces += (i == 0 ? "" : ",") + ("{\"id\":\"" + std::to_string(i) + "\",\"path\":\"") +
              std::to_string(i) + ".json\"}";
    tabs += (i == 0 ? "" : ",") +
            ("{\"kind\":\"trace\",\"traces\":[{\"trace\":\"" + std::to_string(i) + "\"}]}");
  }
  folder_.write("many.cinder", "{\"cinderscope_session\":1,\"traces\":[" + traces + "],\"tabs\":[" +
                                   tabs + "],\"active\":30}");
  open_session("many.cinder");
  ASSERT_EQ(shell_->tabs().all.size(), 40u);
  EXPECT_EQ(shell_->tabs().shown_index, 30u);
  EXPECT_TRUE(tab().session->has_trace());
  const auto held = [&] {
    return std::ranges::count_if(shell_->tabs().all,
                                 [](const auto& each) { return each->session->held(); });
  };
  EXPECT_EQ(held(), 24);
  run("tab 40");
  EXPECT_TRUE(tab().session->has_trace());
  EXPECT_EQ(held(), 23);
  // What was not read is saved as it was, and is no change.
  EXPECT_NE(session_facts().find("\"unsaved\":false"), std::string::npos) << session_facts();
  run("save-session");
  run("tab 20");
  EXPECT_NE(session_facts().find("\"unsaved\":false"), std::string::npos) << session_facts();
  run("bookmark here");
  EXPECT_NE(session_facts().find("\"unsaved\":true"), std::string::npos) << session_facts();
  // Without the session they are read, too.
  run("close-session");
  run("tab 25");
  EXPECT_TRUE(tab().session->has_trace());
}

TEST_F(SessionsTest, ANewerSessionIsReplacedOnceThatWasAgreed) {
  open_two_threads();
  run("save-session " + at("night.cinder"));
  std::string text = text_of("night.cinder");
  text.replace(text.find("session\": 1"), 11, "session\": 9");
  folder_.write("night.cinder", text);
  start_again();
  open_session("night.cinder");
  run("bookmark here");
  EXPECT_EQ(run("save-session"), "");
  EXPECT_EQ(text_of("night.cinder"), text);
  ASSERT_FALSE(controllers().sessions->notices().empty());
  EXPECT_NE(controllers().sessions->notices()[0].find("newer version"), std::string::npos);
  EXPECT_EQ(run("answer-session replace-newer"), "");
  EXPECT_NE(text_of("night.cinder").find("here"), std::string::npos);
  run("bookmark more");
  EXPECT_EQ(run("save-session"), "");
  EXPECT_EQ(session_facts().find("\"unsaved\":true"), std::string::npos);
}

TEST_F(SessionsTest, ASecondWindowOfASessionReadsOnly) {
  open_two_threads();
  run("save-session " + at("night.cinder"));
  start_again();
  const std::string runtime = folder_.path().string() + "/run";
  std::filesystem::create_directory(runtime);
  std::filesystem::permissions(runtime, std::filesystem::perms::owner_all);
  setenv("XDG_RUNTIME_DIR", runtime.c_str(), 1);
  SingleInstanceListener other(hand_over_folder(), "elsewhere", [] {});
  other.hold_session(at("night.cinder"));
  open_session("night.cinder");
  const std::vector<std::string> notices = controllers().sessions->notices();
  ASSERT_FALSE(notices.empty());
  EXPECT_EQ(notices[0], "night.cinder is open in another window; here it is read only.");
  EXPECT_NE(run("save-session " + at("night.cinder")).find("open in another window"),
            std::string::npos);
  EXPECT_EQ(run("save-session-as " + at("mine.cinder")), "");
  EXPECT_EQ(controllers().sessions->label(), "mine");
  EXPECT_TRUE(controllers().sessions->notices().empty());
  run("bookmark here");
  EXPECT_EQ(run("save-session"), "");
  unsetenv("XDG_RUNTIME_DIR");
}

TEST_F(SessionsTest, PathsAreAbsoluteWhereAsked) {
  open_two_threads();
  EXPECT_EQ(run("absolute-paths on"), "");
  run("save-session " + at("night.cinder"));
  EXPECT_NE(text_of("night.cinder").find("\"path\": \"" + at("two.json")), std::string::npos);
  start_again();
  open_session("night.cinder");
  run("save-session");  // it stays so
  EXPECT_NE(text_of("night.cinder").find("\"path\": \"" + at("two.json")), std::string::npos);
  EXPECT_EQ(run("absolute-paths off"), "");
  run("save-session");
  EXPECT_NE(text_of("night.cinder").find("\"path\": \"two.json\""), std::string::npos);
}

TEST_F(SessionsTest, FoldersOfTheSettingsAreLookedThrough) {
  open_two_threads();
  run("save-session " + at("night.cinder"));
  std::filesystem::create_directories(at("store") + "/1");
  std::filesystem::rename(at("two.json"), at("store") + "/1/two.json");
  start_again();
  EXPECT_EQ(run("trace-folder " + at("store")), "");
  open_session("night.cinder");
  EXPECT_EQ(tab().missing, nullptr);
  EXPECT_EQ(tab().session->path(), at("store") + "/1/two.json");
  run("trace-folder " + at("store"));
  EXPECT_TRUE(shell_->settings().trace_folders.empty());
}

TEST_F(SessionsTest, AGrownTraceIsUsed) {
  open_two_threads();
  run("save-session " + at("night.cinder"));
  folder_.write("two.json", std::string(kTwoThreads) + "\n\n");
  start_again();
  open_session("night.cinder");
  EXPECT_EQ(tab().missing, nullptr);
  EXPECT_EQ(shell_->message(), "The trace has grown since the session was saved.");
}

TEST_F(SessionsTest, TracesThatNoTabShowsAreLeftOut) {
  open("b.json", kTwoThreads);
  open_two_threads();
  run("save-session " + at("night.cinder"));
  run("close");
  run("save-session");
  EXPECT_EQ(text_of("night.cinder").find("two.json"), std::string::npos);
  EXPECT_NE(text_of("night.cinder").find("b.json"), std::string::npos);
}

TEST_F(SessionsTest, PlacesInItsNoteAreLinks) {
  open_two_threads();
  run("session-note Slow: see cinderscope:two.json?slice=thread/1/2/1@200000&name=job twice");
  ASSERT_EQ(controllers().sessions->notices().size(), 1u);
  EXPECT_EQ(controllers().sessions->notices()[0], "Slow: see job twice");
}

// Nothing happens but a sentence.
TEST_F(SessionsTest, AHostileSessionDoesNoHarm) {
  std::string tabs;
  for (int i = 0; i < 200'000; ++i)
    tabs += "{\"kind\":\"trace\",\"traces\":[{\"trace\":\"none\"}]},";
  folder_.write("many.cinder",
                "{\"cinderscope_session\":1,\"traces\":[],\"tabs\":[" + tabs + "0]}");
  open_session("many.cinder");
  EXPECT_TRUE(shell_->tabs().all.empty());
  start_again();
  folder_.write("devices.cinder", R"({"cinderscope_session": 1, "traces": [
    {"id": "a", "path": "/dev/zero"}, {"id": "b", "path": "../../../../../../dev/stdin"},
    {"id": "c", "path": "\u0000"}], "tabs": [
    {"kind": "trace", "traces": [{"trace": "a"}]}, {"kind": "trace", "traces": [{"trace": "b"}]},
    {"kind": "merged", "traces": [{"trace": "a"}, {"trace": "c"}]},
    {"kind": "comparison", "a": [{"trace": "a"}], "b": [{"trace": "b"}],
     "renames": [["(((((", "x"]], "measure": "harm"},
    {"kind": "trace", "traces": [{"trace": "c"}], "search": {"text": "/(a+)+$/"},
     "sql": {"text": "ATTACH 'x' AS y", "shown": true}}]})");
  open_session("devices.cinder");
  for (const auto& each : shell_->tabs().all) EXPECT_FALSE(each->session->has_trace());
  EXPECT_FALSE(std::filesystem::exists("x"));
}

TEST_F(SessionsTest, ForgettingASessionKeepsTheTabs) {
  open_two_threads();
  EXPECT_EQ(run("close-session"), "No session is open.");
  run("save-session " + at("night.cinder"));
  EXPECT_EQ(run("close-session"), "");
  EXPECT_EQ(shell_->tabs().all.size(), 1u);
  EXPECT_EQ(session_facts(), "null");
}

}  // namespace
}  // namespace cinderscope
