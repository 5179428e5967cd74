// The format that formats/README.md shows: it is what is compiled, and it keeps the contract.
#include <gtest/gtest.h>

#include <string>

#include "ingest/format/format.h"
#include "tests/support/dump.h"
#include "tests/support/load.h"
#include "tests/support/source_dir.h"

namespace cinderscope {

const Format& ticktock_format();

namespace {

constexpr std::string_view kTrace =
    "ticktock 1\n"
    "main begin 10 outer call\n"
    "worker begin 5 f\n"
    "main begin 20 inner\n"
    "main end 30\n"
    "nonsense\n"
    "main end 40\n"
    "worker end 99999999999999999999\n"
    "worker end 9223372036854775807\n";

LoadedTrace load_ticktock(std::string_view text, LoadOptions options = {}) {
  return load_trace(ticktock_format(), Input::from_memory("x", bytes_of(text)), options);
}

TEST(ExampleFormatTest, IsWhatTheReadmeShows) {
  const auto file = [](const std::string& path) {
    const std::vector<std::byte> bytes = read_file(test::source_dir() + path);
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  const std::string shown = "```cpp\n" + file("/tests/example_format/ticktock_format.cc") + "```\n";
  EXPECT_NE(file("/formats/README.md").find(shown), std::string::npos);
}

TEST(ExampleFormatTest, RecognisesItsTraces) {
  const auto probe = [](std::string_view text) {
    return ticktock_format().probe(Input::from_memory("x", bytes_of(text)));
  };
  EXPECT_EQ(probe(kTrace), Match::certain);
  EXPECT_EQ(probe("ticktock 2\n"), Match::no);
  EXPECT_EQ(probe(""), Match::no);
}

TEST(ExampleFormatTest, GivesSlicesTheirLinesAndWhatIsWrong) {
  const LoadedTrace trace = load_ticktock(kTrace);
  EXPECT_EQ(trace.timeline.slice_count, 3u);
  ASSERT_EQ(trace.timeline.threads.size(), 2u);
  const SliceBlock& main = trace.timeline.tracks[index(trace.timeline.threads[0].track)].root();
  const Slice outer = main.rows.at(0).slice(0);
  EXPECT_EQ(trace.timeline.text(outer.name), "outer call");
  EXPECT_EQ(outer.duration_ns, 30);
  EXPECT_EQ(trace.source->describe(outer.record, kNoRecord).line, "main begin 10 outer call");
  EXPECT_EQ(trace.timeline.diagnostics.by_code().at("bad_line").count, 2u);
  EXPECT_EQ(trace.timeline.diagnostics.by_code().at("clamped_time").count, 1u);
}

TEST(ExampleFormatTest, LoadsTheSameInTinyWindowsAndPacked) {
  const LoadedTrace whole = load_ticktock(kTrace),
                    tiny = load_ticktock(kTrace, {.jobs = 3, .window_bytes = 64});
  const LoadedTrace packed =
      load_trace(ticktock_format(), Input::from_memory("x", gzipped(bytes_of(kTrace))));
  const std::string expected = dump(whole.timeline, whole.source.get());
  EXPECT_EQ(dump(tiny.timeline, tiny.source.get()), expected);
  EXPECT_EQ(dump(packed.timeline, packed.source.get()), expected);
}

TEST(ExampleFormatTest, LoadsWhatIsCutAnywhere) {
  for (std::size_t size = 11; size <= kTrace.size(); ++size) {
    EXPECT_LE(load_ticktock(kTrace.substr(0, size)).timeline.slice_count, 3u);
  }
}

TEST(ExampleFormatTest, NeedsToKnowNothingOfTimesThatStepBack) {
  const LoadedTrace trace =
      load_ticktock("ticktock 1\nt begin 20 b\nt end 30\nt begin 0 a\nt end 10\n");
  EXPECT_EQ(trace.timeline.slice_count, 2u);
  EXPECT_EQ(trace.timeline.record_count, 4u);
}

TEST(ExampleFormatTest, EndsOnceItIsCancelled) {
  const auto source = ticktock_format().open(Input::from_memory("x", bytes_of(kTrace)));
  LoadContext context;
  context.cancel();
  const Result<Timeline> timeline = read_timeline(**source, context);
  ASSERT_FALSE(timeline);
  EXPECT_EQ(timeline.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace cinderscope
