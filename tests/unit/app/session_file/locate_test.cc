#include "app/session_file/locate.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

class LocateTest : public testing::Test {
 protected:
  SessionTrace trace_of(std::string path, const std::string& content) {
    const std::string file = folder_.write("identity", content).string();
    SessionTrace trace{.id = path, .path = std::move(path)};
    trace.identity = *trace_identity(file);
    std::filesystem::remove(file);
    trace.facts = TraceFacts{};
    return trace;
  }
  std::vector<LocatedTrace> locate(std::vector<SessionTrace> traces) {
    return locate_traces({.session_path = (folder_.path() / "s/night.cinder").string(),
                          .traces = std::move(traces),
                          .look_in = look_in_,
                          .recent = recent_});
  }
  LocatedTrace locate(SessionTrace trace) {
    return locate(std::vector<SessionTrace>{std::move(trace)}).front();
  }
  void write(const std::string& path, std::string_view content) {
    std::filesystem::create_directories((folder_.path() / path).parent_path());
    folder_.write(path, content);
  }
  std::string at(const char* path) const { return (folder_.path() / path).string(); }

  TempDir folder_;
  std::vector<std::string> look_in_, recent_;
};

TEST_F(LocateTest, FindsItByItsPathFromTheSession) {
  write("s/traces/a.json", "A");
  const LocatedTrace found = locate(trace_of("traces/a.json", "A"));
  EXPECT_EQ(found.location, Location::found);
  EXPECT_EQ(found.path, at("s/traces/a.json"));
  EXPECT_EQ(locate(trace_of("traces\\a.json", "A")).path, at("s/traces/a.json"));
}

TEST_F(LocateTest, FindsItBesideTheSessionOrByAnAbsolutePath) {
  write("s/a.json", "A");
  EXPECT_EQ(locate(trace_of("gone/a.json", "A")).path, at("s/a.json"));
  write("else/b.json", "B");
  EXPECT_EQ(locate(trace_of(at("else/b.json"), "B")).path, at("else/b.json"));
}

TEST_F(LocateTest, FindsItWhereAnotherOneWasFound) {
  write("new/x/a.json", "A");
  write("new/y/b.json", "B");
  recent_ = {at("new/x/a.json")};
  const auto found = locate({trace_of("../old/y/b.json", "B"), trace_of("../old/x/a.json", "A")});
  EXPECT_EQ(found[0].path, at("new/y/b.json"));
  EXPECT_EQ(found[1].path, at("new/x/a.json"));
}

// What lies beside the session goes before what lies near others, and that before named folders.
TEST_F(LocateTest, KeepsTheOrderOfItsRules) {
  write("s/a.json", "A");
  write("new/x/a.json", "A");
  write("new/x/b.json", "B");
  write("new/y/c.json", "C");
  write("store/c.json", "C");
  look_in_ = {at("new/x"), at("store")};
  const auto found = locate({trace_of("../old/x/a.json", "A"), trace_of("../old/x/b.json", "B"),
                             trace_of("../old/y/c.json", "C")});
  EXPECT_EQ(found[0].path, at("s/a.json"));
  EXPECT_EQ(found[1].path, at("new/x/b.json"));
  EXPECT_EQ(found[2].path, at("store/c.json"));  // "new" was not known before the folders were
}

TEST_F(LocateTest, FindsARenamedOneAmongRecentFiles) {
  write("else/renamed.json", "A");
  write("else/other.json", "B");
  recent_ = {at("else/other.json"), at("else/renamed.json")};
  EXPECT_EQ(locate(trace_of("a.json", "A")).path, at("else/renamed.json"));
  EXPECT_EQ(locate(trace_of("a.json", "Z")).location, Location::missing);
}

TEST_F(LocateTest, NamesInAnotherNormalFormAreTheSame) {
  write("s/caf\u0065\u0301.json", "A");  // e and an accent
  const LocatedTrace found = locate(trace_of("traces/caf\u00e9.json", "A"));
  EXPECT_EQ(found.location, Location::found);
  EXPECT_EQ(found.path, at("s/caf\u0065\u0301.json"));
}

// Neither long paths nor many names take long.
TEST_F(LocateTest, HostilePathsAreBounded) {
  write("s/a.json", "A");
  std::string deep;
  for (int i = 0; i < 200'000; ++i) deep += "a/";
  std::vector<SessionTrace> traces = {trace_of("a.json", "A"), trace_of(deep + "b.json", "B")};
  for (int i = 0; i < 3000; ++i) {
    traces.push_back(trace_of("x/caf\u00e9/" + std::to_string(i) + "\u00e9.json", "C"));
  }
  const auto located = locate(traces);
  EXPECT_EQ(located[0].location, Location::found);
  EXPECT_EQ(located[1].location, Location::missing);
}

TEST_F(LocateTest, NamesThatAreNoUtf8AreBytes) {
  write("s/a\xff.json", "A");
  EXPECT_EQ(locate(trace_of("a\xff.json", "A")).path, at("s/a\xff.json"));
}

TEST_F(LocateTest, ShortTracesGrowToo) {
  write("s/a.json", "ABC");
  EXPECT_EQ(locate(trace_of("a.json", "AB")).location, Location::grown);
}

TEST_F(LocateTest, LooksIntoNamedFoldersOneLevelDeep) {
  write("store/1/a.json", "A");
  write("store/1/2/b.json", "B");
  look_in_ = {at("store")};
  EXPECT_EQ(locate(trace_of("a.json", "A")).path, at("store/1/a.json"));
  EXPECT_EQ(locate(trace_of("b.json", "B")).location, Location::missing);
}

TEST_F(LocateTest, TellsOtherRecordingsFromThoseThatGrewOrWerePacked) {
  write("s/a.json", "other");
  const LocatedTrace other = locate(trace_of("a.json", "A"));
  EXPECT_EQ(other.location, Location::another);
  EXPECT_EQ(other.found_bytes, 5u);
  const std::string begin(100'000, 'x');
  write("s/g.json", begin + "more");
  EXPECT_EQ(locate(trace_of("g.json", begin)).location, Location::grown);
  write("s/p.json.zst", "packed");
  const LocatedTrace packed = locate(trace_of("p.json.gz", "P"));
  EXPECT_EQ(packed.location, Location::packed);
  EXPECT_EQ(packed.path, at("s/p.json.zst"));
}

TEST_F(LocateTest, OpensNoDevicesAndLooksAtABoundedNumberOfNames) {
  EXPECT_EQ(locate(trace_of("/dev/zero", "A")).location, Location::missing);
  std::vector<SessionTrace> many;
  for (int i = 0; i < 5000; ++i) {
    many.push_back({.id = std::to_string(i), .path = std::to_string(i) + ".json"});
  }
  const auto located = locate(many);
  EXPECT_EQ(located.size(), many.size());
  EXPECT_EQ(located.back().location, Location::missing);
}

TEST_F(LocateTest, PathsAreRelativeNearTheSession) {
  EXPECT_EQ(path_in_session("/a/b/c/s.cinder", "/a/b/c/t/x.json"), "t/x.json");
  EXPECT_EQ(path_in_session("/a/b/c/s.cinder", "/a/x.json"), "../../x.json");
  EXPECT_EQ(path_in_session("/a/b/c/d/e/s.cinder", "/a/x.json"), "/a/x.json");
}

}  // namespace
}  // namespace cinderscope
