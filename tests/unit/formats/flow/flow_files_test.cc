// Which files are taken for parts of a Flow trace.
#include "formats/flow/flow_files.h"

#include <gtest/gtest.h>

#include <utility>

#include "formats/all_formats.h"
#include "tests/support/load.h"
#include "tests/support/open_input.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kOneCall = "\x80\x00"sv;

// The format that claims a file of that name, or why none does.
std::string format_of(const std::string& name, std::string_view content) {
  const TempDir dir;
  const auto input = Input::from_path(dir.write(name, content));
  if (!input) return input.error().text;
  const auto format = detect(all_formats(), *input);
  return format ? std::string((*format)->name()) : format.error().text;
}

TEST(FlowFilesTest, NumbersOfThreadsComeFromTheNames) {
  EXPECT_EQ(flow::tid_of_name("thread-7.flow"), "7");
  EXPECT_EQ(flow::tid_of_name("thread-0012.jsonl.gz"), "0012");
  for (const char* name :
       {"thread-.flow", "thread-x.flow", "thread-7.txt", "thread-7", "athread-7.flow"}) {
    EXPECT_EQ(flow::tid_of_name(name), "") << name;
  }
}

TEST(FlowFilesTest, TheCurrentLayoutNeedsTheNameAndBytesThatMakeSense) {
  EXPECT_EQ(format_of("thread-1.flow", kOneCall), "flow");
  EXPECT_EQ(format_of("calls.flow", kOneCall), "flow");
  EXPECT_EQ(format_of("calls.bin", kOneCall),
            "\"calls.bin\" is not a trace: it is an unknown binary format ("
            "starts with 80 00).");
  EXPECT_NE(format_of("calls.flow", "strict digraph of another tool"), "flow");
  EXPECT_NE(format_of("picture.flow", "\x89PNG\r\n\x1a\n"), "flow");
  EXPECT_NE(format_of("text.flow", "\xff\xfet\0e\0x\0t\0"sv), "flow");
  EXPECT_NE(format_of("exit.flow", "\x80\x00\x00"sv), "flow");
}

TEST(FlowFilesTest, OtherLayoutsAreToldByTheirContent) {
  EXPECT_EQ(format_of("anything", "{\"e\":\"enter\",\"method\":3}\n"), "flow");
  EXPECT_EQ(format_of("anything",
                      "\x01\xc1\x05"
                      "a#b(I"sv),
            "flow");
  EXPECT_NE(format_of("anything",
                      "\x01\xc1\x05"
                      "a.b(I"sv),
            "flow");
  EXPECT_EQ(format_of("thread-1.jsonl", "{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"name\":\"a\"}\n"),
            "google_json");
}

TEST(FlowFilesTest, AnEmptyThreadFileIsAThreadWithoutCalls) {
  EXPECT_EQ(format_of("thread-3.flow", ""), "flow");
  EXPECT_EQ(format_of("other", ""), "\"other\" is empty (0 bytes).");
  const TempDir dir;
  const LoadedTrace trace =
      load_trace(*format_named("flow"), opened(dir.write("thread-3.flow", std::string_view())));
  ASSERT_EQ(trace.timeline.tracks.size(), 1u);
  EXPECT_EQ(trace.timeline.slice_count, 0u);
  EXPECT_TRUE(trace.timeline.diagnostics.by_code().empty());
}

TEST(FlowFilesTest, FoldersAreOrderedByNumberAndOneMappingIsForAll) {
  const TempDir dir;
  for (const char* name : {"thread-10.flow", "thread-9.flow", "thread-100.flow"}) {
    dir.write(name, kOneCall);
  }
  dir.write("ids.properties", "a.B#c()V=0\n");
  dir.write("readme.txt", "nothing");
  Input folder = opened(dir.path());
  ASSERT_EQ(format_named("flow")->probe(folder), Match::certain);
  const LoadedTrace trace = load_trace(*format_named("flow"), std::move(folder), {.jobs = 3});
  std::string tids;
  for (const Thread& thread : trace.timeline.threads) {
    tids += std::string(trace.timeline.text(thread.tid)) + " ";
  }
  EXPECT_EQ(tids, "9 10 100 ");
  EXPECT_EQ(trace.timeline.slice_count, 3u);
  EXPECT_FALSE(trace.timeline.diagnostics.by_code().contains("unknown_name"));
}

TEST(FlowFilesTest, TheMappingItselfOpensItsFolder) {
  const TempDir dir;
  dir.write("thread-1.flow", kOneCall);
  Input mapping = opened(dir.write("ids.properties", "a.B#c()V=0\n"));
  EXPECT_EQ(format_named("flow")->probe(mapping), Match::maybe);
  EXPECT_EQ(load_trace(*format_named("flow"), std::move(mapping)).timeline.slice_count, 1u);
}

TEST(FlowFilesTest, AMappingWithoutThreadsSaysThatNothingWasCalled) {
  const TempDir dir;
  dir.write("ids.properties", "");
  Input folder = opened(dir.path());
  EXPECT_EQ(format_named("flow")->probe(folder), Match::maybe);
  const auto source = format_named("flow")->open(std::move(folder));
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().text,
            "The folder has a mapping but no thread files: nothing was called.");
}

TEST(FlowFilesTest, AnyNumberOfThreadFilesOpens) {
  const TempDir dir;
  constexpr int kThreads = 1500;  // more than a process may have open
  for (int i = 1; i <= kThreads; ++i) dir.write("thread-" + std::to_string(i) + ".flow", kOneCall);
  const LoadedTrace trace = load_trace(*format_named("flow"), opened(dir.path()));
  EXPECT_EQ(trace.timeline.tracks.size(), static_cast<std::size_t>(kThreads));
  EXPECT_EQ(trace.timeline.slice_count, static_cast<std::uint64_t>(kThreads));
}

}  // namespace
}  // namespace cinderscope
