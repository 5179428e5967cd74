// Names that lie in a file beside a thread stream, or are given later.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "formats/all_formats.h"
#include "formats/thread_stream/wire.h"
#include "ingest/format/symbols.h"
#include "ingest/input/crc32.h"
#include "tests/support/load.h"
#include "tests/support/open_input.h"
#include "tests/support/source_dir.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

std::vector<std::byte> golden_dump(const std::string& name) {
  return read_file(test::source_dir() + "/tests/golden/thread_stream/" + name + "/input.tsd");
}

// A file of names out of the tables of a trace.
std::vector<std::byte> as_names(std::vector<std::byte> trace) {
  trace[15] |= std::byte{thread_stream::kNamesOnly};
  const std::uint32_t crc = crc32_of(std::span(trace).first(60));
  std::memcpy(trace.data() + 60, &crc, sizeof crc);
  return trace;
}

// The first chunk, a table, without its contents: a trace that names nothing.
std::vector<std::byte> without_methods(std::vector<std::byte> trace) {
  const std::string_view text(reinterpret_cast<const char*>(trace.data()), trace.size());
  std::vector<std::byte> bytes = trace;
  // METHOD entries become padding.
  for (std::size_t at = 128; at + 8 <= text.size();) {
    std::uint32_t size = 0;
    std::memcpy(&size, trace.data() + at, sizeof size);
    if (size == 0 || size % 8 != 0 || text.substr(at, 4) == "TSCK") break;
    if (bytes[at + 4] == std::byte{10} || bytes[at + 4] == std::byte{8}) bytes[at + 4] = {};
    at += size;
  }
  return bytes;
}

std::vector<std::string> names_of(const Timeline& timeline) {
  std::vector<std::string> names;
  for (const SliceRow& row : timeline.tracks.front().root().rows) {
    for (std::uint64_t i = 0; i < row.count(); ++i) {
      names.emplace_back(timeline.text(row.slice(i).name));
    }
  }
  return names;
}

std::uint64_t cases(const Timeline& timeline, std::string_view code) {
  const auto found = timeline.diagnostics.by_code().find(code);
  return found == timeline.diagnostics.by_code().end() ? 0 : found->second.count;
}

const Format& format() {
  return *format_named("thread_stream");
}

using Names = std::vector<std::string>;
const Names kNamed = {"Shop.Order.Add", "Shop.Cart.Add", "Total", "Shop.dll!0x06000999",
                      "asm #9!0x06000001"};
const Names kNameless = {"asm #3!0x06000123", "asm #3!0x06000123", "asm #3!0x06000124",
                         "asm #3!0x06000999", "asm #9!0x06000001"};

TEST(ThreadStreamNamesTest, AFileOfNamesIsNoTrace) {
  const TempDir dir;
  EXPECT_EQ(format().probe(opened(dir.write("a.tsdnames", as_names(golden_dump("managed"))))),
            Match::no);
  EXPECT_EQ(format().probe(opened(dir.write("a.tsd", golden_dump("managed")))), Match::certain);
}

TEST(ThreadStreamNamesTest, TheFileBesideIsTaken) {
  const TempDir dir;
  const auto trace = without_methods(golden_dump("managed"));
  const auto path = dir.write("run.tsd", trace);
  EXPECT_EQ(names_of(load_trace(format(), opened(path)).timeline), kNameless);
  dir.write("names.tsdnames", as_names(golden_dump("managed")));
  EXPECT_EQ(names_of(load_trace(format(), opened(path)).timeline), kNamed);
  // The first that exists, whatever it is.
  dir.write("run.tsdnames", "no such file");
  const LoadedTrace left_out = load_trace(format(), opened(path));
  EXPECT_EQ(names_of(left_out.timeline), kNameless);
  EXPECT_EQ(cases(left_out.timeline, "names_mismatch"), 1u);
  dir.write("run.tsdnames", as_names(golden_dump("managed")));
  const auto packed = dir.write("run.tsd.gz", gzipped(trace));
  EXPECT_EQ(names_of(load_trace(format(), opened(packed)).timeline), kNamed);
}

TEST(ThreadStreamNamesTest, WhatIsWrongInItHasNoOffset) {
  const TempDir dir;
  auto names = as_names(golden_dump("managed"));
  names.resize(names.size() - 100);
  const auto path = dir.write("run.tsd", without_methods(golden_dump("managed")));
  dir.write("run.tsdnames", names);
  const LoadedTrace trace = load_trace(format(), opened(path));
  EXPECT_EQ(names_of(trace.timeline), kNamed);
  ASSERT_EQ(cases(trace.timeline, "truncated"), 1u);
  EXPECT_EQ(trace.timeline.diagnostics.by_code().find("truncated")->second.first_offset, -1);
}

TEST(ThreadStreamNamesTest, NamesGivenLaterChangeNamesAlone) {
  const TempDir dir;
  const auto path = dir.write("run.tsd", without_methods(golden_dump("managed")));
  const auto given = dir.write("other.tsdnames", as_names(golden_dump("managed")));
  const LoadedTrace trace = load_trace(format(), opened(path));
  ASSERT_NE(trace.source->symbols(), nullptr);
  LoadContext context;
  SymbolOptions wanted;
  wanted.mapping_path = given.string();
  const auto now = renamed(trace.timeline, *trace.source->symbols(), wanted, context);
  ASSERT_TRUE(now);
  // A method that was called for two classes had one name; now it has two.
  EXPECT_EQ(names_of(*now), kNamed);
  EXPECT_EQ(now->slice_count, trace.timeline.slice_count);
  const auto back = renamed(*now, *trace.source->symbols(), {}, context);
  ASSERT_TRUE(back);
  EXPECT_EQ(names_of(*back), kNameless);
  const auto again = renamed(*back, *trace.source->symbols(), wanted, context);
  ASSERT_TRUE(again);
  EXPECT_EQ(names_of(*again), kNamed);
}

}  // namespace
}  // namespace cinderscope
