// Damaged files: whatever is wrong, loading ends and keeps what lies before.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "formats/all_formats.h"
#include "tests/support/dump.h"
#include "tests/support/load.h"
#include "tests/support/open_input.h"
#include "tests/support/source_dir.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

std::vector<std::byte> golden(const std::string& path) {
  return read_file(test::source_dir() + "/tests/golden/flow/" + path);
}

// The slices, or nothing where there is no trace; an error has to say why.
std::uint64_t slices_of(std::vector<std::byte> bytes, unsigned jobs = 1) {
  auto source = format_named("flow")->open(Input::from_memory("unknown", std::move(bytes)));
  if (!source) {
    EXPECT_FALSE(source.error().text.empty());
    return 0;
  }
  LoadContext context({.jobs = jobs});
  const Result<Timeline> timeline = read_timeline(**source, context);
  EXPECT_TRUE(timeline);
  if (!timeline) return 0;
  EXPECT_FALSE(dump(*timeline, source->get()).empty());
  return timeline->slice_count;
}

const char* const kInputs[] = {"example/input/thread-1.flow",  "big_ids/input/thread-1.flow",
                               "json_lines/input.bin",         "json_with_threads/input.bin",
                               "old_invocation_ids/input.bin", "old_name_ids/input.bin",
                               "old_threads/input.bin"};

TEST(FlowDamageTest, CutFilesShowAllThatIsWhole) {
  for (const char* name : kInputs) {
    const auto whole = golden(name);
    std::uint64_t last = 0;
    for (std::size_t size = 0; size <= whole.size(); ++size) {
      const auto slices =
          slices_of({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
      EXPECT_GE(slices, last) << name << " cut at " << size;
      last = slices;
    }
    EXPECT_GT(last, 0u) << name;
  }
}

TEST(FlowDamageTest, AnyFlippedByteIsSurvived) {
  for (const char* name : kInputs) {
    auto bytes = golden(name);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      for (const std::byte flip :
           {std::byte{0x01}, std::byte{0x40}, std::byte{0x80}, std::byte{0xff}}) {
        bytes[i] ^= flip;
        static_cast<void>(slices_of(bytes));
        bytes[i] ^= flip;
      }
    }
  }
}

TEST(FlowDamageTest, AnyDamageToTheMappingLeavesTheCalls) {
  const auto names = golden("keys/input/ids.properties");
  const auto calls = golden("keys/input/thread-1.flow");
  const TempDir dir;
  dir.write("thread-1.flow", calls);
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto damaged = names;
    damaged[i] ^= std::byte{0xff};
    if (i % 2 != 0) damaged.resize(i);
    dir.write("ids.properties", damaged);
    const LoadedTrace trace = load_trace(*format_named("flow"), opened(dir.path()), {.jobs = 1});
    EXPECT_EQ(trace.timeline.slice_count, 12u) << i;
  }
}

TEST(FlowDamageTest, AHalfEventIsReportedWithItsPlace) {
  const LoadedTrace trace = load_trace(
      *format_named("flow"), Input::from_memory("x", bytes_of("\x80\xc0\x80")), {.jobs = 1});
  const Diagnostic& cut = trace.timeline.diagnostics.by_code().at("truncated");
  EXPECT_EQ(cut.first_offset, 1);
  EXPECT_EQ(cut.text, "The file ends in the middle of an event; its 2 bytes were left out.");
}

TEST(FlowDamageTest, AnEventOfMoreThan64BitsEndsTheFile) {
  for (const char* tail : {"\xc0\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",  // too long
                           "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x04"}) {   // too large
    const LoadedTrace trace =
        load_trace(*format_named("flow"),
                   Input::from_memory("x", bytes_of(std::string("\x80\x81") + tail + "\x82")));
    EXPECT_EQ(trace.timeline.slice_count, 2u);
    EXPECT_EQ(trace.timeline.diagnostics.by_code().at("data_damaged").first_offset, 2);
  }
}

TEST(FlowDamageTest, ALineThatNeverEndsIsGivenUp) {
  std::string text = "{\"e\":\"enter\",\"method\":3}\n{\"e\":\"";
  text.append(20'000'000, 'x');
  const LoadedTrace trace = load_trace(
      *format_named("flow"), Input::from_memory("x", bytes_of(text)), {.window_bytes = 1024});
  EXPECT_EQ(trace.timeline.slice_count, 1u);
  EXPECT_EQ(trace.timeline.diagnostics.by_code().at("data_damaged").first_offset, 25);
}

}  // namespace
}  // namespace cinderscope
