// `cinderscope tree`: the calls of each thread as indented text.
#include <fmt/format.h>

#include <cstdio>

#include "app/cli.h"
#include "app/open_trace.h"
#include "ingest/slice_walk.h"

namespace cinderscope {

namespace {

constexpr std::uint32_t kWidestIndent = 200;  // levels; a line must not grow with a million of them

void print_track(const Timeline& timeline, const Track& track, const TreeOptions& options) {
  const char* unit = timeline.axis == TimeAxis::nanoseconds ? "ns" : "";
  fmt::memory_buffer line;
  walk_slices(track.root(), [&](std::uint32_t depth, const Slice& slice) {
    if (options.depth != 0 && depth >= options.depth) return;
    line.clear();
    const std::uint32_t indent = depth < kWidestIndent ? depth : kWidestIndent;
    fmt::format_to(std::back_inserter(line), "{:>{}}", "", 2 + 2 * indent);
    if (depth > kWidestIndent) fmt::format_to(std::back_inserter(line), "({}) ", depth + 1);
    fmt::format_to(std::back_inserter(line), "{}  {} +{}{}", display_name(timeline, slice.name),
                   slice.begin_ns, slice.duration_ns, unit);
    if ((slice.flags & kUnfinished) != 0) fmt::format_to(std::back_inserter(line), " unfinished");
    if ((slice.flags & kOverlapping) != 0) fmt::format_to(std::back_inserter(line), " overlapping");
    line.push_back('\n');
    std::fwrite(line.data(), 1, line.size(), stdout);
  });
}

}  // namespace

int run_tree(const TreeOptions& options) {
  const Result<std::vector<std::string>> paths = traces_of(options.path);
  if (!paths) {
    fmt::print(stderr, "{}\n", message_of(options.path, paths.error()));
    return kExitCannotOpen;
  }
  int status = kExitCannotOpen;
  for (const std::string& path : *paths) {
    const Result<OpenedTrace> trace = open_trace(path, options.load);
    if (!trace) {
      fmt::print(stderr, "{}\n", message_of(path, trace.error()));
      continue;
    }
    status = kExitOk;
    const Timeline& timeline = trace->timeline;
    if (paths->size() > 1) fmt::print("{}\n", path);
    for (const Thread& thread : timeline.threads) {
      if (thread.track == kNoTrack) continue;
      const std::string_view tid = timeline.text(thread.tid), name = timeline.text(thread.name);
      if (!options.thread.empty() && options.thread != tid && options.thread != name) continue;
      fmt::print("{}/{} {}\n", timeline.text(timeline.processes[index(thread.process)].pid), tid,
                 name);
      print_track(timeline, timeline.tracks[index(thread.track)], options);
    }
  }
  return status;
}

}  // namespace cinderscope
