#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <string>

#include "tests/support/written.h"

namespace cinderscope {
namespace {

const TraceWriter& spall() {
  return *writer_named("spall");
}

Written as_spall(std::string_view json, const PartOptions& options = {}) {
  return written(load_bytes("google_json", json), spall(), options);
}

LoadedTrace read_back(const Written& file) {
  return load_bytes("spall", file.bytes);
}

std::uint64_t lost(const Written& file, std::string_view word) {
  for (const LossReport::Lost& entry : file.losses.lost()) {
    if (entry.kind.word == word) return entry.count;
  }
  return 0;
}

std::vector<std::string> threads_of(const LoadedTrace& trace) {
  std::vector<std::string> names;
  for (const Thread& thread : trace.timeline.threads) {
    names.push_back(std::string(trace.timeline.text(thread.tid)) + " " +
                    std::string(trace.timeline.text(thread.name)));
  }
  return names;
}

Slice first_slice(const LoadedTrace& trace) {
  return trace.timeline.tracks[0].root().rows[0].slice(0);
}

// The sizes of all buffers; checks that they fill the file.
std::vector<std::uint32_t> buffer_sizes(const std::string& bytes) {
  std::vector<std::uint32_t> sizes;
  std::size_t at = 32;
  while (at + 20 <= bytes.size()) {
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data() + at, sizeof size);
    sizes.push_back(size);
    at += 20 + size;
  }
  EXPECT_EQ(at, bytes.size());
  return sizes;
}

TEST(SpallWriterTest, TimesCountFromTheFirstSliceAndTheClockIsLost) {
  const Written file = as_spall(
      R"([{"name":"a","ph":"X","ts":1000,"dur":5,"pid":7,"tid":9},
          {"name":"mark","ph":"i","ts":500,"pid":7,"tid":9}])");
  EXPECT_EQ(first_slice(read_back(file)).begin_ns, 0);
  EXPECT_EQ(first_slice(read_back(file)).duration_ns, 5000);
  EXPECT_EQ(lost(file, "clock"), 1u);
  EXPECT_EQ(lost(file, "instants"), 1u);
  const Written zero = as_spall(R"([{"name":"a","ph":"X","ts":0,"dur":5,"pid":7,"tid":9}])");
  EXPECT_EQ(lost(zero, "clock"), 0u);
}

TEST(SpallWriterTest, NamesAndArgumentsAreCutAt255Bytes) {
  const std::string exact(255, 'x'), longer(256, 'y');
  const std::string wide = std::string(251, 'z') + "ää";
  const Written file =
      as_spall(R"([{"name":")" + exact + R"(","ph":"X","ts":0,"dur":1,"pid":7,"tid":9},{"name":")" +
               longer + R"(","ph":"X","ts":1,"dur":1,"pid":7,"tid":9},{"name":")" + longer +
               R"(","ph":"X","ts":2,"dur":1,"pid":7,"tid":9},{"name":")" + wide + wide +
               R"(","ph":"X","ts":3,"dur":1,"pid":7,"tid":9,"args":{"a":")" + longer + R"("}}])");
  EXPECT_EQ(lost(file, "cut_names"), 2u);  // different ones
  EXPECT_EQ(lost(file, "cut_arguments"), 1u);
  EXPECT_NE(file.bytes.find(exact), std::string::npos);
  EXPECT_NE(file.bytes.find(std::string(252, 'y') + "…"), std::string::npos);
  EXPECT_EQ(file.bytes.find(std::string(253, 'y')), std::string::npos);
  // Not within a character.
  EXPECT_NE(file.bytes.find(std::string(251, 'z') + "…"), std::string::npos);
  EXPECT_EQ(written(read_back(file), spall()).bytes, file.bytes);
}

TEST(SpallWriterTest, ArgumentsThatAreNoObjectStayAsTheyAre) {
  const Written file = as_spall(
      R"([{"name":"a","ph":"X","ts":0,"dur":1,"pid":7,"tid":9,"args":{"n":1.50,"s":"x"}}])");
  EXPECT_NE(file.bytes.find(R"({"n":1.50,"s":"x"})"), std::string::npos);
  EXPECT_EQ(written(read_back(file), spall()).bytes, file.bytes);
  EXPECT_EQ(as_spall(R"([{"name":"a","ph":"X","ts":0,"dur":1,"pid":7,"tid":9,"args":{"n":1}}])",
                     {.args = false})
                .bytes.find("\"n\""),
            std::string::npos);
}

