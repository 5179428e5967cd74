// Saving and opening sessions: what is done on threads of their own.
#include <benchmark/benchmark.h>

#include <string>

#include "app/session_file/locate.h"
#include "app/session_file/session_file.h"
#include "ingest/os/atomic_file.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

constexpr int kTabs = 100, kBookmarksOfATab = 100;

SessionFile large_session() {
  SessionFile session;
  for (int i = 0; i < kTabs; ++i) {
    const std::string id = "t" + std::to_string(i + 1);
    session.traces.push_back({.id = id, .path = "traces/" + id + ".json"});
    SessionTab& tab = session.tabs.emplace_back();
    tab.traces = {{.trace = id}};
    tab.view.view = TimeRange{1367851000000, 1367939000000};
    for (int k = 0; k < kBookmarksOfATab; ++k) {
      tab.view.bookmarks.push_back({.begin_ns = 1367851000000 + k,
                                    .end_ns = 1367939000000,
                                    .time_ns = 1367851681000 + k,
                                    .note = "style takes 33 ms here"});
      tab.view.pinned.push_back({.pid = "19064", .tid = std::to_string(k), .name = "worker"});
    }
  }
  return session;
}

// As it is saved over the one that was read.
void save_session(benchmark::State& state) {
  const TempDir folder;
  const std::string path = (folder.path() / "large.cinder").string();
  SessionFile session = large_session();
  session.original = session_from(session_text(session))->original;
  for (std::size_t i = 0; i < session.tabs.size(); ++i) session.tabs[i].origin = i;
  for (auto _ : state) {
    const std::string text = session_text(session);
    benchmark::DoNotOptimize(replace_file(path, text));
    state.counters["bytes"] = static_cast<double>(text.size());
  }
}
BENCHMARK(save_session)->Unit(benchmark::kMillisecond);

void read_session(benchmark::State& state) {
  const std::string text = session_text(large_session());
  for (auto _ : state) benchmark::DoNotOptimize(session_from(text));
}
BENCHMARK(read_session)->Unit(benchmark::kMillisecond);

// A session as people save it.
void read_small_session(benchmark::State& state) {
  SessionFile session = large_session();
  session.tabs.resize(2);
  session.traces.resize(2);
  const std::string text = session_text(session);
  for (auto _ : state) benchmark::DoNotOptimize(session_from(text));
}
BENCHMARK(read_small_session)->Unit(benchmark::kMillisecond);

// Identities of 100 traces, all where they are said to be.
void locate_100_traces(benchmark::State& state) {
  const TempDir folder;
  SessionFile session = large_session();
  std::filesystem::create_directory(folder.path() / "traces");
  for (SessionTrace& trace : session.traces) {
    const auto path = folder.write(trace.path, std::string(1 << 20, 'x') + trace.id);
    trace.identity = *trace_identity(path.string());
  }
  for (auto _ : state) {
    const auto located = locate_traces(
        {.session_path = (folder.path() / "s.cinder").string(), .traces = session.traces});
    if (!is_there(located.back())) state.SkipWithError("not found");
  }
}
BENCHMARK(locate_100_traces)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cinderscope
