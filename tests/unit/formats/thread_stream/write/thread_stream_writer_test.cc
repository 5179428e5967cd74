#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/written.h"

namespace cinderscope {
namespace {

const TraceWriter& tsd() {
  return *writer_named("tsd");
}

Written as_tsd(std::string_view json, const PartOptions& options = {}) {
  return written(load_bytes("google_json", json), tsd(), options);
}

LoadedTrace read_back(const Written& file) {
  LoadedTrace trace = load_bytes("thread_stream", file.bytes);
  for (const auto& [code, diagnostic] : trace.timeline.diagnostics.by_code()) {
    if (code != "unfinished") ADD_FAILURE() << code << ": " << diagnostic.text;
  }
  EXPECT_EQ(written(trace, tsd()).bytes, file.bytes);
  return trace;
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

TEST(ThreadStreamWriterTest, KeepsTheClockNamesCategoriesAndTypedArguments) {
  const Written file = as_tsd(
      R"([{"name":"a","cat":"c","ph":"X","ts":1000,"dur":5,"pid":7,"tid":9,
           "args":{"n":1,"x":1.5,"big":18446744073709551615,"s":"text","b":true,"o":{"k":[1,2]},
                   "two":2.0}},
          {"name":"process_name","ph":"M","pid":7,"tid":9,"args":{"name":"game"}},
          {"name":"thread_name","ph":"M","pid":7,"tid":9,"args":{"name":"main"}}])");
  const LoadedTrace again = read_back(file);
  EXPECT_EQ(first_slice(again).begin_ns, 1'000'000);
  EXPECT_EQ(first_slice(again).duration_ns, 5'000);
  EXPECT_EQ(threads_of(again), (std::vector<std::string>{"9 main"}));
  EXPECT_EQ(again.timeline.text(again.timeline.processes[0].name), "game");
  EXPECT_EQ(again.timeline.text(again.timeline.processes[0].pid), "7");
  const RecordText text = again.source->describe(first_slice(again).record, kNoRecord);
  EXPECT_EQ(text.category, "c");
  EXPECT_EQ(text.args.raw, R"({"n":1,"x":1.5,"big":18446744073709551615,"s":"text","b":true,)"
                           R"("o":"{\"k\":[1,2]}","two":2})");
}

TEST(ThreadStreamWriterTest, RecordsReadTogetherSayWhatTheySayAlone) {
  std::string json = "[";
  for (int i = 0; i < 2000; ++i) {
    json += (i == 0 ? "" : ",") + std::string(R"({"name":"n","cat":"c)") + std::to_string(i % 3) +
            R"(","ph":"X","ts":)" + std::to_string(10 * i) + R"(,"dur":5,"pid":7,"tid":)" +
            std::to_string(i % 2) + R"(,"args":{"n":)" + std::to_string(i) + "}}";
  }
  const LoadedTrace trace = load_bytes("thread_stream", as_tsd(json + "]").bytes);
  std::vector<TraceSource::RecordEnds> records;
  for (const Track& track : trace.timeline.tracks) {
    for (const SliceRow& row : track.root().rows) {
      for (std::uint64_t i = 0; i < row.count(); ++i) {
        records.push_back({row.slice(i).record, row.slice(i).end_record});
      }
    }
  }
  ASSERT_EQ(records.size(), 2000u);
  const auto check = [&] {
    std::vector<RecordText> texts(records.size());
    trace.source->describe_all(records, texts);
    for (std::size_t i = 0; i < records.size(); ++i) {
      const RecordText alone = trace.source->describe(records[i].record, records[i].end_record);
      ASSERT_EQ(texts[i].args.raw, alone.args.raw) << i;
      ASSERT_EQ(texts[i].category, alone.category) << i;
      ASSERT_EQ(texts[i].facts, alone.facts) << i;
    }
  };
  check();
  std::ranges::reverse(records);
  check();
  // One from here, one from there.
  for (std::size_t i = 0; i < records.size(); i += 2) {
    std::swap(records[i], records[(i * 7919) % records.size()]);
  }
  check();
}

TEST(ThreadStreamWriterTest, LongArgumentsAreWholeUpToTheirLimit) {
  const std::string at_limit(65'535, 'x'), longer(65'536, 'y');
  const Written file =
      as_tsd(R"([{"name":"a","ph":"X","ts":1,"dur":5,"pid":7,"tid":9,"args":{"a":")" + at_limit +
             R"("}},{"name":"b","ph":"X","ts":7,"dur":5,"pid":7,"tid":9,"args":{"a":")" + longer +
             R"("}}])");
  EXPECT_EQ(lost(file, "cut_arguments"), 1u);
  const LoadedTrace again = read_back(file);
  const RecordText text = again.source->describe(first_slice(again).record, kNoRecord);
  ASSERT_EQ(text.args.nodes.size(), 2u);
  EXPECT_EQ(text.args.nodes[1].value, at_limit);
}

