#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>

#include "formats/all_formats.h"
#include "tests/support/dump.h"
#include "tests/support/load.h"
#include "tests/support/source_dir.h"

namespace cinderscope {
namespace {

const Format& format() {
  return *format_named("google_json");
}

LoadedTrace load(std::string_view text, LoadOptions options = {.jobs = 1}) {
  return load_trace(format(), Input::from_memory("unknown", bytes_of(text)), options);
}

// Why the text is refused, or "" if it is not.
std::string refusal(std::string_view text) {
  try {
    load(text);
    return {};
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

std::string small_trace() {
  return R"({"otherData":{"a":[1,2]},"traceEvents":[
{"name":"outer \u00e4","ph":"B","pid":1,"tid":1,"ts":1,"args":{"k":[{"ph":"X"}]}},
{"name":"load","cat":"net","ph":"b","id":"0x1","pid":1,"tid":1,"ts":1.5},
{"name":"inner","ph":"X","pid":1,"tid":"two","ts":2,"dur":1.5},
{"ph":"C","name":"memory","pid":1,"ts":3,"args":{"used":1}},
{"name":"load","cat":"net","ph":"e","id":"0x1","pid":1,"tid":1,"ts":3.5},
{"ph":"E","pid":1,"tid":1,"ts":4}],"stackFrames":{"1":{"name":"main"}},"displayTimeUnit":"ns"})";
}

std::string xs(int count, const std::string& tail = "]") {
  std::string text = "[";
  for (int i = 0; i < count; ++i) {
    text += R"({"name":"n)" + std::to_string(i % 7) + R"(","ph":"X","pid":1,"tid":)" +
            std::to_string(i % 3) + R"(,"ts":)" + std::to_string(count - i) +
            R"(,"dur":0.5,"args":{"i":)" + std::to_string(i) + "}},\n";
  }
  return text + tail;
}

TEST(GoogleJsonLoadTest, SurvivesATraceCutAtAnyByte) {
  const std::string whole = small_trace();
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    std::string first;
    for (const std::uint64_t window : {4096u, 64u}) {
      std::string text;
      try {
        text = dump(load(whole.substr(0, size), {.jobs = 1, .window_bytes = window}).timeline);
      } catch (const std::runtime_error& error) {
        text = error.what();
      }
      if (first.empty()) first = text;
      EXPECT_EQ(text, first) << "cut at " << size;
    }
    if (size >= whole.find(",\n{\"name\":\"load\"") && size < whole.size()) {
      EXPECT_NE(first.find("outer"), std::string::npos) << "cut at " << size;
      EXPECT_NE(first.find("diagnostic truncated"), std::string::npos) << "cut at " << size;
    }
  }
}

// Anything may come: the dump must not depend on windows and jobs, and nothing may break.
TEST(GoogleJsonLoadTest, ReadsRandomlyDamagedTextTheSameInAnyWindows) {
  std::mt19937 random(1);
  const auto below = [&random](std::size_t end) { return random() % end; };
  const std::string pieces[] = {"{",  "}",       "[",    "]",    ",",
                                ":",  "\"",      "\\",   "null", "{\"ph\":\"X\",",
                                "\n", "\"ts\":", "\x01", "\xff"};
  for (int round = 0; round < 300; ++round) {
    std::string text = xs(12) + (round % 2 == 0 ? "" : small_trace());
    for (std::size_t damage = 1 + below(4); damage > 0; --damage) {
      const std::size_t at = below(text.size());
      if (random() % 2 == 0) {
        text.erase(at, 1 + below(30));
      } else {
        text.insert(at, pieces[below(std::size(pieces))]);
      }
    }
    const auto text_of = [&text](LoadOptions options) -> std::string {
      try {
        return dump(load(text, options).timeline);
      } catch (const std::runtime_error& error) {
        return error.what();
      }
    };
    const std::string expected = text_of({.jobs = 1});
    EXPECT_EQ(text_of({.jobs = 1, .window_bytes = 64}), expected) << text;
    EXPECT_EQ(text_of({.jobs = 3, .window_bytes = 200}), expected) << text;
  }
}

