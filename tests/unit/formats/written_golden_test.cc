// Every tests/golden/FORMAT/CASE/input* is written in each format, and what can be read back is
// written once more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>
#include <tuple>

#include "ingest/model/slice_nesting.h"
#include "ingest/part/cut_text.h"
#include "ingest/part/part_reader.h"
#include "tests/support/source_dir.h"
#include "tests/support/written.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

struct GoldenInput {
  std::string format;
  fs::path input;
};

void PrintTo(const GoldenInput& golden,
             std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << golden.input.parent_path().filename().string();
}

std::vector<GoldenInput> golden_inputs() {
  const fs::path root = fs::path(test::source_dir()) / "tests/golden";
  std::vector<GoldenInput> inputs;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const fs::path relative = fs::relative(entry.path(), root);
    if (std::distance(relative.begin(), relative.end()) != 3) continue;
    if (!entry.path().filename().string().starts_with("input")) continue;
    inputs.push_back({relative.begin()->string(), entry.path()});
  }
  std::ranges::sort(inputs, {}, &GoldenInput::input);
  return inputs;
}

std::string input_name(const testing::TestParamInfo<GoldenInput>& info) {
  std::string name = info.param.format + "_" + info.param.input.parent_path().filename().string();
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

LoadedTrace load_golden(const GoldenInput& golden) {
  Input input = fs::is_directory(golden.input)
                    ? std::move(*Input::from_path(golden.input))
                    : Input::from_memory("unknown", read_file(golden.input.string()));
  return load_trace(*format_named(golden.format), std::move(input));
}

// All slices of threads and samples, however they are dealt out to threads: name, whether it is
// finished, and if so duration.
using SliceFacts = std::multiset<std::tuple<std::string, bool, std::int64_t>>;

class Collected final : public PartVisitor {
 public:
  Collected(std::size_t most_name_bytes, std::int64_t first)
      : most_name_bytes_(most_name_bytes), first_(first) {}
  void slice(const PartSlice& slice) override {
    first_ = std::min(first_, slice.begin_ns);
    facts_.emplace(cut_text(slice.name, most_name_bytes_), slice.unfinished,
                   slice.unfinished ? 0 : slice.nested_end_ns - slice.begin_ns);
  }
  SliceFacts facts_;
  std::size_t most_name_bytes_;
  std::int64_t first_;
};

SliceFacts facts_of(const LoadedTrace& trace, std::size_t most_name_bytes = SIZE_MAX) {
  LoadContext context({.jobs = 1});
  PartReader part(trace.timeline, trace.source.get(), {}, context);
  Collected collected(most_name_bytes, INT64_MAX);
  for (const PartTrack& track : part.tracks()) {
    if (track.kind != TrackKind::thread && track.kind != TrackKind::samples) continue;
    EXPECT_TRUE(part.read(track, collected));
  }
  return std::move(collected.facts_);
}

// Where two files part, to be read.
std::string difference(const std::string& a, const std::string& b) {
  if (a == b) return {};
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  const std::size_t from = at < 80 ? 0 : at - 80;
  return "at " + std::to_string(at) + ": " + testing::PrintToString(a.substr(from, 160)) + " and " +
         testing::PrintToString(b.substr(std::min(from, b.size()), 160));
}

bool is_lost(const Written& file, std::string_view word) {
  return std::ranges::any_of(file.losses.lost(),
                             [&](const auto& one) { return one.kind.word == word; });
}

class WrittenGoldenTest : public testing::TestWithParam<GoldenInput> {};

TEST_P(WrittenGoldenTest, AsSpallItIsReadBackAndWrittenTheSameAgain) {
  const LoadedTrace trace = load_golden(GetParam());
  const TraceWriter& writer = *writer_named("spall");
  const Written first = written(trace, writer);
  EXPECT_EQ(difference(written(trace, writer, {}, 3).bytes, first.bytes), "") << "three jobs";
  const LoadedTrace again = load_bytes("spall", first.bytes);
  const Written second = written(again, writer);
  EXPECT_EQ(difference(second.bytes, first.bytes), "");
  EXPECT_EQ(again.timeline.slice_count, first.losses.slices());
  SliceFacts before = facts_of(trace, 255), after = facts_of(again);
  const bool ends_lost = is_lost(first, "unfinished") || is_lost(first, "clamped_times");
  if (!ends_lost) {
    EXPECT_EQ(after, before);
  } else {
    EXPECT_EQ(after.size(), before.size());
  }
}

// Of slices of threads alone, for samples have no place.
TEST_P(WrittenGoldenTest, AsThreadStreamItIsReadBackAndWrittenTheSameAgain) {
  const LoadedTrace trace = load_golden(GetParam());
  LoadContext context({.jobs = 1});
  if (PartReader(trace.timeline, trace.source.get(), {}, context).processes().size() > 1) {
    GTEST_SKIP() << "several processes";
  }
  const TraceWriter& writer = *writer_named("tsd");
  const Written first = written(trace, writer);
  EXPECT_EQ(difference(written(trace, writer, {}, 3).bytes, first.bytes), "") << "three jobs";
  const LoadedTrace again = load_bytes("thread_stream", first.bytes);
  for (const auto& [code, diagnostic] : again.timeline.diagnostics.by_code()) {
    EXPECT_TRUE(code == "unfinished" || code == "clamped_time") << code;
  }
  const Written second = written(again, writer);
  EXPECT_EQ(difference(second.bytes, first.bytes), "");
  EXPECT_EQ(again.timeline.slice_count, first.losses.slices());
  const Timeline &was = trace.timeline, &is = again.timeline;
  EXPECT_EQ(is.flow_count, was.flow_count + was.bind_flow_count);
  // Lists of calls, and pauses, are asynchronous calls there.
  const bool has_lists = std::ranges::any_of(
      was.tracks, [](const Track& track) { return track.kind == TrackKind::calls; });
  if (!has_lists && was.pauses.empty()) {
    EXPECT_EQ(is.async_slice_count, was.async_slice_count);
  }
  if (!is_lost(first, "samples") && !is_lost(first, "lifetimes") &&
      !is_lost(first, "async_steps")) {
    EXPECT_EQ(is.begin_ns, was.begin_ns);
  }
}

TEST_P(WrittenGoldenTest, FoldedSumsAreThoseOfTheSlices) {
  const LoadedTrace trace = load_golden(GetParam());
  const Written file = written(trace, *writer_named("folded"));
  for (const LossReport::Lost& lost : file.losses.lost()) {
    if (lost.kind.word == "deep_stacks") return;  // they count as their callers
  }
  std::istringstream lines(file.bytes);
  std::map<std::string, std::int64_t> folded, expected;
  const auto scale = static_cast<long double>(std::max(trace.timeline.axis.scale, 1u));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t blank = line.rfind(' ');
    const std::string stack = line.substr(0, blank);
    folded[stack.substr(stack.rfind(';') + 1)] +=
        std::llroundl(std::stold(line.substr(blank + 1)) * scale);
  }
  const Timeline& timeline = trace.timeline;
  for (std::uint32_t t = 0; t < timeline.tracks.size(); ++t) {
    const Track& track = timeline.tracks[t];
    if (track.kind != TrackKind::thread && track.kind != TrackKind::samples) continue;
    if (track.blocks.empty()) continue;
    for (std::uint32_t r = 0; r < track.root().rows.size(); ++r) {
      for (std::uint64_t i = 0; i < track.root().rows[r].count(); ++i) {
        const SliceRef ref{.track = TrackId{t}, .block = BlockId{0}, .row = r, .slice = i};
        std::string name(timeline.text(track.root().rows[r].slice(i).name));
        std::ranges::replace(name, ';', ':');
        std::ranges::replace(name, '\n', ' ');
        std::ranges::replace(name, '\r', ' ');
        if (name.empty()) name = "(no name)";
        const std::int64_t self = self_ns(timeline, ref);
        if (self > 0) expected[name] += self;
      }
    }
  }
  if (has_calls_on_disk(timeline)) return;
  EXPECT_EQ(folded, expected);
}

TEST_P(WrittenGoldenTest, TheTableOfSlicesHasARowForEach) {
  const LoadedTrace trace = load_golden(GetParam());
  const Written lines = written(trace, *writer_named("jsonl"));
  const std::uint64_t count = static_cast<std::uint64_t>(std::ranges::count(lines.bytes, '\n'));
  EXPECT_EQ(count, lines.losses.slices());
  if (!has_calls_on_disk(trace.timeline)) {
    EXPECT_EQ(count, trace.timeline.slice_count);
  }
  const Written csv = written(trace, *writer_named("csv"));
  EXPECT_TRUE(csv.bytes.starts_with(
      "slice_id,trace_id,track_id,thread_id,process_id,ts,dur,ts_end,self_dur,depth,"
      "parent_slice_id,name_id,name,category,unfinished,overlapping,cut_begin,cut_end\n"));
}

INSTANTIATE_TEST_SUITE_P(Golden, WrittenGoldenTest, testing::ValuesIn(golden_inputs()), input_name);

}  // namespace
}  // namespace cinderscope
