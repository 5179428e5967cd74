#include "app/pack/cut_session.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

SessionTab tab_of(std::string trace, TypedRange view) {
  SessionTab tab;
  tab.traces.push_back({.trace = std::move(trace)});
  tab.view.view = TimeRange{view.begin_ns, view.end_ns};
  return tab;
}

SessionFile session_of(std::vector<SessionTab> tabs) {
  SessionFile session;
  session.traces = {{.id = "t1", .path = "a"}, {.id = "t2", .path = "b"}};
  session.tabs = std::move(tabs);
  return session;
}

TEST(CutSession, WhatLiesOutsideIsLeftOutAndCounted) {
  SessionTab tab = tab_of("t1", {0, 50});
  tab.view.range = TimeRange{90, 150};
  tab.view.bookmarks = {{.time_ns = 99}, {.time_ns = 100}, {.time_ns = 200}, {.time_ns = 201}};
  tab.selected = NamedSlice{.track = {}, .depth = 1, .name = "f", .begin_ns = 10, .duration_ns = 5};
  SessionFile session = session_of({tab});
  const LeftOut left_out = cut_session(session, {{"t1", {100, 200}}});
  EXPECT_EQ(left_out.sentence(),
            "Left out, as outside of the part: 1 view, 2 bookmarks, 1 selection.");
  const SessionTab& cut = session.tabs[0];
  EXPECT_FALSE(cut.view.view);
  EXPECT_EQ(cut.view.range, (TimeRange{100, 150}));
  EXPECT_EQ(cut.view.bookmarks.size(), 2u);
  EXPECT_FALSE(cut.selected);
}

TEST(CutSession, ACallAtTheEdgeIsSelectedAsThePartHasIt) {
  SessionTab tab = tab_of("t1", {100, 200});
  tab.selected =
      NamedSlice{.track = {}, .depth = 1, .name = "f", .begin_ns = 50, .duration_ns = 100};
  SessionFile session = session_of({tab});
  EXPECT_EQ(cut_session(session, {{"t1", {100, 200}}}).sentence(), "");
  EXPECT_EQ(session.tabs[0].selected->begin_ns, 100);
  EXPECT_EQ(session.tabs[0].selected->duration_ns, 50);
}

TEST(CutSession, OffsetsOfMergedFilesCount) {
  SessionTab tab = tab_of("t1", {1000, 1100});
  tab.kind = TabKind::merged;
  tab.traces = {{.trace = "t1", .offset = "900"}, {.trace = "t2", .offset = "same"}};
  SessionFile session = session_of({tab});
  const auto first = shown_range(session, "t1", false), second = shown_range(session, "t2", false);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->begin_ns, 100);
  EXPECT_EQ(second->begin_ns, 1000);
  EXPECT_EQ(cut_session(session, {{"t1", *first}, {"t2", *second}}).sentence(), "");
  EXPECT_TRUE(session.tabs[0].view.view);
}

TEST(CutSession, ViewsOfSeveralTabsAreTakenTogether) {
  const SessionFile session = session_of({tab_of("t1", {10, 20}), tab_of("t1", {40, 50})});
  EXPECT_EQ(shown_range(session, "t1", false)->begin_ns, 10);
  EXPECT_EQ(shown_range(session, "t1", false)->end_ns, 50);
  EXPECT_FALSE(shown_range(session, "t1", true));
  EXPECT_FALSE(shown_range(session, "t2", false));
}

TEST(CutSession, ATabWithoutItsTraceIsGone) {
  SessionTab compared = tab_of("t1", {0, 1});
  compared.kind = TabKind::comparison;
  compared.traces.clear();
  compared.comparison.a = {{.trace = "t1"}};
  compared.comparison.b = {{.trace = "t2"}};
  SessionFile session = session_of({tab_of("t1", {0, 1}), compared, tab_of("t2", {0, 1})});
  session.active = 2;
  session.traces[0].path.clear();
  drop_traces_without_path(session);
  ASSERT_EQ(session.tabs.size(), 1u);
  EXPECT_EQ(session.tabs[0].traces[0].trace, "t2");
  EXPECT_EQ(session.active, 0u);
  EXPECT_EQ(session.traces.size(), 1u);
}

TEST(CutSession, AnonymousItHasTimesOnly) {
  SessionTab tab = tab_of("t1", {0, 50});
  tab.search = tab.filter = tab.statistics_filter = tab.flame_graph.function = "secret";
  tab.view.bookmarks = {{.time_ns = 5, .note = "secret"}};
  tab.view.pinned = {{.name = "secret"}};
  tab.solo = tab.view.pinned;
  tab.selected = NamedSlice{.track = {}, .depth = 1, .name = "secret"};
  tab.scope.threads = tab.view.pinned;
  tab.comparison.selected = "secret";
  tab.comparison.renames = {{"secret", "secret"}};
  tab.sql = {.text = "secret", .query = "secret", .tracks = {"secret"}};
  SessionTab comparison = tab;
  comparison.kind = TabKind::comparison;
  SessionFile session = session_of({tab, comparison});
  session.queries = {{"secret", "SELECT * FROM slice WHERE name = 'secret'"}};
  session.title = session.note = "secret";
  session.traces[0].keep.threads = {"secret"};
  session.traces[0].id = session.tabs[0].traces[0].trace = "secret";
  make_anonymous(session);
  EXPECT_EQ(session_text(session).find("secret"), std::string::npos);
  EXPECT_EQ(session.tabs[0].traces[0].trace, session.traces[0].id);
  EXPECT_EQ(session.tabs[0].view.bookmarks.size(), 1u);
  EXPECT_TRUE(session.tabs[0].view.view);
}

}  // namespace
}  // namespace cinderscope
