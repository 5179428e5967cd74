// A live file that is read on while it grows is what it would be if it was read whole.
#include "formats/thread_stream/growing/growing_streams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <stdexcept>

#include "formats/all_formats.h"
#include "ingest/input/crc32.h"
#include "tests/support/dump.h"
#include "tests/support/load.h"
#include "tests/support/open_input.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

using namespace thread_stream;

// Writes as the recorder does: chunks of threads one behind the other, open until they are closed
// some time after they were full; tables that are appended to.
class LiveProgram {
 public:
  LiveProgram(std::uint64_t seed, bool exact_clock, bool with_maps) : random_(seed) {
    maps_ = with_maps;
    bytes_.resize(kHeaderBytes);
    std::memcpy(bytes_.data(), kMagic.data(), kMagic.size());
    put<std::uint16_t>(8, 1);
    put<std::uint16_t>(12, 64);
    put<std::uint8_t>(15, static_cast<std::uint8_t>(kLive | (exact_clock ? kExactRatio : 0)));
    put<std::uint32_t>(16, 8);
    put<std::uint64_t>(24, 42);
    put<std::uint64_t>(32, 2);
    put<std::uint64_t>(40, 3);
    put_crc(0);
    table_ = new_chunk(kTableChunk, 0, 0, 0, 1 << 16);
    sample();
    add_thread();
  }

  void run(std::size_t steps) {
    for (std::size_t i = 0; i < steps; ++i) step();
  }
  void end() {
    for (Stream& stream : streams_) thread_entry(stream, true);
    entry(Tag::end, {});
    close_full();
  }
  void close_full() {
    for (std::size_t i = 0; i < chunks_.size(); ++i) close(i);
  }
  // A chunk is taken anew, as in a ring.
  void take_anew() { put_header(chunks_[streams_.front().chunk].at + 20, 77u); }

  // Into the file that is there, as a mapping does.
  void write(const std::filesystem::path& path) const {
    {
      std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
      if (!file) file.open(path, std::ios::out | std::ios::binary);
      file.write(reinterpret_cast<const char*>(bytes_.data()),
                 static_cast<std::streamsize>(bytes_.size()));
      const std::vector<char> zeros(4096);  // set aside
      file.write(zeros.data(), static_cast<std::streamsize>(zeros.size()));
    }
    std::filesystem::last_write_time(
        path, std::filesystem::last_write_time(path) + std::chrono::seconds(3 * ++writes_));
  }

 private:
  struct OpenChunk {
    std::size_t at = 0, slots = 0, used = 0;
    std::uint64_t last_tick = 0;
    bool full = false, closed = false;
  };
  struct Stream {
    std::uint32_t number = 0;
    std::uint64_t tid = 0, ordinal = 0;
    std::uint32_t sequence = 0;
    std::size_t chunk = SIZE_MAX;
    std::vector<std::size_t> holes;  // slots that are written later
    std::uint64_t offset = 0;
  };

