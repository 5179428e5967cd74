#include <gtest/gtest.h>

#include "tests/support/written.h"

namespace cinderscope {
namespace {

std::string folded(std::string_view json) {
  return written(load_bytes("google_json", json), *writer_named("folded")).bytes;
}

TEST(FoldedWriterTest, EqualStacksOfThreadsOfOneNameAreAddedUp) {
  EXPECT_EQ(folded(R"([{"name":"main","ph":"X","ts":0,"dur":10,"pid":7,"tid":1},
                       {"name":"draw","ph":"X","ts":1,"dur":2,"pid":7,"tid":1},
                       {"name":"draw","ph":"X","ts":4,"dur":2,"pid":7,"tid":1},
                       {"name":"main","ph":"X","ts":0,"dur":1,"pid":7,"tid":2},
                       {"name":"other","ph":"X","ts":0,"dur":1,"pid":7,"tid":3},
                       {"name":"process_name","ph":"M","pid":7,"args":{"name":"game"}},
                       {"name":"thread_name","ph":"M","pid":7,"tid":1,"args":{"name":"worker"}},
                       {"name":"thread_name","ph":"M","pid":7,"tid":2,"args":{"name":"worker"}}])"),
            "game;worker;main 7000\n"
            "game;worker;main;draw 4000\n"
            "game;3;other 1000\n");
}

TEST(FoldedWriterTest, NamesCannotBreakALine) {
  EXPECT_EQ(folded(R"([{"name":"a;b\nc\rd","ph":"X","ts":0,"dur":1,"pid":7,"tid":1}])"),
            "7;1;a:b c d 1000\n");
}

// Such a text would not be recognised: a remark comes first.
TEST(FoldedWriterTest, DoesNotBeginAsJsonOrXmlDo) {
  EXPECT_EQ(folded(R"([{"name":"a","ph":"X","ts":0,"dur":1,"pid":"[vdso]","tid":1}])"),
            "# collapsed stacks\n[vdso];1;a 1000\n");
}

TEST(FoldedWriterTest, WritesCollapsedStacksAsTheyWere) {
  const std::string text = "main 2\nmain;draw 5.500\n";
  EXPECT_EQ(written(load_bytes("collapsed", text), *writer_named("folded")).bytes, text);
}

TEST(FoldedWriterTest, SlicesThatOverlapAreSiblings) {
  EXPECT_EQ(folded(R"([{"name":"a","ph":"X","ts":0,"dur":10,"pid":7,"tid":1},
                       {"name":"b","ph":"X","ts":5,"dur":10,"pid":7,"tid":1}])"),
            "7;1;a 10000\n7;1;b 10000\n");
}

TEST(FoldedWriterTest, StacksDeeperThanAThousandAreCutAndCounted) {
  std::string json = "[";
  for (int i = 0; i < 1200; ++i) {
    json += (i == 0 ? "" : ",") + std::string(R"({"name":"f","ph":"X","ts":)") + std::to_string(i) +
            R"(,"dur":)" + std::to_string(2400 - 2 * i) + R"(,"pid":7,"tid":1})";
  }
  const Written file = written(load_bytes("google_json", json + "]"), *writer_named("folded"));
  EXPECT_EQ(std::ranges::count(file.bytes, '\n'), 1000);
  bool counted = false;
  for (const LossReport::Lost& entry : file.losses.lost()) {
    if (entry.kind.word == "deep_stacks") counted = entry.count == 200;
  }
  EXPECT_TRUE(counted);
}

}  // namespace
}  // namespace cinderscope
