#include "app/cli/bench/reopen_bench.h"

#include <chrono>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "app/cli/bench/question_bench.h"
#include "app/session/memory_watch.h"
#include "app/session/open_source.h"
#include "app/session/open_trace.h"
#include "app/session/prepared_copies.h"
#include "app/session/session.h"
#include "ingest/base/path_text.h"
#include "ingest/os/folder.h"
#include "ingest/os/memory.h"

namespace cinderscope {
namespace {

using ReopenClock = std::chrono::steady_clock;

double since(ReopenClock::time_point begin) {
  return std::chrono::duration<double>(ReopenClock::now() - begin).count();
}

Status write_once(const std::string& path, const LoadOptions& load, ReopenCost& cost) {
  LoadContext context(load);
  Result<OpenedSource> opened = open_source(path, context);
  if (!opened) return opened.error();
  const Result<OpenedTrace> trace = load_opened(path, *opened, context);
  if (!trace) return trace.error();
  give_back_free_memory();
  const std::uint64_t before_bytes = own_memory_bytes();
  MemoryWatch memory;
  CopyProgress progress;
  const auto began = ReopenClock::now();
  Status written = write_copy(*opened, trace->timeline, load, progress,
                              {.most_bytes = UINT64_MAX, .share_of_free = 1});
  cost.write_seconds = since(began);
  const std::uint64_t peak_bytes = memory.stop();
  cost.write_memory_bytes = peak_bytes > before_bytes ? peak_bytes - before_bytes : 0;
  cost.copy_bytes = progress.done_bytes;
  return written;
}

double first_picture_seconds(const std::string& path, const LoadOptions& load) {
  const auto began = ReopenClock::now();
  Session session(
      path, [path](LoadContext& control) { return open_source(path, control); },
      SessionOptions{.load = load});
  while (session.loading() && !session.has_trace()) {
    session.poll();
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return since(began);
}

}  // namespace

Result<ReopenCost> measure_reopening(const std::string& path, LoadOptions load, unsigned runs) {
  ReopenCost cost;
  const ScratchFolder folder;
  if (folder.path().empty()) return refused("There is no folder for temporary files.");
  load.prepared_folder = utf8_of(folder.path());
  if (const Status written = write_once(path, load, cost); !written) return written.error();
  give_back_free_memory();
  std::vector<double> seconds, first_seconds;
  for (unsigned run = 0; run < runs; ++run) {
    const std::uint64_t before_bytes = own_memory_bytes();
    const Result<OpenedTrace> trace = open_trace(path, load);
    if (!trace) return trace.error();
    if (!trace->prepared) return refused("The copy was not taken.");
    seconds.push_back(trace->seconds);
    if (run == 0) cost.own_bytes = own_memory_bytes() - before_bytes;
  }
  for (unsigned run = 0; run < runs; ++run) {
    first_seconds.push_back(first_picture_seconds(path, load));
  }
  cost.seconds = median(seconds);
  cost.first_picture_seconds = median(first_seconds);
  return cost;
}

}  // namespace cinderscope