  template <class T>
  void put(std::size_t at, T value) {
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  void put_crc(std::size_t header) {
    put(header + 60, crc32_of(std::span(bytes_).subspan(header, 60)));
  }
  template <class T>
  void put_header(std::size_t at, T value) {
    put(at, value);
    const std::size_t header = at - 20;
    put_crc(header);
  }
  std::size_t new_chunk(std::uint16_t kind, std::uint32_t stream, std::uint32_t sequence,
                        std::uint64_t ordinal, std::size_t payload) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + 64 + payload);
    std::memcpy(bytes_.data() + at, kChunkMagic.data(), kChunkMagic.size());
    put<std::uint16_t>(at + 4, kind);
    put<std::uint16_t>(at + 6, kOpenFlag);
    put(at + 8, static_cast<std::uint32_t>(payload));
    put(at + 12, static_cast<std::uint32_t>(payload));
    put(at + 16, stream);
    put(at + 20, sequence);
    put(at + 24, ordinal);
    put(at + 32, tick_);
    put_crc(at);
    return at;
  }
  void entry(Tag tag, const std::vector<std::uint32_t>& words, std::string_view text = {}) {
    const std::size_t used = 8 + words.size() * 4 + text.size();
    const std::size_t size = (used + 7) / 8 * 8;
    const std::size_t at = table_ + 64 + table_used_;
    if (table_used_ + size + 8 > (1 << 16)) throw std::runtime_error("the table is full");
    put(at, static_cast<std::uint32_t>(size));
    put(at + 4, static_cast<std::uint16_t>(tag));
    std::ranges::copy(std::as_bytes(std::span(words)), bytes_.data() + at + 8);
    std::ranges::copy(std::as_bytes(std::span(text)), bytes_.data() + at + 8 + words.size() * 4);
    table_used_ += size;
  }
  static std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
  static std::uint32_t high(std::uint64_t value) { return low(value >> 32); }
  std::uint64_t up_to(std::uint64_t most) { return random_() % most; }

  void sample() {
    const std::uint64_t ns = tick_ * 2 / 3 + up_to(5);
    entry(Tag::clock, {low(tick_), high(tick_), low(ns), high(ns), 0, 0, 0, 0});
    tick_ += 1;
  }
  void thread_entry(const Stream& stream, bool exited) {
    const std::uint64_t last = exited ? tick_ : 0;
    entry(Tag::thread, {stream.number, 0, low(stream.tid), 0, 0, 0, low(last), high(last),
                        exited ? low(stream.ordinal) : 0, 0, 0, 0, exited ? kThreadExited : 0, 0});
  }
  void add_thread() {
    Stream& stream = streams_.emplace_back();
    stream.number = static_cast<std::uint32_t>(streams_.size());
    stream.tid = 100 + up_to(4);
    thread_entry(stream, false);
  }
  void add_map() {
    const auto number = ++maps_made_;
    entry(Tag::module, {number, number, low(tick_), high(tick_), 0x1000 * number, 0,
                        0x1000 * (number + 1), 0, 0, 0, 0, 0, 0, 5});
  }
  std::uint32_t site() {
    if (site_count_ == 0 || up_to(30) == 0) {
      ++site_count_;
      const std::string name = "site " + std::to_string(site_count_);
      entry(Tag::string, {site_count_, static_cast<std::uint32_t>(name.size())}, name);
      entry(Tag::site, {site_count_, site_count_, 0, 0, 0, 0, 0});
    }
    return 1 + static_cast<std::uint32_t>(up_to(site_count_));
  }

  // So many slots in one chunk.
  std::size_t slots(Stream& stream, std::size_t count) {
    const bool room = stream.chunk != SIZE_MAX &&
                      chunks_[stream.chunk].slots - chunks_[stream.chunk].used >= count;
    if (!room) {
      if (stream.chunk != SIZE_MAX) chunks_[stream.chunk].full = true;
      fill_holes(stream);
      if (up_to(25) == 0) stream.ordinal += 1 + up_to(5);  // lost
      stream.chunk = chunks_.size();
      const std::size_t length = 8 + up_to(30);
      chunks_.push_back({.at = new_chunk(kEventsChunk, stream.number, stream.sequence++,
                                         stream.ordinal, length * kRecordBytes),
                         .slots = length});
    }
    OpenChunk& chunk = chunks_[stream.chunk];
    const std::size_t at = chunk.at + 64 + chunk.used * kRecordBytes;
    chunk.used += count;
    stream.ordinal += count;
    return at;
  }
  void record(std::size_t at, std::uint64_t tick, std::uint32_t site, std::uint16_t aux,
              std::uint16_t kind) {
    put(at, tick);
    put(at + 8, site);
    put(at + 12, aux);
    put(at + 14, kind);
  }
  void fill_holes(Stream& stream) {
    for (const std::size_t at : stream.holes)
      record(at, tick_at(stream), site(), 0, kind::kInstant);
    stream.holes.clear();
  }
  std::uint64_t tick_at(const Stream& stream) const { return tick_ - stream.offset; }

  void step() {
    tick_ += 1 + up_to(40);
    if (up_to(60) == 0) sample();
    if (up_to(150) == 0 && streams_.size() < 6) add_thread();
    if (maps_ && up_to(200) == 0) add_map();
    if (!chunks_.empty() && up_to(8) == 0) {
      close(chunks_.size() - 1 - up_to(std::min<std::size_t>(chunks_.size(), 20)));
    }
    Stream& stream = streams_[up_to(streams_.size())];
    if (up_to(20) == 0) fill_holes(stream);
    const std::uint64_t what = up_to(100);
    const std::uint32_t where = site();
    const auto value_of = [&](std::uint16_t which, std::uint16_t aux, std::uint64_t value) {
      const std::size_t at = slots(stream, 2);
      record(at, tick_at(stream), where, aux, which);
      record(at + 16, value, 0, 0, kind::kValue);
    };
    if (what < 35) {
      record(slots(stream, 1), tick_at(stream), where, 0, kind::kEnter);
      if (up_to(4) == 0) record(slots(stream, 1), up_to(99), 1u | 1u << 24, 8, kind::kArg);
    } else if (what < 70) {
      record(slots(stream, 1), tick_at(stream), 0, 0, kind::kExit);
      if (up_to(4) == 0) record(slots(stream, 1), up_to(99), 1u | 1u << 24, 8, kind::kArg);
    } else if (what < 75) {
      const std::size_t at = slots(stream, 1);
      if (up_to(3) == 0) {
        stream.holes.push_back(at);
      } else {
        record(at, tick_at(stream), where, 0, kind::kInstant);
      }
    } else if (what < 80) {
      value_of(kind::kCounter, 0, 0x4004000000000000);
    } else if (what < 84) {
      value_of(up_to(2) == 0 ? kind::kAsyncBegin : kind::kAsyncEnd, 0, up_to(3));
    } else if (what < 88) {
      value_of(kind::kFlow, static_cast<std::uint16_t>(up_to(3)), up_to(3));
    } else if (what < 90) {
      const std::uint64_t paused = tick_at(stream) - up_to(20);
      value_of(kind::kResume, 1, paused);
    } else if (what < 91) {
      const std::uint64_t old = tick_at(stream);
      stream.offset += up_to(3);
      const std::size_t at = slots(stream, 2);
      record(at, tick_at(stream), 0, 0, kind::kClockStep);
      record(at + 16, old, 0, 0, kind::kValue);
    } else if (maps_) {
      const auto address = 0x1000u * (1 + up_to(maps_made_ + 1)) + 0x10u * up_to(3);
      record(slots(stream, 1), tick_at(stream), low(address), 0, kind::kEnterAddress);
    } else {
      record(slots(stream, 1), tick_at(stream), where, 0, kind::kExit);
    }
  }

  void close(std::size_t i) {
    if (i >= chunks_.size() || chunks_[i].closed || !chunks_[i].full) return;
    OpenChunk& chunk = chunks_[i];
    chunk.closed = true;
    const auto payload = std::span(bytes_).subspan(chunk.at + 64, chunk.slots * kRecordBytes);
    put<std::uint16_t>(chunk.at + 6, 0);
    put(chunk.at + 40, tick_);
    put(chunk.at + 48, static_cast<std::uint32_t>(chunk.used));
    put(chunk.at + 56, crc32_of(payload));
    put_crc(chunk.at);
  }

  std::mt19937_64 random_;
  std::vector<std::byte> bytes_;
  std::vector<OpenChunk> chunks_;
  std::vector<Stream> streams_;
  std::size_t table_ = 0, table_used_ = 0;
  std::uint64_t tick_ = 1000;
  std::uint32_t site_count_ = 0, maps_made_ = 0;
  bool maps_ = false;
  mutable int writes_ = 0;
};