TEST(SpallWriterTest, ArgumentsOfSpallStayAsTheyStand) {
  Written file =
      as_spall(R"([{"name":"a","ph":"X","ts":0,"dur":1,"pid":7,"tid":9,"args":{"n":1,"m":22}}])");
  const std::size_t at = file.bytes.find(R"({"n":1,"m":22})");
  ASSERT_NE(at, std::string::npos);
  for (const std::string_view args : {R"({ "n" :[1,2]})", R"({"n":1,"n":22)", "no JSON at all"}) {
    file.bytes.replace(at, 14, (std::string(args) + "  ").substr(0, 14));
    EXPECT_EQ(written(read_back(file), spall()).bytes, file.bytes) << args;
    EXPECT_EQ(written(read_back(file), spall(), {}, 3).bytes, file.bytes) << args;
  }
}

TEST(SpallWriterTest, OverlappingSlicesBecomeThreadsOfTheirOwn) {
  const Written file = as_spall(
      R"([{"name":"a","ph":"X","ts":0,"dur":10,"pid":7,"tid":9},
          {"name":"b","ph":"X","ts":5,"dur":10,"pid":7,"tid":9},
          {"name":"c","ph":"X","ts":8,"dur":10,"pid":7,"tid":9},
          {"name":"thread_name","ph":"M","pid":7,"tid":9,"args":{"name":"worker"}}])");
  const LoadedTrace again = read_back(file);
  EXPECT_EQ(threads_of(again),
            (std::vector<std::string>{"9 worker", "2147483657 worker (overlap 2)",
                                      "2147483658 worker (overlap 3)"}));
  EXPECT_EQ(again.timeline.overlapping_count, 0u);
  EXPECT_EQ(again.timeline.slice_count, 3u);
  EXPECT_EQ(written(again, spall()).bytes, file.bytes);
}

TEST(SpallWriterTest, IdsThatAreNoNumbersAreNumberedAndStandInTheNames) {
  const Written file = as_spall(
      R"([{"name":"a","ph":"X","ts":0,"dur":1,"pid":"gpu","tid":"x"},
          {"name":"b","ph":"X","ts":0,"dur":1,"pid":"gpu","tid":1},
          {"name":"thread_name","ph":"M","pid":"gpu","tid":"x","args":{"name":"queue"}}])");
  EXPECT_EQ(threads_of(read_back(file)), (std::vector<std::string>{"2 queue (x)", "1 "}));
  EXPECT_EQ(read_back(file).timeline.text(read_back(file).timeline.processes[0].name), "gpu");
  EXPECT_EQ(written(read_back(file), spall()).bytes, file.bytes);
}

TEST(SpallWriterTest, UnfinishedSlicesStayOpenWhereNothingEndsAfterThem) {
  const Written open = as_spall(
      R"([{"name":"a","ph":"B","ts":0,"pid":7,"tid":9},
          {"name":"b","ph":"X","ts":1,"dur":2,"pid":7,"tid":9},
          {"name":"c","ph":"B","ts":4,"pid":7,"tid":9}])");
  EXPECT_EQ(read_back(open).timeline.unfinished_count, 2u);
  EXPECT_EQ(lost(open, "unfinished"), 0u);
  EXPECT_EQ(written(read_back(open), spall()).bytes, open.bytes);
}

TEST(SpallWriterTest, BuffersHoldAtMostAMebibyte) {
  std::string json = "[";
  for (int i = 0; i < 30'000; ++i) {
    json += (i == 0 ? "" : ",") + std::string(R"({"name":"a rather long name of a call )") +
            std::to_string(i) + R"(","ph":"X","ts":)" + std::to_string(i) +
            // Each overlaps the one before.
            R"(,"dur":1.5,"pid":7,"tid":9})";
  }
  const Written file = as_spall(json + "]");
  const std::vector<std::uint32_t> sizes = buffer_sizes(file.bytes);
  EXPECT_GE(sizes.size(), 2u);
  for (const std::uint32_t size : sizes) EXPECT_LE(size, 1u << 20);
  const LoadedTrace again = read_back(file);
  EXPECT_EQ(again.timeline.slice_count, 30'000u);
  EXPECT_EQ(written(again, spall()).bytes, file.bytes);
}

TEST(SpallWriterTest, ManyRowsOfOverlapsAreWrittenOneAfterTheOther) {
  std::string json = "[";
  for (int i = 0; i < 60'000; ++i) {
    json += (i == 0 ? "" : ",") + std::string(R"({"name":"overlapping call with a long name )") +
            std::string(200, 'n') + R"(","ph":"X","ts":)" + std::to_string(i) +
            R"(,"dur":2.5,"pid":7,"tid":9})";
  }
  const Written file = as_spall(json + "]");
  const LoadedTrace again = read_back(file);
  EXPECT_EQ(again.timeline.slice_count, 60'000u);
  EXPECT_EQ(again.timeline.threads.size(), 3u);
  for (const std::uint32_t size : buffer_sizes(file.bytes)) EXPECT_LE(size, 1u << 20);
  EXPECT_EQ(written(again, spall()).bytes, file.bytes);
}