TEST(ThreadStreamWriterTest, TimesBeforeZeroAndAnAxisOfEventsStay) {
  const LoadedTrace early =
      read_back(as_tsd(R"([{"name":"a","ph":"X","ts":-3,"dur":5,"pid":7,"tid":9}])"));
  EXPECT_EQ(first_slice(early).begin_ns, -3'000);
  EXPECT_EQ(first_slice(early).duration_ns, 5'000);
}

TEST(ThreadStreamWriterTest, OverlapsInstantsFlowsCountersAndAsyncCallsStay) {
  const Written file = as_tsd(
      R"([{"name":"a","ph":"X","ts":0,"dur":10,"pid":7,"tid":9},
          {"name":"b","ph":"X","ts":5,"dur":10,"pid":7,"tid":9},
          {"name":"mark","ph":"i","ts":6,"pid":7,"tid":9,"s":"t"},
          {"name":"flow","ph":"s","ts":1,"pid":7,"tid":9,"id":4},
          {"name":"c","ph":"X","ts":20,"dur":10,"pid":7,"tid":9},
          {"name":"flow","ph":"f","bp":"e","ts":21,"pid":7,"tid":9,"id":4},
          {"name":"mem","ph":"C","ts":2,"pid":7,"args":{"used":1.5,"free":2}},
          {"name":"io","cat":"net","ph":"b","ts":3,"pid":7,"tid":9,"id":"0x1"},
          {"name":"io","cat":"net","ph":"e","ts":9,"pid":7,"tid":9,"id":"0x1"}])");
  const LoadedTrace again = read_back(file);
  EXPECT_EQ(again.timeline.slice_count, 3u);
  EXPECT_EQ(again.timeline.instant_count, 1u);
  EXPECT_EQ(again.timeline.flow_count, 1u);
  EXPECT_EQ(again.timeline.async_slice_count, 1u);
  std::vector<std::string> counters;
  for (const Track& track : again.timeline.tracks) {
    if (track.kind == TrackKind::counter) {
      counters.emplace_back(again.timeline.text(track.name));
    }
  }
  EXPECT_EQ(counters, (std::vector<std::string>{"mem.used", "mem.free"}));
  EXPECT_EQ(threads_of(again),
            (std::vector<std::string>{"9 ", "4294967296 9 (overlap 2)", "4294967297 "}));
}

TEST(ThreadStreamWriterTest, UnfinishedCallsStayUnfinishedAndAsLong) {
  const LoadedTrace again = read_back(as_tsd(R"([{"name":"a","ph":"B","ts":0,"pid":7,"tid":9},
                 {"name":"b","ph":"X","ts":1,"dur":9,"pid":7,"tid":9}])"));
  EXPECT_EQ(again.timeline.unfinished_count, 1u);
  EXPECT_EQ(first_slice(again).duration_ns, 10'000);
}

TEST(ThreadStreamWriterTest, ACutCallRemembersWhatItWas) {
  const Written file =
      as_tsd(R"([{"name":"a","ph":"X","ts":0,"dur":10,"pid":7,"tid":9,"args":{"k":1}}])",
             {.from = 2'000, .to = 6'500});
  const LoadedTrace again = read_back(file);
  EXPECT_EQ(first_slice(again).flags, kCutBegin | kCutEnd);
  const RecordText text = again.source->describe(first_slice(again).record, kNoRecord);
  ASSERT_TRUE(text.cut);
  EXPECT_EQ(text.cut->begin_ns, 0);
  EXPECT_EQ(text.cut->duration_ns, 10'000);
  EXPECT_EQ(text.args.raw, R"({"k":1})");
}

TEST(ThreadStreamWriterTest, SeveralProcessesNeedAFolder) {
  const LoadedTrace trace =
      load_bytes("google_json", R"([{"name":"a","ph":"X","ts":0,"dur":10,"pid":7,"tid":9},
                         {"name":"b","ph":"X","ts":0,"dur":10,"pid":8,"tid":9},
                         {"name":"process_name","ph":"M","pid":8,"args":{"name":"a/b"}}])");
  EXPECT_THROW(written(trace, tsd()), std::runtime_error);
  const TempDir folder;
  Output out(folder.path() / "out", OutputPacking::none);
  LoadContext context({.jobs = 1});
  PartReader part(trace.timeline, trace.source.get(), {}, context);
  LossReport losses;
  ASSERT_TRUE(tsd().write(part, out, losses));
  ASSERT_TRUE(out.commit());
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "out" / "process-7.tsd"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "out" / "a_b-8.tsd"));
}