// Its operations are let go of in pieces while they are paired.
TEST(GoogleJsonLoadTest, PairsManyAsyncEventsAndKeepsTheOrderOfFlowsOfEqualTime) {
  constexpr int kOperations = 40'000;  // more than two pieces of events
  std::string text = "[";
  const auto add = [&text](char phase, int ts, const std::string& more) {
    text += fmt::format(R"({{"ph":"{}","ts":{},"pid":1,{}}},)", phase, ts, more) + "\n";
  };
  for (int i = 0; i < kOperations; ++i) {
    const std::string key = fmt::format(R"("tid":1,"cat":"c","name":"op","id":{})", i);
    add('b', 3 * i, key);
    add('n', 3 * i + 1, key);
    add('e', 3 * i + 2, key);
  }
  for (const int tid : {3, 1, 2}) add('X', 10, fmt::format(R"("tid":{},"dur":5,"name":"at")", tid));
  for (const int tid : {3, 1, 2}) {
    add(tid == 3   ? 's'
        : tid == 2 ? 'f'
                   : 't',
        12, fmt::format(R"("tid":{},"cat":"c","name":"flow","id":7,"bp":"e")", tid));
  }
  text.back() = ']';
  text[text.size() - 2] = ' ';
  const Timeline timeline = load(text).timeline;
  EXPECT_EQ(timeline.async_slice_count, kOperations);
  EXPECT_EQ(timeline.async_step_count, kOperations);
  EXPECT_EQ(timeline.async_unfinished_count, 0u);
  ASSERT_EQ(timeline.flows->points.size(), 3u);
  std::string tids;
  for (std::uint64_t i = 0; i < 3; ++i) {
    const Track& track = timeline.tracks[index(flow_point(timeline, i).track)];
    tids += std::string(timeline.text(timeline.threads[index(track.thread)].tid)) + " ";
  }
  EXPECT_EQ(tids, "3 1 2 ");
}

// An operation that goes through two processes belongs to that of its earliest event, wherever in
// the file that stands; an old step is called as its argument says, each by itself.
TEST(GoogleJsonLoadTest, AnOperationIsOfTheProcessOfItsEarliestEvent) {
  const Timeline timeline = load(R"([
    {"ph":"n","ts":5,"pid":1,"tid":1,"cat":"c","name":"seen","id":7},
    {"ph":"b","ts":2,"pid":2,"tid":1,"cat":"c","name":"op","id":7},
    {"ph":"e","ts":9,"pid":1,"tid":1,"cat":"c","name":"op","id":7},
    {"ph":"S","ts":1,"pid":3,"tid":1,"cat":"c","name":"old","id":8},
    {"ph":"T","ts":2,"pid":3,"tid":1,"cat":"c","name":"old","id":8,"args":{"step":"first"}},
    {"ph":"T","ts":3,"pid":3,"tid":1,"cat":"c","name":"old","id":8,"args":{"step":"second"}},
    {"ph":"F","ts":4,"pid":3,"tid":1,"cat":"c","name":"old","id":8}])")
                                .timeline;
  std::string pids, steps;
  for (const Track& track : timeline.tracks) {
    if (track.kind != TrackKind::async) continue;
    pids += std::string(timeline.text(timeline.processes[index(track.process)].pid)) + " ";
    for (const SliceRow& row : track.blocks.front()->nested_instants) {
      for (std::uint64_t i = 0; i < row.count(); ++i) {
        steps += std::string(timeline.text(row.name(i))) + " ";
      }
    }
  }
  EXPECT_EQ(pids, "2 3 ");
  EXPECT_EQ(steps, "seen first second ");
}

TEST(GoogleJsonLoadTest, AcceptsTwoGzipMembers) {
  const std::string text = small_trace();
  std::vector<std::byte> packed = gzipped(bytes_of(text.substr(0, 100)));
  const std::vector<std::byte> rest = gzipped(bytes_of(text.substr(100)));
  packed.insert(packed.end(), rest.begin(), rest.end());
  const LoadedTrace trace = load_trace(format(), Input::from_memory("unknown", packed));
  EXPECT_EQ(dump(trace.timeline), dump(load(text).timeline));
}

TEST(GoogleJsonLoadTest, SaysWhatAFileWithoutEventsIs) {
  EXPECT_NE(refusal(R"({"a":1})").find("traceEvents"), std::string::npos);
  EXPECT_NE(refusal(R"({"traceEvents":"text"})").find("not an array"), std::string::npos);
  EXPECT_NE(refusal("[1,2,3]"), "");
  EXPECT_NE(refusal("{"), "");
  EXPECT_NE(refusal(""), "");
  EXPECT_EQ(refusal("[]"), "");
  EXPECT_EQ(refusal(R"({"traceEvents":[]})"), "");
}

