#include "app/session/open_trace.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "formats/all_formats.h"
#include "tests/support/load.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

constexpr std::string_view kTrace = R"([{"ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"name":"f"}])";

TEST(OpenTraceTest, LoadsAFileByItsContent) {
  const TempDir folder;
  const std::string path = folder.write("no ending", kTrace).string();
  const Result<OpenedTrace> trace = open_trace(path, {.jobs = 2});
  ASSERT_TRUE(trace) << trace.error().text;
  EXPECT_EQ(trace->format->name(), "google_json");
  EXPECT_EQ(trace->timeline.slice_count, 1u);
  EXPECT_EQ(trace->jobs, 2u);
  EXPECT_EQ(trace->path, path);
}

TEST(OpenTraceTest, LoadsWhatIsCompressed) {
  const TempDir folder;
  const auto packed = gzipped(bytes_of(kTrace));
  const Result<OpenedTrace> trace = open_trace(folder.write("t.bin", packed).string(), {});
  ASSERT_TRUE(trace) << trace.error().text;
  EXPECT_EQ(trace->timeline.slice_count, 1u);
}

TEST(OpenTraceTest, SaysWhyAFileCannotBeOpened) {
  const TempDir folder;
  const auto code_of = [](const std::string& path) {
    const Result<OpenedTrace> trace = open_trace(path, {});
    return trace ? "opened" : trace.error().text.empty() ? "no text" : "refused";
  };
  EXPECT_STREQ(code_of((folder.path() / "missing").string()), "refused");
  EXPECT_STREQ(code_of(folder.write("empty", "").string()), "refused");
  EXPECT_STREQ(code_of(folder.write("text", "Dear diary,\n").string()), "refused");
  EXPECT_STREQ(code_of(folder.path().string()), "refused");
}

TEST(OpenTraceTest, SaysWhereAndWhatWasExpected) {
  EXPECT_EQ(message_of("a.json", {ErrorCode::damaged, "It is torn.", "Expected more.", 12}),
            "a.json: It is torn. (byte 12) Expected more.");
  EXPECT_EQ(message_of("-", {ErrorCode::damaged, "It is torn.", {}}),
            "standard input: It is torn.");
}

TEST(OpenTraceTest, ShowsNothingOfWhatTakesMostOfTheDisk) {
  const TempDir folder;
  const auto packed = gzipped(bytes_of(std::string(kTrace) + std::string(100'000'000, ' ')));
  Result<Input> input = Input::from_path(folder.write("t.gz", packed), 1e-6);
  ASSERT_TRUE(input);
  const Format& json = *format_named("google_json");
  Result<std::unique_ptr<TraceSource>> source = json.open(std::move(*input));
  ASSERT_TRUE(source);
  LoadContext context;
  const auto trace = load_opened("t.gz", {.source = std::move(*source), .format = &json}, context);
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().code, ErrorCode::too_large);  // the window offers to load it anyway
  EXPECT_NE(trace.error().text.find("GB are free"), std::string::npos);
  EXPECT_NE(trace.error().expected.find("--beyond-memory"), std::string::npos);
}

TEST(OpenTraceTest, EndsALoadThatFillsTheMemory) {
  const TempDir folder;
  std::string text = "[";
  for (int i = 0; i < 400'000; ++i)
    text += std::string(kTrace.substr(1, kTrace.size() - 2)) + ",\n";
  static std::uint64_t free_bytes = 0;
  free_bytes = std::uint64_t{8} << 30;
  LoadContext context({.jobs = 1, .window_bytes = 64 << 10, .free_memory = [] {
                         return std::exchange(free_bytes, 0);
                       }});
  const Format& json = *format_named("google_json");
  Result<std::unique_ptr<TraceSource>> source =
      json.open(Input::from_memory("t.json", bytes_of(text)));
  ASSERT_TRUE(source);
  const auto trace = load_opened("t", {.source = std::move(*source), .format = &json}, context);
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().code, ErrorCode::too_large);
}

}  // namespace
}  // namespace cinderscope
