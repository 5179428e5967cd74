// What a search costs by itself: names to bits, bits to an order of time.
#include <benchmark/benchmark.h>

#include <atomic>
#include <string>

#include "ingest/base/parallel.h"
#include "ingest/build/timeline_builder.h"
#include "ingest/search/slice_search.h"

namespace cinderscope {
namespace {

// Calls of 200 names on four threads, ten deep.
Timeline many_calls(std::int64_t count) {
  TimelineBuilder builder;
  std::vector<StringId> names;
  for (int i = 0; i < 200; ++i)
    names.push_back(builder.intern("parse::Token#" + std::to_string(i)));
  const ProcessId process = builder.process("1");
  std::uint64_t random = 1;
  RecordOffset record = 0;
  for (int t = 0; t < 4; ++t) {
    TrackWriter& writer = builder.slices(builder.thread(process, std::to_string(t)));
    std::int64_t now = 0, depth = 0;
    for (std::int64_t i = 0; i < count / 2; ++i) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      now += 100 + static_cast<std::int64_t>(random >> 52);
      if (depth == 0 || (depth < 10 && (random >> 40 & 1) != 0)) {
        ++depth;
        writer.begin(now, names[(random >> 32) % 200], record += 30);
      } else {
        --depth;
        writer.end(now, kNoName, record += 17);
      }
    }
  }
  return builder.finish(core_count());
}

void search_names(benchmark::State& state, const char* text) {
  static const Timeline timeline = many_calls(20'000'000);
  const std::atomic<bool> cancelled = false;
  std::uint64_t matches = 0;
  for (auto _ : state) {
    // To the exact count, before anything is put in order.
    std::uint64_t shown = 0;
    state.PauseTiming();
    const SearchQuestion question{slice_set_of(timeline),
                                  *parse_search(text),
                                  {},
                                  nullptr,
                                  static_cast<unsigned>(state.range(0))};
    state.ResumeTiming();
    search_slices(question, cancelled, [&](const SearchAnswer& answer) {
      matches = answer.matches->count();
      if (answer.names_done && shown++ == 0) state.PauseTiming();
    });
    state.ResumeTiming();
  }
  state.counters["matches"] = static_cast<double>(matches);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(timeline.slice_count));
}
BENCHMARK_CAPTURE(search_names, one_name, "=\"parse::Token#7\"")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(search_names, half_of_all, "/[02468]$/")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(search_names, long_ones, "dur:>1us")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void order_by_time(benchmark::State& state) {
  static const Timeline timeline = many_calls(20'000'000);
  const std::atomic<bool> cancelled = false;
  const SearchAnswer answer = search_slices(
      {slice_set_of(timeline), *parse_search("/[1]$/"), {}, nullptr, 2}, cancelled, {});
  for (auto _ : state) {
    MatchSet set = *answer.matches;
    order_matches(set, cancelled);
    benchmark::DoNotOptimize(set.by_time.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(answer.matches->count()));
}
BENCHMARK(order_by_time)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cinderscope