TEST(GoogleJsonLoadTest, PutsXInReversedOrderInPlaceInLinearTime) {
  const LoadedTrace trace = load(xs(100'000), {.jobs = 2, .window_bytes = 1u << 16});
  EXPECT_EQ(trace.timeline.slice_count, 100'000u);
  EXPECT_EQ(trace.timeline.overlapping_count, 0u);
}

TEST(GoogleJsonLoadTest, OpensAMillionNestedCalls) {
  std::string text = "[";
  constexpr int kDepth = 1'000'000;
  for (int i = 0; i < kDepth; ++i) {
    text += R"({"ph":"B","pid":1,"tid":1,"name":"f","ts":)" + std::to_string(i) + "},\n";
  }
  for (int i = 0; i < kDepth; ++i) {
    text += R"({"ph":"E","pid":1,"tid":1,"ts":)" + std::to_string(kDepth + i) + "},\n";
  }
  const LoadedTrace trace = load(text + "]");
  EXPECT_EQ(trace.timeline.slice_count, static_cast<std::uint64_t>(kDepth));
  EXPECT_EQ(trace.timeline.tracks.at(0).row_count, static_cast<std::uint32_t>(kDepth));
}

TEST(GoogleJsonLoadTest, DoesNotRecurseByTheNestingOfArgs) {
  const std::string open(1'000'000, '[');
  const std::string close(1'000'000, ']');
  const std::string head = R"([{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"deep","args":)";
  EXPECT_EQ(load(head + open + close + "}]").timeline.slice_count, 1u);
  EXPECT_EQ(load(head + open).timeline.slice_count, 0u);
  EXPECT_EQ(load("[{\"ph\":\"i\",\"ts\":1}," + open).timeline.instant_count, 1u);
}

TEST(GoogleJsonLoadTest, ReadsArgsLongerThanAnyBlock) {
  const std::string text = R"([{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"long","args":")" +
                           std::string(3'000'000, 'x') +
                           R"("},{"ph":"X","pid":1,"tid":1,"ts":3,"dur":1,"name":"next"}])";
  const LoadedTrace trace = load(text, {.jobs = 2, .window_bytes = 100'000});
  EXPECT_EQ(trace.timeline.slice_count, 2u);
  EXPECT_EQ(trace.timeline.diagnostics.total(), 0u);
}

TEST(GoogleJsonLoadTest, MetadataDoesNotWidenTheRange) {
  const LoadedTrace trace =
      load(R"([{"ph":"M","name":"thread_name","pid":1,"tid":1,"ts":0,"args":{"name":"main"}},)"
           R"({"ph":"X","pid":1,"tid":1,"ts":50,"dur":1,"name":"a"}])");
  EXPECT_EQ(trace.timeline.begin_ns, 50'000);
  EXPECT_EQ(trace.timeline.end_ns, 51'000);
}

TEST(GoogleJsonLoadTest, CancelStopsTheLoad) {
  auto source = format().open(Input::from_memory("unknown", bytes_of(xs(1000))));
  ASSERT_TRUE(source);
  LoadContext context({.jobs = 2, .window_bytes = 64});
  context.cancel();
  const Result<Timeline> timeline = read_timeline(**source, context);
  ASSERT_FALSE(timeline);
  EXPECT_EQ(timeline.error().code, ErrorCode::cancelled);
}

// Text made to send a reader back again and again; each case must stay linear.
TEST(GoogleJsonLoadTest, StaysFastOnHostileText) {
  const auto repeated = [](std::string_view head, std::string_view piece) {
    std::string text(head);
    while (text.size() < 1'000'000) text += piece;
    return text;
  };
  const auto started = std::chrono::steady_clock::now();
  for (const char* piece : {"{1},", "{\"ph\":1 1,", "{\"ph\":[", "{\"a\":{\"a\":", "\"", "{\"", "[",
                            "{\"ph\":\"X\",\"name\":\"", "{{", "}", "\\",
                            "{\"ph\":\"b\",\"ts\":1},", "{\"ph\":\"e\",\"ts\":1,\"name\":\"x\"}"}) {
    refusal(repeated("[", piece));
    refusal(repeated("{\"traceEvents\":[", piece));
    refusal(repeated("{", piece));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(60));
}

TEST(GoogleJsonLoadTest, OpensTheSharedSamples) {
  const std::filesystem::path folder = test::source_dir() + "/../shared/traces/json";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no sample traces beside the checkout";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename() == "expected.json" || entry.path().extension() == ".md") continue;
    const auto text_of = [&entry](LoadOptions options) {
      auto input = Input::from_path(entry.path());
      return dump(load_trace(format(), std::move(*input), options).timeline);
    };
    EXPECT_EQ(text_of({.jobs = 3, .window_bytes = 5000}), text_of({.jobs = 1})) << entry.path();
  }
}

}  // namespace
}  // namespace cinderscope