// Names that stay as they are, but could not: so a track is read in one walk.
class SameStreamNames final : public NameChanger {
 public:
  bool keeps(std::string_view) override { return true; }
  std::string_view changed(std::string_view name) override { return name; }
};

// Calls of three threads, one of them with overlaps; categories, arguments, stacks, marks, and
// points of flows, some for the call that begins next.
std::string many_calls_and_points() {
  std::string json = "[";
  std::array<int, 3> count = {};
  for (int i = 0; i < 60'000; ++i) {
    const std::size_t thread = i % 10 == 1 ? 1 : i % 10 == 2 ? 2 : 0;
    const int at = count.at(thread)++;
    const int ts = thread == 2 ? at * 3 - at % 7 : at / 7 * 21 + at % 7;
    const int dur = thread == 2 ? at % 11 : 8 - at % 7;
    json +=
        fmt::format(R"({}{{"name":"f{}","cat":"c{}","ph":"X","ts":{},"dur":{},"pid":1,"tid":{})",
                    i == 0 ? "" : ",", at % 50, at % 3, ts, dur, thread);
    if (at % 4 == 0)
      json += fmt::format(R"(,"args":{{"k{}":{},"more":"text {}"}})", i / 100, at, i);
    if (at % 100 == 0) json += R"(,"stack":["outer","inner"])";
    json += "}";
    if (i % 11 == 0)
      json +=
          fmt::format(R"(,{{"name":"mark","ph":"i","ts":{},"pid":1,"tid":{},"args":{{"i":{}}}}})",
                      ts + 1, thread, i);
    if (i % 13 == 0) {
      json += fmt::format(R"(,{{"name":"to","ph":"s","id":{},"ts":{},"pid":1,"tid":{}}})", i, ts,
                          thread);
      json +=
          fmt::format(R"(,{{"name":"to","ph":"f","id":{},"ts":{},"pid":1,"tid":0}})", i, ts + 9);
    }
  }
  return json + R"(,{"name":"open","ph":"B","ts":-1,"pid":1,"tid":0}])";
}

TEST(ThreadStreamWriterTest, PiecesAreWhatOneWalkGivesForAnyNumberOfJobs) {
  const LoadedTrace json = load_bytes("google_json", many_calls_and_points());
  const LoadedTrace own = load_bytes("thread_stream", written(json, tsd()).bytes);
  for (const LoadedTrace* trace : {&json, &own}) {
    LoadContext context;
    const PartReader part(trace->timeline, nullptr, {}, context);
    EXPECT_GT(part.pieces_of(part.tracks().front(), 16384).size(), 1u);
    // Depths and shortest lengths leave out slices with which pieces begin.
    for (PartOptions options :
         {PartOptions{}, PartOptions{.min_duration = 7'500}, PartOptions{.depth = 3},
          PartOptions{.from = 1'000'000, .to = 90'000'000}}) {
      options.names = std::make_shared<SameStreamNames>();
      const Written one_walk = written(*trace, tsd(), options);
      options.names = nullptr;
      for (const unsigned jobs : {1u, 4u}) {
        const Written pieces = written(*trace, tsd(), options, jobs);
        EXPECT_TRUE(pieces.bytes == one_walk.bytes) << jobs;
        EXPECT_EQ(pieces.losses.sentence("f"), one_walk.losses.sentence("f"));
      }
    }
  }
}

}  // namespace
}  // namespace cinderscope
