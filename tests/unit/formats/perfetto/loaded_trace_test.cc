// What golden files do not show of a loaded trace.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "formats/all_formats.h"
#include "tests/support/load.h"
#include "tests/support/source_dir.h"
#include "tests/unit/formats/perfetto/wire_text.h"

namespace cinderscope {
namespace {

LoadedTrace loaded(const std::string& name) {
  const std::string path = test::source_dir() + "/tests/golden/perfetto/" + name + "/input.pftrace";
  return load_trace(*format_named("perfetto"), Input::from_memory("trace", read_file(path)));
}

std::string detail(const LoadedTrace& trace, const std::string& key) {
  for (const auto& [name, json] : trace.source->details()) {
    if (name == key) return json;
  }
  return "none";
}

const Track* track_named(const LoadedTrace& trace, std::string_view name) {
  const auto& tracks = trace.timeline.tracks;
  const auto found = std::ranges::find_if(
      tracks, [&](const Track& track) { return trace.timeline.text(track.name) == name; });
  return found == tracks.end() ? nullptr : &*found;
}

TEST(PerfettoLoadedTest, PacketsThatCannotBeDecodedAreNotCounted) {
  EXPECT_EQ(detail(loaded("bad_packets"), "packets"), "5");
}

TEST(PerfettoLoadedTest, PacketsThatAreNotShownHaveTheirNames) {
  EXPECT_EQ(detail(loaded("report_twice"), "skipped_packets"),
            R"({"surfaceflinger_layers_snapshot":1})");
  EXPECT_EQ(detail(loaded("unknown_fields"), "skipped_packets"), R"({"field_501":1})");
}

TEST(PerfettoLoadedTest, InstantsOfAnAsynchronousTrackAreNoStepsOfItsSlices) {
  const LoadedTrace trace = loaded("tracks");
  const Track* const track = track_named(trace, "work");
  ASSERT_NE(track, nullptr);
  EXPECT_EQ(track->instants.count(), 2u);
  EXPECT_TRUE(track->root().nested_instants.empty());
  // Steps still are.
  const LoadedTrace legacy = loaded("legacy");
  std::uint64_t steps = 0;
  for (const Track& each : legacy.timeline.tracks) {
    for (const SliceRow& row : each.root().nested_instants) steps += row.count();
  }
  EXPECT_GT(steps, 0u);
}

// Also where the process is told of behind its thread, and another one had its id before.
TEST(PerfettoLoadedTest, AThreadBelongsToTheProcessThatItsTrackNames) {
  const LoadedTrace trace = loaded("reused_ids");
  std::string threads;
  for (const Thread& thread : trace.timeline.threads) {
    const Process& process = trace.timeline.processes[index(thread.process)];
    threads += fmt::format("{} of {}; ", trace.timeline.text(thread.name),
                           trace.timeline.text(process.name));
  }
  EXPECT_EQ(threads, "old main of old; new main of new; before its process of told later; ");
}

// Far more than could be told apart by looking at each of the others.
TEST(PerfettoLoadedTest, ManyCountersOfOneNameGetNumbers) {
  using perfetto::message_text, perfetto::number_text;
  constexpr std::uint64_t kCounters = 30'000;
  std::string bytes;
  for (std::uint64_t uuid = 1; uuid <= kCounters; ++uuid) {
    const std::string track = number_text(1, uuid) + message_text(2, "size") + message_text(8, "");
    const std::string value = number_text(9, 4) + number_text(11, uuid) + number_text(30, 1);
    bytes += message_text(1, message_text(60, track) + number_text(10, 1));
    bytes += message_text(1, number_text(8, 5) + message_text(11, value) + number_text(10, 1));
  }
  const LoadedTrace trace =
      load_trace(*format_named("perfetto"), Input::from_memory("trace", bytes_of(bytes)));
  EXPECT_EQ(trace.timeline.tracks.size(), kCounters);
  EXPECT_NE(track_named(trace, "size"), nullptr);
  EXPECT_NE(track_named(trace, "size (2)"), nullptr);
  EXPECT_NE(track_named(trace, "size (30000)"), nullptr);
}

// Of long names, too.
TEST(PerfettoLoadedTest, FramesAreReadInLittleTimeEach) {
  using perfetto::message_text, perfetto::number_text;
  constexpr std::uint64_t kStacks = 10, kFrames = 1000;
  std::string interned =
      message_text(5, number_text(1, 1) + message_text(2, std::string(std::size_t{4} << 20, 'f')));
  std::string samples;
  for (std::uint64_t stack = 1; stack <= kStacks; ++stack) {
    std::string frames = number_text(1, stack);
    for (std::uint64_t i = 1; i <= kFrames; ++i) {
      const std::uint64_t frame = stack * kFrames + i;
      interned += message_text(6, number_text(1, frame) + number_text(2, 1));
      frames += number_text(2, frame);
    }
    interned += message_text(7, frames);
    const std::string sample = number_text(2, 5) + number_text(3, 6) + number_text(4, stack);
    samples +=
        message_text(1, number_text(8, stack) + number_text(10, 1) + message_text(66, sample));
  }
  const std::string first = number_text(10, 1) + number_text(13, 1) + message_text(12, interned);
  const LoadedTrace trace =
      load_trace(*format_named("perfetto"),
                 Input::from_memory("trace", bytes_of(message_text(1, first) + samples)));
  EXPECT_EQ(trace.timeline.sample_count, kStacks);
}

// A sequence whose stacks name the same frame over and over; `symbols` is put behind it.
LoadedTrace with_stacks(std::uint64_t stacks, std::size_t frames, const std::string& symbols) {
  using perfetto::message_text, perfetto::number_text;
  std::string interned = message_text(17, number_text(1, 4) + message_text(2, "lib.so")) +
                         message_text(19, number_text(1, 3) + number_text(7, 4)) +
                         message_text(6, number_text(1, 1) + number_text(3, 3) + number_text(4, 9));
  std::string samples;
  for (std::uint64_t i = 1; i <= stacks; ++i) {
    // Another length for each, so that none is known.
    interned += message_text(7, number_text(1, i) + message_text(2, std::string(frames + i, '\1')));
    const std::string sample = number_text(2, 5) + number_text(3, 6) + number_text(4, i);
    samples += message_text(1, number_text(8, i) + number_text(10, 1) + message_text(66, sample));
  }
  const std::string first = number_text(10, 1) + number_text(13, 1) + message_text(12, interned);
  return load_trace(
      *format_named("perfetto"),
      Input::from_memory("trace", bytes_of(message_text(1, first) + samples +
                                           (symbols.empty() ? "" : message_text(1, symbols)))));
}

std::uint64_t cases_of(const LoadedTrace& trace, std::string_view code) {
  const auto& all = trace.timeline.diagnostics.by_code();
  const auto found = all.find(code);
  return found == all.end() ? 0 : found->second.count;
}

TEST(PerfettoLoadedTest, StacksAreAsDeepAsTheFileTells) {
  const LoadedTrace trace = with_stacks(2, 20'000, {});
  EXPECT_EQ(cases_of(trace, "samples_cut"), 0u);
  const Track* const track = track_named(trace, "samples");
  ASSERT_NE(track, nullptr);
  EXPECT_EQ(track->depth, 20'002u);
}

// A function for each byte is usual; this names 256 for each.
TEST(PerfettoLoadedTest, StacksThatNameFarMoreThanTheFileHasAreCutAndTold) {
  using perfetto::message_text, perfetto::number_text;
  std::string lines;
  for (int i = 0; i < 300; ++i) lines += message_text(2, message_text(1, "f"));
  const std::string symbols =
      message_text(61, message_text(1, "/lib.so") + message_text(3, number_text(1, 9) + lines));
  const LoadedTrace trace = with_stacks(50, 1000, symbols);
  EXPECT_EQ(cases_of(trace, "symbols_cut"), 44u);
  EXPECT_GT(cases_of(trace, "samples_cut"), 0u);
  EXPECT_EQ(trace.timeline.sample_count, 50u);
  const Track* const track = track_named(trace, "samples");
  ASSERT_NE(track, nullptr);
  EXPECT_LT(track->depth, 500'000u);
}

}  // namespace
}  // namespace cinderscope
