#include "app/session_file/session_file.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace cinderscope {
namespace {

SessionFile whole_session() {
  SessionFile session;
  session.title = "Slow frames";
  session.note = "see \"2\"\nand more";
  SessionTrace trace{.id = "t1", .path = "traces/a.json.gz", .ids = "traces/ids.properties"};
  trace.identity = {.size_bytes = 2775368, .head = "9f", .tail = "71"};
  trace.facts = TraceFacts{"google_json", 87469, -5, 1371533018000};
  trace.keep.from = 7;
  trace.keep.threads = {"1/2"};
  session.traces = {trace, {.id = "t2", .path = "/b\xff.json"}};
  session.queries = {{"Slow", "SELECT 1"}};
  SessionTab tab;
  tab.traces = {{.trace = "t1"}};
  tab.view.view = TimeRange{1, 1367939000000};
  tab.view.range = TimeRange{3, 4};
  tab.view.order = TrackOrder::activity;
  tab.view.group_pattern = "a|b";
  tab.view.hidden = {{.pid = "1", .tid = "2", .name = "main", .nth = 3}};
  tab.view.collapsed_processes = {{.pid = "1", .name = "Renderer"}};
  tab.view.bookmarks = {{.begin_ns = 1, .end_ns = 9, .time_ns = 5, .scroll_px = 2, .note = "n"}};
  tab.top = TrackName{.kind = TrackKind::counter, .pid = "1", .tid = "", .name = "mem"};
  tab.top_rows = 12.5;
  tab.selected = NamedSlice{.depth = 3, .name = "f", .begin_ns = 2, .duration_ns = 8};
  tab.filter = "main";
  tab.solo = tab.view.hidden;
  tab.search = "dur:>16ms";
  tab.search_scope = {.threads = tab.view.hidden, .slices = ""};
  tab.panel = "statistics";
  tab.panel_px = 420;
  tab.scope = {.range = TimeRange{3, 4}, .threads = tab.solo, .slices = "both", .connected = true};
  tab.whole_calls = true;
  tab.sort = "self";
  tab.flame_graph = {.way = "function", .weight = "calls", .function = "f", .zoomed = {"a", "b"}};
  tab.time_shown = "day";
  tab.sql = {.text = "SELECT 'ä'\nFROM slice", .query = "Slow", .shown = true, .tracks = {"Slow"}};
  SessionTab merged;
  merged.kind = TabKind::merged;
  merged.traces = {
      {.trace = "t1"}, {.trace = "t2", .offset = "-12"}, {.trace = "t2", .offset = "start"}};
  SessionTab comparison;
  comparison.kind = TabKind::comparison;
  comparison.comparison.a = {{.trace = "t1"}, {.trace = "t2", .left_out_runs = {0, 3}}};
  comparison.comparison.b = {{.trace = "t2", .scope = SavedScope{.range = TimeRange{1, 2}}},
                             {.trace = "t1", .left_out = true}};
  comparison.comparison.measure = "p99";
  comparison.comparison.scale = "per";
  comparison.comparison.per = "frame";
  comparison.comparison.names = "templates=always,numbers=rest";
  comparison.comparison.renames = {{"^old::", "new::"}};
  comparison.comparison.min = 1e6;
  comparison.comparison.line_up = "call";
  comparison.comparison.line_up_name = "f";
  comparison.comparison.line_up_k = 118;
  comparison.comparison.selected = "g";
  session.tabs = {tab, merged, comparison};
  session.active = 1;
  return session;
}

TEST(SessionFileTest, IsReadAsItWasWritten) {
  const std::string text = session_text(whole_session());
  EXPECT_TRUE(looks_like_session(text));
  const Result<SessionFile> again = session_from(text);
  ASSERT_TRUE(again);
  EXPECT_EQ(session_text(*again), text);  // saved twice: the same bytes
  EXPECT_EQ(again->left_out, 0u);
  EXPECT_EQ(again->active, 1u);
  ASSERT_EQ(again->tabs.size(), 3u);
  EXPECT_EQ(again->tabs[0].view.hidden, whole_session().tabs[0].view.hidden);
  EXPECT_EQ(again->tabs[0].selected, whole_session().tabs[0].selected);
  EXPECT_EQ(again->tabs[1].traces[1].offset, "-12");
  EXPECT_EQ(again->tabs[2].comparison.line_up_k, 118u);
  EXPECT_EQ(again->tabs[2].comparison.a[1].left_out_runs, (std::vector<std::size_t>{0, 3}));
  SessionFile fresh = *again;  // nothing of it comes from the old text
  fresh.original.reset();
  EXPECT_EQ(session_text(fresh), text);
}

TEST(SessionFileTest, TheShownRunOfASideGoesBefore) {
  const Result<SessionFile> session = session_from(
      R"({"cinderscope_session": 1, "tabs": [{"kind": "comparison", "shown_runs": [1, 9],
      "a": [{"trace": "x", "scope": {"range": [1, 2]}}, {"trace": "y"}], "b": [{"trace": "z"}]}]})");
  ASSERT_TRUE(session);
  const SavedComparison& of = session->tabs[0].comparison;
  ASSERT_EQ(of.a.size(), 2u);
  EXPECT_EQ(of.a[0].trace, "y");
  EXPECT_TRUE(of.a[0].scope);
  EXPECT_FALSE(of.a[1].scope);
  EXPECT_EQ(of.b[0].trace, "z");
}

