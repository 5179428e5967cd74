// A packed trace is what the plain one is, though its bytes are let go while it is read.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "formats/all_formats.h"
#include "formats/all_writers.h"
#include "tests/support/dump.h"
#include "tests/support/load.h"
#include "tests/support/open_input.h"
#include "tests/support/source_dir.h"
#include "tests/support/temp_dir.h"
#include "tests/support/written.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMemberBytes = 1u << 20;

std::vector<std::byte> packed(std::string_view text) {
  std::vector<std::byte> all;
  for (std::size_t at = 0; at < text.size(); at += kMemberBytes) {
    const std::vector<std::byte> member =
        gzipped(std::as_bytes(std::span(text.substr(at, kMemberBytes))));
    all.insert(all.end(), member.begin(), member.end());
  }
  return all;
}

std::string json_trace() {
  std::string text = R"({"otherData":{"a":"b"},"traceEvents":[)";
  const std::string filler(300, 'x');
  for (int i = 0; i < 45'000; ++i) {
    text += fmt::format(
        R"({}{{"ph":"X","pid":1,"tid":{},"ts":{},"dur":5,"name":"call {}","cat":"c{}","args":{{"n":{},"f":"{}"}}}})",
        i == 0 ? "" : ",\n", i % 7, i * 10, i % 50, i % 3, i, filler);
  }
  return text + R"(],"stackFrames":{},"note":"behind the events"})";
}

struct Pair {
  TempDir dir;
  LoadedTrace plain, packed_one;

  Pair(const Format& format, std::string_view text, std::string_view name) {
    LoadOptions options;
    options.jobs = 2;
    plain = load_trace(format, opened(dir.write(name, text)), options);
    packed_one =
        load_trace(format, opened(dir.write(std::string(name) + ".gz", packed(text))), options);
  }
};

TEST(PackedTracesTest, GoogleJsonIsTheSame) {
  const Pair pair(*format_named("google_json"), json_trace(), "trace.json");
  const Input& input = pair.packed_one.source->input();
  EXPECT_GT(input.size_bytes(), 16u << 20);
  EXPECT_LT(input.unpacked_bytes(), 5u << 20);
  EXPECT_EQ(dump(pair.packed_one.timeline, pair.packed_one.source.get()),
            dump(pair.plain.timeline, pair.plain.source.get()));
}

TEST(PackedTracesTest, GoogleJsonIsWrittenWordForWord) {
  const Pair pair(*format_named("google_json"), json_trace(), "trace.json");
  const TraceWriter& writer = *writer_named("json");
  EXPECT_EQ(written(pair.packed_one, writer, {}, 2).bytes,
            written(pair.plain, writer, {}, 2).bytes);
}

template <class T>
void put(std::string& to, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  to.append(bytes, sizeof value);
}

std::string spall_trace() {
  std::string text;
  put(text, std::uint64_t{0x0BADF00D});
  put(text, std::uint64_t{1});
  put(text, 1.0);
  put(text, std::uint64_t{0});
  const std::string args(200, 'y');
  for (int i = 0; i < 80'000; ++i) {
    const std::string name = fmt::format("call {}", i % 100);
    put(text, std::uint8_t{3});
    put(text, std::uint8_t{0});
    put(text, std::uint32_t{1});
    put(text, static_cast<std::uint32_t>(i % 5));
    put(text, i * 10.0);
    put(text, static_cast<std::uint8_t>(name.size()));
    put(text, static_cast<std::uint8_t>(args.size()));
    text += name + args;
    put(text, std::uint8_t{4});
    put(text, std::uint32_t{1});
    put(text, static_cast<std::uint32_t>(i % 5));
    put(text, i * 10.0 + 5);
  }
  return text;
}

TEST(PackedTracesTest, SpallIsTheSame) {
  const Pair pair(*format_named("spall"), spall_trace(), "trace.spall");
  const Input& input = pair.packed_one.source->input();
  EXPECT_GT(input.size_bytes(), 16u << 20);
  EXPECT_LT(input.unpacked_bytes(), 5u << 20);
  EXPECT_EQ(dump(pair.packed_one.timeline, pair.packed_one.source.get()),
            dump(pair.plain.timeline, pair.plain.source.get()));
}

// Once all is loaded everything is let go but the last of steps of 4 MB. (All but Flow are read
// twice, so that nothing is before.)
void expect_same_and_let_go(const Format& format, std::string_view text, std::string_view name) {
  const Pair pair(format, text, name);
  const Input& input = pair.packed_one.source->input();
  EXPECT_GT(input.size_bytes(), 5u << 20);
  EXPECT_LT(input.unpacked_bytes(), 4u << 20);
  EXPECT_EQ(dump(pair.packed_one.timeline, pair.packed_one.source.get()),
            dump(pair.plain.timeline, pair.plain.source.get()));
}

TEST(PackedTracesTest, FlowIsTheSame) {
  std::string text;
  for (int i = 0; i < 3 << 20; ++i) {  // a call and its end
    text += static_cast<char>(0x80 + i % 60);
    text += '\0';
  }
  expect_same_and_let_go(*format_named("flow"), text, "thread-1.flow");
}

TEST(PackedTracesTest, ThreadStreamsAreTheSame) {
  std::string json = "[";
  for (int i = 0; i < 600; ++i) {
    json += fmt::format(
        R"({}{{"ph":"X","pid":1,"tid":{},"ts":{},"dur":5,"name":"f","args":{{"a":"{}{}"}}}})",
        i == 0 ? "" : ",\n", i % 3, i * 10, i, std::string(10'000, 'z'));
  }
  const LoadedTrace trace = load_bytes("google_json", json + "]");
  const std::string stream = written(trace, *writer_named("tsd"), {}, 2).bytes;
  expect_same_and_let_go(*format_named("thread_stream"), stream, "trace.tsd");
}

TEST(PackedTracesTest, PerfettoIsTheSame) {
  std::ifstream file(test::source_dir() + "/tests/golden/perfetto/annotations/input.pftrace",
                     std::ios::binary);
  const std::string once{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(once.empty());
  // A packet of 2^18 bytes: of a field (1000) that nobody reads.
  const std::string unread =
      "\x0a\x80\x80\x10\xc2\x3e\xfb\xff\x0f" + std::string((1 << 18) - 5, 'u');
  std::string text;
  for (int i = 0; i < 24; ++i) text += once + unread;
  expect_same_and_let_go(*format_named("perfetto"), text, "trace.pftrace");
}

}  // namespace
}  // namespace cinderscope
