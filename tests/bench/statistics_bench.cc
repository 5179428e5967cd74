// What adding up calls by name costs: whole trace, a range of it, one name.
#include <benchmark/benchmark.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "ingest/base/parallel.h"
#include "ingest/build/timeline_builder.h"
#include "ingest/totals/precomputed/precompute.h"
#include "ingest/totals/segment_totals.h"
#include "ingest/totals/slice_statistics.h"

namespace cinderscope {
namespace {

// Threads that walk between 1 and 10 calls deep, 200 names, all of them on every row.
Timeline made_trace(std::int64_t calls, int threads) {
  TimelineBuilder builder;
  std::vector<StringId> names;
  for (int i = 0; i < 200; ++i)
    names.push_back(builder.intern("parse::Token#" + std::to_string(i)));
  std::uint64_t state = 1;
  RecordOffset record = 0;
  for (int t = 0; t < threads; ++t) {
    TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), std::to_string(t)));
    std::vector<StringId> open;
    std::int64_t now = 0, begun = 0;
    while (begun < calls / threads || !open.empty()) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      now += 100 + static_cast<std::int64_t>(state >> 52);
      if (begun < calls / threads && (open.empty() || (open.size() < 10 && (state >> 40 & 1)))) {
        open.push_back(names[(state >> 32) % 200]);
        writer.begin(now, open.back(), record += 16);
        ++begun;
      } else {
        writer.end(now, open.back(), record += 16);
        open.pop_back();
      }
    }
  }
  return builder.finish(core_count());
}

const Timeline& big_trace() {
  static const Timeline timeline = made_trace(20'000'000, 4);
  return timeline;
}

void statistics_of_the_whole_trace(benchmark::State& state) {
  const auto set = slice_set_of(big_trace());
  for (auto _ : state) {
    benchmark::DoNotOptimize(slice_statistics(*set, {}, static_cast<unsigned>(state.range(0))));
  }
  state.SetItemsProcessed(state.iterations() * 20'000'000);
}
BENCHMARK(statistics_of_the_whole_trace)
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// A tenth of it, as while a range is dragged.
void statistics_of_a_range(benchmark::State& state) {
  const Timeline& timeline = big_trace();
  const auto set = slice_set_of(timeline);
  const std::int64_t length_ns = timeline.end_ns - timeline.begin_ns;
  const StatisticsQuery query{
      {timeline.begin_ns + length_ns / 2, timeline.begin_ns + length_ns / 10 * 6}};
  for (auto _ : state) benchmark::DoNotOptimize(slice_statistics(*set, query, core_count()));
}
BENCHMARK(statistics_of_a_range)->Unit(benchmark::kMillisecond)->UseRealTime();

// Till its first numbers, where the sums of parts are known, as they are soon after the first
// table.
void first_numbers_of_a_range(benchmark::State& state) {
  const Timeline& timeline = big_trace();
  const auto set = slice_set_of(timeline);
  const auto known = precomputed_totals_of(*set, core_count(), nullptr);
  const std::int64_t length_ns = timeline.end_ns - timeline.begin_ns;
  const StatisticsQuery query{
      {timeline.begin_ns + length_ns / 7, timeline.begin_ns + length_ns / 9 * 7}};
  for (auto _ : state) {
    std::atomic<bool> cancelled = false;
    slice_statistics(
        *set, query, core_count(), &cancelled, [&](const SliceStatistics&) { cancelled = true; },
        known.get());
  }
}
BENCHMARK(first_numbers_of_a_range)->Unit(benchmark::kMillisecond)->UseRealTime();

void known_parts(benchmark::State& state) {
  const auto set = slice_set_of(big_trace());
  for (auto _ : state) benchmark::DoNotOptimize(precomputed_totals_of(*set, core_count(), nullptr));
}
BENCHMARK(known_parts)->Unit(benchmark::kMillisecond)->UseRealTime();

void calls_of_a_range(benchmark::State& state) {
  const Timeline& timeline = big_trace();
  const auto set = slice_set_of(timeline);
  const StatisticsQuery query{{timeline.begin_ns, timeline.end_ns / 2}};
  for (auto _ : state) benchmark::DoNotOptimize(call_count(*set, query));
}
BENCHMARK(calls_of_a_range)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace cinderscope