TEST(SessionFileTest, ALineUpByHandKeepsBothTimes) {
  SessionFile session = whole_session();
  SavedComparison& of = session.tabs[2].comparison;
  of.line_up = "hand";
  of.line_up_a_ns = -5;
  of.line_up_b_ns = 9'000'000'000'000'000'000;
  const Result<SessionFile> again = session_from(session_text(session));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->tabs[2].comparison.line_up, "hand");
  EXPECT_EQ(again->tabs[2].comparison.line_up_a_ns, -5);
  EXPECT_EQ(again->tabs[2].comparison.line_up_b_ns, 9'000'000'000'000'000'000);
  EXPECT_EQ(again->left_out, 0u);
}

TEST(SessionFileTest, NamesThatAreNoUtf8AreKeptAsBytes) {
  SessionFile session;
  session.traces = {{.id = "t1", .path = "a\xff\xfe/b.json"}};
  const std::string text = session_text(session);
  EXPECT_NE(text.find("\"path_bytes\": \"Yf/+L2IuanNvbg==\""), std::string::npos) << text;
  const Result<SessionFile> again = session_from(text);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->traces.at(0).path, session.traces[0].path);
  // What is no base64 counts as missing.
  const Result<SessionFile> other = session_from(
      R"({"cinderscope_session": 1, "traces": [{"id": "t", "path": "a", "path_bytes": "?"}]})");
  ASSERT_TRUE(other);
  EXPECT_EQ(other->traces.at(0).path, "a");
}

TEST(SessionFileTest, PathsHoldNoZeroBytes) {
  const Result<SessionFile> session = session_from(
      R"({"cinderscope_session": 1, "traces": [{"id": "t", "path": "\u0000"},
      {"id": "u", "path": "a", "path_bytes": "YQBi"}, {"id": "v", "path": "b"}]})");
  ASSERT_TRUE(session);
  ASSERT_EQ(session->traces.size(), 1u);
  EXPECT_EQ(session->traces[0].id, "v");
}

TEST(SessionFileTest, TellsForWhichTracesALayoutIs) {
  const Result<SessionFile> session =
      session_from(R"({"cinderscope_session": 1, "for": {"format": "spall", "process": "/a/"}})");
  ASSERT_TRUE(session && session->applies_to);
  EXPECT_EQ(session->applies_to->format, "spall");
  EXPECT_EQ(session->applies_to->process, "/a/");
  EXPECT_NE(session_text(*session).find("\"for\""), std::string::npos);
}

