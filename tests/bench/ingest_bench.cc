// What the model costs by itself: events to rows, without a file or a format.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

struct Call {
  std::int64_t begin, end;
  StringId name;
};

// A walk between 1 and 10 calls deep, calls in order of their ends.
std::vector<Call> calls(std::int64_t count, TimelineBuilder& builder) {
  std::vector<StringId> names;
  for (int i = 0; i < 200; ++i)
    names.push_back(builder.intern("parse::Token#" + std::to_string(i)));
  std::vector<Call> done, open;
  std::uint64_t state = 1;
  std::int64_t now = 0;
  while (static_cast<std::int64_t>(done.size()) < count) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    now += 100 + static_cast<std::int64_t>(state >> 52);
    if (open.empty() || (open.size() < 10 && (state >> 40 & 1) != 0)) {
      open.push_back({now, 0, names[(state >> 32) % 200]});
    } else {
      open.back().end = now;
      done.push_back(open.back());
      open.pop_back();
    }
  }
  return done;
}

// X events as most producers write them: at their end, children before parents.
void nest_complete_slices(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    TimelineBuilder builder;
    const std::vector<Call> input = calls(state.range(0), builder);
    TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
    state.ResumeTiming();
    RecordOffset record = 0;
    for (const Call& call : input) {
      writer.complete(call.begin, call.end - call.begin, call.name, record += 100);
    }
    benchmark::DoNotOptimize(builder.finish());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(nest_complete_slices)->Arg(3'000'000)->Unit(benchmark::kMillisecond);

// B/E in order: straight to the rows.
void stack_begins_and_ends(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    TimelineBuilder builder;
    struct Event {
      std::int64_t time;
      StringId name;
    };
    std::vector<Event> events;
    std::uint64_t random = 1;
    std::int64_t now = 0, depth = 0;
    const StringId name = builder.intern("f");
    for (std::int64_t i = 0; i < 2 * state.range(0); ++i) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      now += 100 + static_cast<std::int64_t>(random >> 52);
      const bool begins = depth == 0 || (depth < 10 && (random >> 40 & 1) != 0);
      depth += begins ? 1 : -1;
      events.push_back({now, begins ? name : kNoName});
    }
    TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
    state.ResumeTiming();
    RecordOffset record = 0;
    for (const Event& event : events) {
      if (event.name == kNoName) {
        writer.end(event.time, kNoName, record += 17);
      } else {
        writer.begin(event.time, event.name, record += 30);
      }
    }
    benchmark::DoNotOptimize(builder.finish());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(stack_begins_and_ends)->Arg(3'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cinderscope
