// Damaged and cut thread streams: loading ends, keeps what lies before, and says what was wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "formats/all_formats.h"
#include "tests/support/dump.h"
#include "tests/support/load.h"
#include "tests/support/source_dir.h"

namespace cinderscope {
namespace {

std::vector<std::byte> golden(const std::string& name) {
  return read_file(test::source_dir() + "/tests/golden/thread_stream/" + name + "/input.tsd");
}

// All that is to be told of it, or nothing where there is no trace; an error has to say why.
std::string dump_of(std::vector<std::byte> bytes, LoadOptions options = {.jobs = 1}) {
  auto source =
      format_named("thread_stream")->open(Input::from_memory("unknown", std::move(bytes)));
  if (!source) {
    EXPECT_FALSE(source.error().text.empty());
    return {};
  }
  LoadContext context(options);
  const Result<Timeline> timeline = read_timeline(**source, context);
  EXPECT_TRUE(timeline);
  return timeline ? dump(*timeline, source->get()) : std::string();
}

TEST(ThreadStreamDamageTest, WhatARingWroteOverIsAGapFromWhereItsThreadAttached) {
  auto bytes = golden("lost_begin");
  // The thread's entry: size 64 and its tag; its stream, name and id; then its first tick, unknown.
  const std::uint64_t head[] = {64 | std::uint64_t{4} << 32, 1 | std::uint64_t{1} << 32, 100};
  std::byte looked_for[sizeof head];
  std::memcpy(looked_for, head, sizeof head);
  const auto entry =
      std::search(bytes.begin(), bytes.end(), std::begin(looked_for), std::end(looked_for));
  ASSERT_NE(entry, bytes.end());
  EXPECT_NE(dump_of(bytes).find("gap of 42/100 500 to 500"), std::string::npos);
  entry[sizeof head] = std::byte{200};
  EXPECT_NE(dump_of(bytes).find("gap of 42/100 200 to 500"), std::string::npos);
}

const char* const kInputs[] = {"stacks",  "addresses", "async", "packed_other_codes",
                               "lz4_cut", "pauses",    "live",  "threads",
                               "managed"};

TEST(ThreadStreamDamageTest, AFileCutAnywhereIsReadAndSaysSo) {
  for (const char* name : {"stacks", "packed_other_codes", "lz4_cut", "live", "async"}) {
    const auto whole = golden(name);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const std::string text =
          dump_of({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
      if (size < 64) {
        EXPECT_TRUE(text.empty()) << name << " cut at " << size;
      } else {
        ASSERT_FALSE(text.empty()) << name << " cut at " << size;
      }
    }
  }
}

TEST(ThreadStreamDamageTest, AnyFlippedByteIsSurvivedAndTheSameForAnyJobs) {
  for (const char* name : kInputs) {
    auto bytes = golden(name);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const auto flip = static_cast<std::byte>(1u << i % 8);
      bytes[i] ^= flip;
      const std::string text = dump_of(bytes);
      if (i % 32 == 0) {
        EXPECT_EQ(text, dump_of(bytes, {.jobs = 3, .window_bytes = 64}))
            << name << " flipped at " << i;
      }
      bytes[i] ^= flip;
    }
  }
}

TEST(ThreadStreamDamageTest, OtherMajorVersionsAndShortFilesAreRefused) {
  const Format& format = *format_named("thread_stream");
  auto bytes = golden("minimal");
  bytes.resize(63);
  const auto cut = format.open(Input::from_memory("unknown", bytes));
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().offset_bytes, 63);
}

}  // namespace
}  // namespace cinderscope