const Format& format() {
  return *format_named("thread_stream");
}

std::string whole(const std::filesystem::path& path, const LoadOptions& options = {}) {
  const LoadedTrace trace = load_trace(format(), opened(path), options);
  return dump(trace.timeline, trace.source.get());
}

class Reader {
 public:
  explicit Reader(std::filesystem::path path, LoadOptions options = {})
      : path_(std::move(path)), options_(std::move(options)) {
    options_.reads_on = true;
    trace_ = load_trace(format(), opened(path_), options_);
  }
  // False if it had to be opened anew.
  bool read_on() {
    std::unique_ptr<TraceSource> next = trace_.source->read_on();
    if (next == nullptr) {
      trace_ = load_trace(format(), opened(path_), options_);
      return false;
    }
    LoadContext context(options_);
    Result<Timeline> timeline = read_timeline(*next, context);
    if (!timeline) throw std::runtime_error(timeline.error().text);
    before_ = std::move(trace_.source);
    trace_ = {std::move(next), std::move(*timeline)};
    return true;
  }
  std::string text() const { return dump(trace_.timeline, trace_.source.get()); }
  const LoadedTrace& trace() const { return trace_; }

 private:
  std::filesystem::path path_;
  LoadOptions options_;
  LoadedTrace trace_;
  std::unique_ptr<TraceSource> before_;
};

