#include "app/compare/side_text.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/support/compared_runs.h"

namespace cinderscope {
namespace {

const std::set<std::string> kFiles = {"t.json", "a#b.json", "c@1..2.json", "dir#1/t.json", "d"};

std::string read(const std::string& text) {
  const Result<SideText> side =
      parse_side(text, [](const std::string& path) { return kFiles.contains(path); });
  if (!side) return "error";
  std::string out = side->paths.at(0);
  if (side->part.from) out += " from " + side->part.from->text + " to " + side->part.to->text;
  for (const TypedThread& thread : side->part.threads) out += " thread " + thread.text;
  return out;
}

TEST(SideText, PathsWithRangesAndThreads) {
  EXPECT_EQ(read("t.json"), "t.json");
  EXPECT_EQ(read("t.json@+1s..+2s"), "t.json from +1s to +2s");
  EXPECT_EQ(read("t.json#worker-1"), "t.json thread worker-1");
  EXPECT_EQ(read("t.json@1..2#a#b"), "t.json from 1 to 2 thread a thread b");
  EXPECT_EQ(read("t.json#\"1234#2\""), "t.json thread \"1234#2\"");
  EXPECT_EQ(read("t.json#\"0@cpu\"#12/"), "t.json thread \"0@cpu\" thread 12/");
  EXPECT_EQ(read("t.json@end-2s..end"), "t.json from end-2s to end");
}

TEST(SideText, WhatIsAFileIsThatFile) {
  EXPECT_EQ(read("a#b.json"), "a#b.json");
  EXPECT_EQ(read("c@1..2.json"), "c@1..2.json");
  EXPECT_EQ(read("c@1..2.json@3..4"), "c@1..2.json from 3 to 4");
  EXPECT_EQ(read("a#b.json#main"), "a#b.json thread main");
  EXPECT_EQ(read("dir#1/t.json@3..4"), "dir#1/t.json from 3 to 4");
}

TEST(SideText, WhatIsWrong) {
  EXPECT_EQ(read("missing.json"), "missing.json") << "whoever opens it says so";
  EXPECT_EQ(read("missing.json@1..2"), "missing.json@1..2");
  EXPECT_EQ(read("t.json@1"), "error");
  EXPECT_EQ(read("t.json@x..y"), "error");
  EXPECT_EQ(read("t.json#"), "error");
  EXPECT_EQ(read("t.json#/(/"), "error");
  EXPECT_EQ(read(""), "");
}

TEST(SideText, PartsOfATimeline) {
  const Timeline timeline = timeline_of({{"f", {1000, 1000}}});
  ComparedPart part;
  part.from = *typed_time("+100");
  part.threads = {*typed_thread("1/1")};
  const Result<StatisticsQuery> query = query_of(timeline, part);
  ASSERT_TRUE(query);
  EXPECT_EQ(query->scope.begin_ns, 100);
  EXPECT_EQ(query->scope.tracks, std::vector<TrackId>{TrackId{0}});
  part.threads = {*typed_thread("nobody")};
  EXPECT_FALSE(query_of(timeline, part));
  part.threads.clear();
  part.from = *typed_time("5s");
  EXPECT_FALSE(query_of(timeline, part));
}

}  // namespace
}  // namespace cinderscope
