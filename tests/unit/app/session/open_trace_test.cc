#include "app/session/open_trace.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <thread>

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

TEST(OpenTraceTest, TakesAFileForItself) {
  const auto traces = traces_of("some/missing.json");
  ASSERT_TRUE(traces);
  EXPECT_EQ(*traces, std::vector<std::string>{"some/missing.json"});
  EXPECT_EQ(*traces_of("-"), std::vector<std::string>{"-"});
}

TEST(OpenTraceTest, FindsTheTracesOfAFolder) {
  const TempDir folder;
  const std::string b = folder.write("b.json", kTrace).string();
  const std::string a = folder.write("a", kTrace).string();
  folder.write("notes.txt", "Dear diary,\n");
  folder.write("empty.json", "");
  std::filesystem::create_directory(folder.path() / "inner");
  ASSERT_EQ(mkfifo((folder.path() / "pipe").c_str(), 0600), 0);  // nobody will ever write to it
  const auto traces = traces_of(folder.path().string());
  ASSERT_TRUE(traces) << traces.error().text;
  EXPECT_EQ(*traces, (std::vector<std::string>{a, b}));
}

TEST(OpenTraceTest, FindsTheTracesOfFoldersBelowWhereItHoldsNone) {
  const TempDir folder;
  const auto write = [&](const std::string& path, std::string_view content) {
    std::filesystem::create_directories((folder.path() / path).parent_path());
    return folder.write(path, content).string();
  };
  const std::string a = write("server/2026/a.json", kTrace);
  const std::string b = write("server/2027/01/b.json", kTrace);
  write("server/2027/01/deeper/c.json", kTrace);  // a folder that holds traces ends the search
  write("server/notes.txt", "Dear diary,\n");
  std::filesystem::create_directory_symlink(folder.path(), folder.path() / "server/circle");
  const auto traces = traces_of(folder.path().string());
  ASSERT_TRUE(traces) << traces.error().text;
  EXPECT_EQ(*traces, (std::vector<std::string>{a, b}));
  EXPECT_FALSE(are_folders(*traces));
  EXPECT_TRUE(are_folders({folder.path().string()}));
}

TEST(OpenTraceTest, SaysWhichLimitEndedTheSearch) {
  const TempDir folder;
  for (const char* path : {"a/b", "c", "d"}) {
    std::filesystem::create_directories(folder.path() / path);
    folder.write(std::string(path) + "/t.json", kTrace);
  }
  const std::string top = folder.path().string();
  const auto note = [&](const FolderLimits& limits) {
    std::string left_out;
    static_cast<void>(traces_of(top, &left_out, limits));
    return left_out;
  };
  EXPECT_EQ(note({}), "");
  EXPECT_EQ(note({.traces = 3}), "");
  EXPECT_NE(note({.traces = 2}).find("more than 2 traces"), std::string::npos);
  EXPECT_NE(note({.folders = 3}).find("more than 3 folders"), std::string::npos);
  EXPECT_EQ(note({.folders = 4}), "");
  EXPECT_NE(note({.levels = 1}).find("more than 1 levels"), std::string::npos);
}

TEST(OpenTraceTest, SaysWhatAFolderWithoutTracesHolds) {
  const TempDir folder;
  const auto none = traces_of(folder.path().string());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().text, "The folder is empty.");
  folder.write("notes.txt", "Dear diary,\n");
  const auto no_trace = traces_of(folder.path().string());
  ASSERT_FALSE(no_trace);
  EXPECT_EQ(no_trace.error().code, ErrorCode::not_recognised);
}

TEST(OpenTraceTest, WaitsForTheHeadOfAPipeUntilItIsCancelled) {
  const TempDir folder;
  const std::filesystem::path pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const Result<Input> silent = input_named(pipe.string());
  ASSERT_TRUE(silent) << silent.error().text;
  LoadContext control;
  std::jthread user([&control] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    control.cancel();
  });
  EXPECT_FALSE(await_head(*silent, control));

  const Result<Input> file = input_named(folder.write("t.json", kTrace).string());
  ASSERT_TRUE(file);
  EXPECT_TRUE(await_head(*file, LoadContext()));
}

TEST(OpenTraceTest, SaysWhereAndWhatWasExpected) {
  EXPECT_EQ(message_of("a.json", {ErrorCode::damaged, "It is torn.", "Expected more.", 12}),
            "a.json: It is torn. (byte 12) Expected more.");
  EXPECT_EQ(message_of("-", {ErrorCode::damaged, "It is torn.", {}}),
            "standard input: It is torn.");
}

}  // namespace
}  // namespace cinderscope