void grow(bool exact_clock, bool with_maps, const LoadOptions& options) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", exact " << exact_clock);
    std::mt19937_64 random(seed);
    const TempDir folder;
    const auto path = folder.path() / "run.tsd";
    LiveProgram program(seed, exact_clock, with_maps);
    program.run(random() % 200);
    program.write(path);
    Reader reader(path, options);
    ASSERT_EQ(reader.text(), whole(path, options));
    for (int growth = 0; growth < 10; ++growth) {
      program.run(random() % 150);
      if (growth == 9) program.end();
      program.write(path);
      ASSERT_TRUE(reader.read_on());
      ASSERT_EQ(reader.text(), whole(path, options)) << "growth " << growth;
    }
    EXPECT_FALSE(reader.trace().source->grows());
  }
}

TEST(GrowingStreamsTest, IsTheSameAsReadWholeWhereverItIsCut) {
  grow(true, false, {});
}

TEST(GrowingStreamsTest, TimesFollowTheClockSamplesToCome) {
  grow(false, false, {});
}

TEST(GrowingStreamsTest, AddressesFollowTheMemoryMapsToCome) {
  grow(true, true, {});
}

TEST(GrowingStreamsTest, KeepsToTheFilterOfItsLoad) {
  grow(true, false, {.keep = {.from = 2000, .threads = {"100", "101"}}});
}

// What was read for good is not read again.
TEST(GrowingStreamsTest, OnlyTheEndIsReadAgain) {
  const TempDir folder;
  const auto path = folder.path() / "run.tsd";
  LiveProgram program(1, true, false);
  program.run(5000);
  program.close_full();
  program.write(path);
  LoadOptions options;
  options.reads_on = true;
  const LoadedTrace trace = load_trace(format(), opened(path), options);
  std::unique_ptr<TraceSource> next = trace.source->read_on();
  ASSERT_NE(next, nullptr);
  LoadContext context(options);
  ASSERT_TRUE(read_timeline(*next, context));
  EXPECT_LT(context.total_bytes(), next->input().size_bytes() / 100);
}

TEST(GrowingStreamsTest, AChunkThatWasTakenAnewMeansToReadAllAgain) {
  const TempDir folder;
  const auto path = folder.path() / "run.tsd";
  LiveProgram program(3, true, false);
  program.run(500);
  program.write(path);
  Reader reader(path);
  program.take_anew();
  program.write(path);
  reader.read_on();
  EXPECT_EQ(reader.text(), whole(path));
}

TEST(GrowingStreamsTest, AnotherFileOfThatNameIsNotReadOn) {
  const TempDir folder;
  const auto path = folder.path() / "run.tsd";
  LiveProgram(4, true, false).write(path);
  Reader reader(path);
  std::filesystem::remove(path);
  LiveProgram other(5, true, false);
  other.run(300);
  other.write(path);
  reader.read_on();
  EXPECT_EQ(reader.text(), whole(path));
}

}  // namespace
}  // namespace cinderscope
