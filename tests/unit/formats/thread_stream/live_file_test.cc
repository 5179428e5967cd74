// A file that is written while it is read.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "formats/all_formats.h"
#include "formats/thread_stream/wire.h"
#include "ingest/input/crc32.h"
#include "tests/support/load.h"
#include "tests/support/open_input.h"
#include "tests/support/source_dir.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

using namespace thread_stream;

std::vector<std::byte> live_bytes() {
  return read_file(test::source_dir() + "/tests/golden/thread_stream/live/input.tsd");
}

// Into the file that is there, as a mapping does.
void write_at(const std::filesystem::path& path, std::size_t at, std::span<const std::byte> bytes) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(at));
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  // File systems that count in seconds would not show it.
  std::filesystem::last_write_time(
      path, std::filesystem::last_write_time(path) + std::chrono::seconds(3));
}

// Of the chunk with records.
std::size_t events_at(const std::vector<std::byte>& bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.rfind(kChunkMagic);
}

TEST(ThreadStreamLiveTest, GrowsWhereItIs) {
  const TempDir dir;
  auto bytes = live_bytes();
  const auto path = dir.write("run.tsd", bytes);
  const Format& format = *format_named("thread_stream");
  const LoadedTrace trace = load_trace(format, opened(path));
  EXPECT_EQ(trace.timeline.slice_count, 3u);
  EXPECT_TRUE(trace.source->grows());
  EXPECT_FALSE(trace.source->change_on_disk());
  const Slice slice = trace.timeline.tracks.front().root().rows.front().slice(0);
  // A further exit, in a slot that was empty.
  std::byte exit[kRecordBytes] = {};
  exit[0] = std::byte{0xff};
  exit[14] = static_cast<std::byte>(kind::kExit);
  write_at(path, events_at(bytes) + kChunkHeaderBytes + 3 * kRecordBytes, exit);
  EXPECT_EQ(trace.source->change_on_disk().what, FileChange::grown);
  EXPECT_FALSE(trace.source->describe(slice.record, slice.end_record).outdated);
  const LoadedTrace again = load_trace(format, opened(path));
  EXPECT_EQ(again.timeline.unfinished_count, 2u);
  EXPECT_FALSE(again.timeline.diagnostics.has(diagnostic::kFileChangedOnDisk));
}

TEST(ThreadStreamLiveTest, ShowsNothingOfAChunkThatWasTakenAnew) {
  const TempDir dir;
  auto bytes = live_bytes();
  const auto path = dir.write("run.tsd", bytes);
  const LoadedTrace trace = load_trace(*format_named("thread_stream"), opened(path));
  const Slice slice = trace.timeline.tracks.front().root().rows.front().slice(0);
  EXPECT_FALSE(trace.source->describe(slice.record, slice.end_record).outdated);
  std::span<std::byte> header(bytes.data() + events_at(bytes), kChunkHeaderBytes);
  header[20] = std::byte{9};  // its sequence
  const std::uint32_t crc = crc32_of(header.first(kCheckedBytes));
  std::memcpy(header.data() + kCheckedBytes, &crc, sizeof crc);
  write_at(path, events_at(bytes), header);
  EXPECT_TRUE(trace.source->describe(slice.record, slice.end_record).outdated);
}

TEST(ThreadStreamLiveTest, AFinishedFileGrowsNoMore) {
  const LoadedTrace trace =
      load_trace(*format_named("thread_stream"),
                 opened(test::source_dir() + "/tests/golden/thread_stream/minimal/input.tsd"));
  EXPECT_FALSE(trace.source->grows());
}

}  // namespace
}  // namespace cinderscope
