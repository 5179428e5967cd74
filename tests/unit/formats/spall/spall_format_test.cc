#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "formats/all_formats.h"
#include "tests/support/dump.h"
#include "tests/support/load.h"

namespace cinderscope {
namespace {

using namespace std::string_view_literals;

template <class T>
std::string raw(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::string header(std::uint64_t version, double unit) {
  return raw<std::uint64_t>(0x0BADF00D) + raw(version) + raw(unit) + raw<std::uint64_t>(0);
}

std::string begin(std::uint64_t time, std::string_view name) {
  return "\x03" + raw(time) + raw(static_cast<std::uint8_t>(name.size())) + '\0' +
         std::string(name);
}

std::string end(std::uint64_t time) {
  return "\x04" + raw(time);
}

std::string buffer(std::uint32_t pid, std::uint32_t tid, const std::string& events) {
  return raw(static_cast<std::uint32_t>(events.size())) + raw(tid) + raw(pid) +
         raw<std::uint64_t>(0) + events;
}

const Format& spall() {
  return *format_named("spall");
}

LoadedTrace load_text(std::string_view text, LoadOptions options = {}) {
  return load_trace(spall(), Input::from_memory("x", bytes_of(text)), options);
}

TEST(SpallFormatTest, RefusesAHeaderCutShort) {
  for (const std::size_t size : {8u, 23u, 31u}) {
    const auto source =
        spall().open(Input::from_memory("x", bytes_of(header(3, 1).substr(0, size))));
    ASSERT_FALSE(source) << size;
    EXPECT_EQ(source.error().code, ErrorCode::damaged);
    EXPECT_EQ(source.error().offset_bytes, static_cast<std::int64_t>(size));
  }
}

TEST(SpallFormatTest, RefusesAnUnknownVersion) {
  const auto source = spall().open(Input::from_memory("x", bytes_of(header(4, 1))));
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().text, "The .spall stream has version 4, which is not known here.");
}

TEST(SpallFormatTest, IsCertainOfItsMagicOnly) {
  const auto match = [](std::string_view text) {
    return spall().probe(Input::from_memory("trace.spall", bytes_of(text)));
  };
  EXPECT_EQ(match(header(3, 1)), Match::certain);
  EXPECT_EQ(match("\x0d\xf0\xad\x0b\0\0\0\1........"sv), Match::no);
  EXPECT_EQ(match("\x0d\xf0\xad"sv), Match::no);
  EXPECT_EQ(match("{\"traceEvents\": []}"), Match::no);
}

TEST(SpallFormatTest, OpensABufferOfManyMegabytes) {
  std::string events;
  for (std::uint64_t i = 0; events.size() < 12'000'000; ++i) {
    events += begin(2 * i, "name") + end(2 * i + 1);
  }
  const LoadedTrace trace = load_text(header(3, 1) + buffer(1, 1, events), {.jobs = 2});
  EXPECT_EQ(trace.timeline.slice_count, events.size() / 24);
  EXPECT_EQ(trace.timeline.diagnostics.total(), 0u);
}

TEST(SpallFormatTest, OpensAMillionNestedCalls) {
  std::string events;
  constexpr std::uint64_t kDepth = 1'000'000;
  for (std::uint64_t i = 0; i < kDepth; ++i) events += begin(i, "f");
  for (std::uint64_t i = 0; i < kDepth; ++i) events += end(kDepth + i);
  const LoadedTrace trace = load_text(header(3, 1) + buffer(1, 1, events));
  EXPECT_EQ(trace.timeline.slice_count, kDepth);
  EXPECT_EQ(trace.timeline.tracks.at(0).row_count, kDepth);
}

// With work for each pair of threads this would not end.
TEST(SpallFormatTest, OpensAHundredThousandThreads) {
  constexpr std::uint32_t kThreads = 100'000;
  std::string text = header(3, 1);
  for (std::uint32_t i = 0; i < kThreads; ++i) text += buffer(1, i, begin(i, "f") + end(i + 1));
  const LoadedTrace trace = load_text(text);
  EXPECT_EQ(trace.timeline.threads.size(), kThreads);
  EXPECT_EQ(trace.timeline.slice_count, kThreads);
}

// Nor with work for each pair of begins.
TEST(SpallFormatTest, OpensAMillionBeginsInNoOrder) {
  constexpr std::uint64_t kBegins = 1'000'000, kStep = 381'967;  // a step that meets each once
  std::string events;
  for (std::uint64_t i = 0; i < kBegins; ++i) events += begin(i * kStep % kBegins, "f");
  const LoadedTrace trace = load_text(header(3, 1) + buffer(1, 1, events));
  EXPECT_EQ(trace.timeline.slice_count, kBegins);
  EXPECT_EQ(trace.timeline.unfinished_count, kBegins);
  EXPECT_EQ(trace.timeline.end_ns, static_cast<std::int64_t>(kBegins - 1));
  EXPECT_TRUE(trace.timeline.diagnostics.has(diagnostic::kUnsorted));
}

TEST(SpallFormatTest, KeepsThreadsOfEqualTidInTwoProcessesApart) {
  const LoadedTrace trace = load_text(header(3, 1) + buffer(1, 7, begin(1, "a") + end(2)) +
                                      buffer(2, 7, begin(1, "b") + end(2)));
  EXPECT_EQ(trace.timeline.processes.size(), 2u);
  EXPECT_EQ(trace.timeline.threads.size(), 2u);
}

TEST(SpallFormatTest, WhatIsLostOfABufferLiesBeforeTheThreadsNextTime) {
  const std::string broken = begin(10, "a") + end(20) + std::string("\x05\0\0\0\0\0\0\0\0", 9);
  const LoadedTrace trace =
      load_text(header(3, 1) + buffer(1, 1, broken) + buffer(1, 2, begin(30, "b") + end(40)) +
                buffer(1, 1, begin(50, "c") + end(60)) + buffer(1, 2, begin(70, "d") + broken));
  const std::vector<DataGap>& gaps = trace.timeline.gaps;
  ASSERT_EQ(gaps.size(), 2u);
  EXPECT_EQ(gaps[0], (DataGap{.begin_ns = 20, .end_ns = 50, .thread = ThreadId{0}}));
  EXPECT_EQ(gaps[1].end_ns, DataGap::kToTheEnd);  // nothing of the thread follows
  EXPECT_EQ(gaps[1].thread, ThreadId{1});
}

TEST(SpallFormatTest, StopsWhenCancelled) {
  auto source = spall().open(
      Input::from_memory("x", bytes_of(header(3, 1) + buffer(1, 1, begin(1, "a") + end(2)))));
  ASSERT_TRUE(source);
  LoadContext context({.jobs = 1});
  context.cancel();
  const Result<Timeline> timeline = read_timeline(**source, context);
  ASSERT_FALSE(timeline);
  EXPECT_EQ(timeline.error().code, ErrorCode::cancelled);
}

TEST(SpallFormatTest, TellsItsVersionAndUnit) {
  const LoadedTrace trace = load_text(header(1, 0.5));
  const auto details = trace.source->details();
  ASSERT_GE(details.size(), 2u);
  EXPECT_EQ(details[0], (std::pair<std::string, std::string>("version", "\"1\"")));
  EXPECT_EQ(details[1], (std::pair<std::string, std::string>("timestamp_unit", "0.5")));
}

}  // namespace
}  // namespace cinderscope