TEST(SessionFileTest, IsLaidOutByLines) {
  const std::string text = session_text(whole_session());
  EXPECT_TRUE(
      text.starts_with("{\n  \"cinderscope_session\": 1,\n  \"written_by\": \"cinderscope "));
  EXPECT_NE(text.find("\n      \"keep\": {\"from\": 7, \"to\": null, \"threads\": [\"1/2\"]}\n"),
            std::string::npos);
  EXPECT_NE(
      text.find("\n        {\"time\": 5, \"view\": [1, 9], \"scroll\": 2, \"note\": \"n\"}\n"),
      std::string::npos);
  EXPECT_TRUE(text.ends_with("}\n"));
}

TEST(SessionFileTest, WhatIsNotKnownStaysWhereItWas) {
  std::string text = session_text(whole_session());
  const auto insert = [&text](std::string_view before, std::string_view what) {
    const std::size_t at = text.find(before);
    ASSERT_NE(at, std::string::npos) << before;
    text.insert(at, what);
  };
  insert("  \"title\"", "  \"future\": {\"a\": [1, 2.50, null]},\n");
  insert("      \"size\"", "      \"colour\": \"red\",\n");
  insert("        \"order\"", "        \"fancy\": true,\n");
  insert("\"note\": \"n\"", "\"author\": \"me\", ");
  insert("    {\n      \"kind\": \"merged\"",
         "    {\n      \"kind\": \"graph\",\n      \"x\": 1.10\n    },\n");
  text.insert(text.rfind("\n}"), ",\n  \"queries\": [{\"name\": \"q\", \"sql\": \"SELECT 1\"}]");
  Result<SessionFile> session = session_from(text);
  ASSERT_TRUE(session) << session.error().text;
  EXPECT_EQ(session->left_out, 1u);  // the tab
  EXPECT_EQ(session->tabs.size(), 3u);
  const std::string again = session_text(*session);
  for (const char* kept :
       {"\"future\": {\"a\": [1, 2.50, null]}", "\"colour\": \"red\"", "\"fancy\": true",
        "\"author\": \"me\"", "{\"kind\": \"graph\", \"x\": 1.10}", "SELECT 1"}) {
    EXPECT_NE(again.find(kept), std::string::npos) << kept << "\n" << again;
  }
  EXPECT_LT(again.find("\"graph\""), again.find("\"merged\""));
  EXPECT_LT(again.find("\"written_by\""), again.find("\"future\""));
  EXPECT_LT(again.find("\"future\""), again.find("\"title\""));
  EXPECT_EQ(session_text(*session_from(again)), again);
  // A change is all that differs.
  session->title = "Fast frames";
  std::string changed = session_text(*session);
  const std::size_t at = changed.find("Fast");
  changed.replace(at, 4, "Slow");
  EXPECT_EQ(changed, again);
}

TEST(SessionFileTest, WhatWasTakenBackStaysAway) {
  SessionFile before = whole_session();
  before.tabs[2].sql = {.text = "SELECT 1", .query = "", .shown = false, .tracks = {"q"}};
  before.tabs[2].comparison.line_up = "hand";
  std::string text = session_text(before);
  const std::size_t rule = text.find("\"templates\"");
  ASSERT_NE(rule, std::string::npos);
  text.insert(rule, "\"verbs\": \"always\", ");
  Result<SessionFile> session = session_from(text);
  ASSERT_TRUE(session);
  SessionTab& tab = session->tabs[2];
  tab.sql = {};
  SavedComparison& of = tab.comparison;
  of.names.clear();
  of.scale = "recorded";
  of.line_up = "starts";
  for (auto* side : {&of.a, &of.b}) {
    for (TabTrace& run : *side) {
      run.scope.reset();
      run.left_out = false;
      run.left_out_runs.clear();
    }
  }
  const Result<SessionFile> again = session_from(session_text(*session));
  ASSERT_TRUE(again);
  const SessionTab& now = again->tabs[2];
  EXPECT_EQ(now.sql, SavedSql());
  EXPECT_EQ(now.comparison.names, "verbs=always");  // which a newer version may know
  EXPECT_EQ(now.comparison.per, "");
  EXPECT_EQ(now.comparison.line_up_a_ns, 0);
  for (const auto* side : {&now.comparison.a, &now.comparison.b}) {
    for (const TabTrace& run : *side) {
      EXPECT_FALSE(run.scope);
      EXPECT_FALSE(run.left_out);
      EXPECT_TRUE(run.left_out_runs.empty());
    }
  }
}

