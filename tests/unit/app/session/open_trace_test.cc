#include "app/session/open_trace.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace cinderscope
