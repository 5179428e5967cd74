#include "app/window/sessions/sessions.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/window/comparison/compare_page.h"
#include "app/window/panels/statistics_panel.h"
#include "app/window/places/shows.h"
#include "app/window/sessions/missing.h"
#include "ingest/base/json_value.h"
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
