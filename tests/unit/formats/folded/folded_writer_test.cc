#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

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

// Names that stay as they are, but could not: so a track is read in one walk.
class SameFoldedNames final : public NameChanger {
 public:
  bool keeps(std::string_view) override { return true; }
  std::string_view changed(std::string_view name) override { return name; }
};

TEST(FoldedWriterTest, PiecesAreWhatOneWalkGivesForAnyNumberOfJobs) {
  std::string json = "[";
  for (int i = 0; i < 90'000; ++i) {
    // Two threads of one root and one with overlaps; long calls around many pieces.
    const int thread = i % 20 == 3 ? 3 : i % 3 == 0 ? 2 : 1;
    const int dur = thread == 3      ? i % 37
                    : i % 30'000 < 3 ? 280'000 - i % 9
                    : i % 7 < 3      ? 9 - i % 9
                                     : 2;
    json += fmt::format(R"({}{{"name":"{}","ph":"X","ts":{}.{},"dur":{}.5,"pid":1,"tid":{}}})",
                        i == 0 ? "" : ",", i % 5 == 0 ? "a;b" : fmt::format("f{}", i * 7919 % 23),
                        i * 10, i % 2, dur, thread);
  }
  for (int thread : {1, 2}) {
    json += fmt::format(
        R"(,{{"name":"thread_name","ph":"M","pid":1,"tid":{},"args":{{"name":"worker"}}}})",
        thread);
  }
  const LoadedTrace trace = load_bytes("google_json", json + "]");
  LoadContext context;
  const PartReader part(trace.timeline, nullptr, {}, context);
  EXPECT_GT(part.pieces_of(part.tracks().front(), 16384).size(), 1u);
  const TraceWriter& writer = *writer_named("folded");
  for (PartOptions options : {PartOptions{}, PartOptions{.from = 10'000'000, .to = 500'000'000},
                              PartOptions{.depth = 2}, PartOptions{.min_duration = 3'000}}) {
    options.names = std::make_shared<SameFoldedNames>();
    const Written one_walk = written(trace, writer, options);
    EXPECT_GT(one_walk.bytes.size(), 100u);
    options.names = nullptr;
    for (const unsigned jobs : {1u, 4u}) {
      const Written pieces = written(trace, writer, options, jobs);
      EXPECT_TRUE(pieces.bytes == one_walk.bytes) << jobs;
      EXPECT_EQ(pieces.losses.sentence("f"), one_walk.losses.sentence("f"));
    }
  }
}

}  // namespace
}  // namespace cinderscope