TEST(SpallWriterTest, ACutSliceRemembersWhatItWas) {
  const Written file =
      as_spall(R"([{"name":"a","ph":"X","ts":0,"dur":10,"pid":7,"tid":9,"args":{"k":1}}])",
               {.from = 2'000, .to = 6'500});
  EXPECT_EQ(file.losses.cut_slices(), 1u);
  EXPECT_EQ(first_slice(read_back(file)).duration_ns, 4'500);
  EXPECT_NE(file.bytes.find(R"({"cut":{"ts":-2,"dur":10},"k":1})"), std::string::npos);
  const LoadedTrace again = read_back(file);
  EXPECT_EQ(first_slice(again).flags, kCutBegin | kCutEnd);
  const RecordText text = again.source->describe(first_slice(again).record, kNoRecord);
  ASSERT_TRUE(text.cut);
  EXPECT_EQ(text.cut->begin_ns, -2'000);
  EXPECT_EQ(text.cut->duration_ns, 10'000);
  ASSERT_EQ(text.args.nodes.size(), 2u);
  EXPECT_EQ(text.args.nodes[1].key, "k");
  EXPECT_EQ(written(again, spall()).bytes, file.bytes);
}

TEST(SpallWriterTest, AThreadWithoutSlicesIsAnEmptyBuffer) {
  const Written file = as_spall(
      R"([{"name":"a","ph":"X","ts":0,"dur":1,"pid":7,"tid":9},
          {"name":"thread_name","ph":"M","pid":7,"tid":10,"args":{"name":"idle"}}])");
  EXPECT_EQ(threads_of(read_back(file)).size(), 2u);
}

// Names that stay as they are, but could not: so a track is read in one walk.
class SameSpallNames final : public NameChanger {
 public:
  bool keeps(std::string_view) override { return true; }
  std::string_view changed(std::string_view name) override { return name; }
};

// 60 000 calls of three threads, most of one, one of them with overlaps; some with arguments, some
// too long.
std::string many_calls() {
  std::string json = "[";
  const std::string longest(300, 'x');
  std::array<int, 3> count = {};
  for (int i = 0; i < 60'000; ++i) {
    const std::size_t thread = i % 10 == 1 ? 1 : i % 10 == 2 ? 2 : 0;
    const int at = count.at(thread)++;
    const int ts = at * 3 - at % 7, dur = thread == 2 ? at % 11 : 8 - at % 7;
    json += (i == 0 ? "" : ",") +
            fmt::format(R"({{"name":"f{}","ph":"X","ts":{},"dur":{},"pid":1,"tid":{})",
                        at % 50 == 0 ? longest : fmt::to_string(at % 5),
                        thread == 2 ? ts : at / 7 * 21 + at % 7, dur, thread);
    if (at % 4 == 0)
      json += fmt::format(R"(,"args":{{"at":{},"more":"{}"}})", at, at % 1000 == 0 ? longest : "");
    json += "}";
  }
  return json + R"(,{"name":"open","ph":"B","ts":-1,"pid":1,"tid":0}])";
}

TEST(SpallWriterTest, PiecesAreWhatOneWalkGivesForAnyNumberOfJobs) {
  const LoadedTrace json = load_bytes("google_json", many_calls());
  const LoadedTrace own = load_bytes("spall", written(json, spall()).bytes);
  for (const LoadedTrace* trace : {&json, &own}) {
    LoadContext context;
    const PartReader part(trace->timeline, nullptr, {}, context);
    EXPECT_GT(part.pieces_of(part.tracks().front(), 16384).size(), 1u);
    PartOptions options;
    options.names = std::make_shared<SameSpallNames>();
    const Written one_walk = written(*trace, spall(), options);
    for (const unsigned jobs : {1u, 4u}) {
      const Written pieces = written(*trace, spall(), {}, jobs);
      EXPECT_TRUE(pieces.bytes == one_walk.bytes) << jobs;
      EXPECT_EQ(pieces.losses.sentence("f"), one_walk.losses.sentence("f"));
    }
    EXPECT_GT(buffer_sizes(one_walk.bytes).size(), 6u);  // some were full
  }
}

}  // namespace
}  // namespace cinderscope