TEST(SessionFileTest, ValuesThatAreNotKnownAreLeftOutAndKept) {
  std::string text = session_text(whole_session());
  const std::size_t at = text.find("\"how\": \"call\"");
  text.replace(at, 13, "\"how\": \"magic\"");
  const Result<SessionFile> session = session_from(text);
  ASSERT_TRUE(session);
  EXPECT_EQ(session->left_out, 1u);
  EXPECT_EQ(session->tabs[2].comparison.line_up, "starts");
  EXPECT_NE(session_text(*session).find("\"how\": \"magic\""), std::string::npos);
}

TEST(SessionFileTest, SaysWhereItIsNoJson) {
  const Result<SessionFile> session = session_from("{\n  \"cinderscope_session\": 1,\n  oops\n}");
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().text, "The session is not JSON from line 3, column 3 on.");
  EXPECT_FALSE(session_from("[]"));
  EXPECT_FALSE(session_from("{}"));
  EXPECT_TRUE(session_from("{\"cinderscope_session\": 9}"));
}

TEST(SessionFileTest, WrongTypesCountAsMissing) {
  const Result<SessionFile> session = session_from(
      R"({"cinderscope_session": "x", "title": 5, "traces": {"id": 1}, "tabs": [1, null, {"kind": "trace",
      "traces": 7, "view": [2, 1], "threads": [], "panel": "x", "scroll": [[1], "y"], "selected": {"track": 5},
      "bookmarks": {}, "statistics": [], "flame_graph": 1}], "active": -7})");
  ASSERT_TRUE(session);
  EXPECT_EQ(session->title, "");
  ASSERT_EQ(session->tabs.size(), 1u);
  EXPECT_FALSE(session->tabs[0].view.view);
}

TEST(SessionFileTest, IsBounded) {
  std::string tabs = "{\"cinderscope_session\":1,\"tabs\":[";
  for (int i = 0; i < 100'000; ++i) tabs += "{\"kind\":\"trace\"},";
  tabs += "{}]}";
  const Result<SessionFile> session = session_from(tabs);
  ASSERT_TRUE(session);
  EXPECT_EQ(session->tabs.size(), kMostOfAList);
  std::string deep = "{\"cinderscope_session\":1,\"x\":";
  deep += std::string(100'000, '[');
  EXPECT_FALSE(session_from(deep));
  std::string many = "{\"cinderscope_session\":1,\"x\":[0";
  for (int i = 0; i < 2'500'000; ++i) many += ",0";
  const Result<SessionFile> too_many = session_from(many + "]}");
  ASSERT_FALSE(too_many);
  EXPECT_NE(too_many.error().text.find("too many values"), std::string::npos);
}

// 200 damaged files: cut, changed, huge numbers, wrong types.
TEST(SessionFileTest, SurvivesAnyDamage) {
  const std::string whole = session_text(whole_session());
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    std::string text = whole;
    if (i % 4 == 0) text.resize(random() % text.size());
    for (int change = 0; change < 1 + i % 7 && !text.empty(); ++change) {
      const std::size_t at = random() % text.size();
      if (i % 3 == 0) {
        text.insert(at, i % 2 == 0 ? "99999999999999999999999" : "[[[[{\"a\":");
      } else {
        text[at] = "{}[],:\"019-etn\\\xff"[random() % 16];
      }
    }
    const Result<SessionFile> session = session_from(text);
    if (session) {
      const std::string again = session_text(*session);
      EXPECT_TRUE(session_from(again)) << again;
    } else {
      EXPECT_FALSE(session.error().text.empty());
    }
  }
}

}  // namespace
}  // namespace cinderscope
