#include "app/session_file/layout.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

std::string session_with(std::string_view rule, std::string_view search) {
  return R"({"cinderscope_session": 1,)" + std::string(rule) +
         R"("traces": [], "tabs": [{"kind": "comparison"}, {"kind": "trace", "search": {"text": ")" +
         std::string(search) + R"("}}]})";
}

class SessionLayoutTest : public testing::Test {
 protected:
  void write(std::string_view name, std::string_view rule) {
    folder_.write(name, session_with(rule, name));
  }
  // Of the layout that is for such a trace.
  std::string chosen(std::string format, std::vector<std::string> processes = {}) {
    const auto layout =
        default_layout(folder_.path().string(), {std::move(format), std::move(processes)});
    return layout ? layout->tab.search : "none";
  }

  TempDir folder_;
};

TEST_F(SessionLayoutTest, IsOfTheFirstTabOfATrace) {
  folder_.write("team.cinder", session_with("", "dur:>1ms"));
  const auto layout = read_layout((folder_.path() / "team.cinder").string());
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->tab.search, "dur:>1ms");
}

TEST_F(SessionLayoutTest, SaysWhatIsNoLayout) {
  const auto error = [&](const char* name) {
    return read_layout((folder_.path() / name).string()).error().text;
  };
  EXPECT_NE(error("none.cinder").find("There is no layout"), std::string::npos);
  folder_.write("empty.cinder", R"({"cinderscope_session": 1, "traces": []})");
  EXPECT_NE(error("empty.cinder").find("no tab of a trace"), std::string::npos);
  folder_.write("bad.cinder", "{");
  EXPECT_NE(error("bad.cinder").find("not JSON"), std::string::npos);
}

TEST_F(SessionLayoutTest, WhatSaysMoreGoesBefore) {
  EXPECT_EQ(chosen("spall"), "none");
  write("other.cinder", "");
  EXPECT_EQ(chosen("spall"), "none");
  write("default.cinder", "");
  EXPECT_EQ(chosen("spall"), "default.cinder");
  write("spall.cinder", "");
  EXPECT_EQ(chosen("spall"), "spall.cinder");
  EXPECT_EQ(chosen("flow"), "default.cinder");
  write("z.cinder", R"("for": {"format": "spall"},)");
  write("y.cinder", R"("for": {"format": "spall"},)");
  EXPECT_EQ(chosen("spall"), "y.cinder");
}

TEST_F(SessionLayoutTest, TheRuleIsOfFormatAndProcess) {
  write("default.cinder", R"("for": {"format": "google_json", "process": "/^Rend/"},)");
  EXPECT_EQ(chosen("google_json", {"Browser", "Renderer"}), "default.cinder");
  EXPECT_EQ(chosen("google_json", {"Browser"}), "none");
  EXPECT_EQ(chosen("spall", {"Renderer"}), "none");
  write("default.cinder", R"("for": {"process": "renderer"},)");
  EXPECT_EQ(chosen("spall", {"Renderer"}), "default.cinder");
  EXPECT_EQ(chosen("spall", {"Renderer 2"}), "none");
  write("default.cinder", R"("for": {"process": "/(/"},)");
  EXPECT_EQ(chosen("spall", {"("}), "none");
}

TEST_F(SessionLayoutTest, NoFolderHasNoLayouts) {
  EXPECT_FALSE(default_layout((folder_.path() / "none").string(), {}));
  EXPECT_FALSE(default_layout("", {}));
}

TEST(LostThreadsTest, AreNamedOnce) {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  builder.thread_facts(thread).name = builder.intern("main");
  builder.slices(thread).complete(0, 1, builder.intern("call"), 0);
  const Timeline timeline = builder.finish();
  const auto name = [](std::string pid, std::string tid, std::string text) {
    return TrackName{.kind = TrackKind::thread,
                     .pid = std::move(pid),
                     .tid = std::move(tid),
                     .name = std::move(text)};
  };
  SessionTab tab;
  tab.view.pinned = {name("7", "8", "main"), name("7", "9", "worker")};
  tab.view.hidden = {name("7", "9", "worker"), name("7", "10", "")};
  EXPECT_EQ(lost_threads(timeline, tab, false), (std::vector<std::string>{"worker", "7/10"}));
  EXPECT_EQ(lost_threads(timeline, tab, true), (std::vector<std::string>{"worker", "7/10"}));
}

}  // namespace
}  // namespace cinderscope
