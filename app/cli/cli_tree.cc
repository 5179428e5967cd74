// `cinderscope tree`: the calls of each thread as indented text.
#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <utility>

#include "app/cli/cli.h"
#include "app/cli/each_trace.h"
#include "app/cli/standard_output.h"
#include "app/session/open_source.h"
#include "app/session/open_trace.h"
#include "ingest/format/capabilities.h"
#include "ingest/model/call_walk.h"
#include "ingest/model/measure/negative_weight.h"
#include "ingest/model/slice_set.h"

namespace cinderscope {

namespace {

constexpr std::uint32_t kWidestIndent = 200;  // levels; calls may be a million levels deep

void print_track(const Timeline& timeline, TrackId track, const TypedRange& range,
                 const TreeOptions& options) {
  const char* unit = timeline.axis == TimeAxis::nanoseconds ? "ns" : "";
  fmt::memory_buffer line;
  std::atomic<bool> ended{false};
  const auto print = [&](const WalkedCall& call, const int*) {
    if (options.depth != 0 && call.depth >= options.depth) return 0;
    const Slice slice = slice_at(timeline, call.slice);
    line.clear();
    const std::uint32_t indent = std::min(call.depth, kWidestIndent);
    fmt::format_to(std::back_inserter(line), "{:>{}}", "", 2 + 2 * indent);
    if (call.depth > kWidestIndent) {
      fmt::format_to(std::back_inserter(line), "({}) ", call.depth + 1);
    }
    fmt::format_to(std::back_inserter(line), "{}  {} +{}{}", display_name(timeline, slice.name),
                   slice.begin_ns, slice.duration_ns, unit);
    if ((slice.flags & kUnfinished) != 0) fmt::format_to(std::back_inserter(line), " unfinished");
    if ((slice.flags & kOverlapping) != 0) fmt::format_to(std::back_inserter(line), " overlapping");
    if ((slice.flags & kNegative) != 0) fmt::format_to(std::back_inserter(line), " negative");
    line.push_back('\n');
    if (!write_output({line.data(), line.size()})) ended = true;
    return 0;
  };
  Scope scope;
  scope.begin_ns = range.begin_ns;
  scope.end_ns = range.end_ns;
  walk_call_tree<int>(slices_of(timeline, track), scope, ended, print, [](int, std::int64_t) {});
}

void print_timeline(const Timeline& timeline, const TypedRange& range, const TreeOptions& options) {
  for (const Thread& thread : timeline.threads) {
    if (thread.track == kNoTrack) continue;
    const std::string_view tid = timeline.text(thread.tid), name = timeline.text(thread.name);
    if (!options.thread.empty() && options.thread != tid && options.thread != name) continue;
    fmt::print("{}/{} {}\n", timeline.text(timeline.processes[index(thread.process)].pid), tid,
               name);
    print_track(timeline, thread.track, range, options);
  }
}

Status print_text(TreeText& text, const TypedRange& range, const TreeOptions& options,
                  LoadContext& context) {
  const TreeRequest request{.depth = options.depth,
                            .thread = options.thread,
                            .begin = range.begin_ns,
                            .end = range.end_ns,
                            .verbose = options.verbose,
                            .tidy = options.tidy};
  return text.print(request, write_output, context);
}

Status print_trace(const NamedTrace& named, const TreeOptions& options) {
  LoadContext context(options.load);
  Result<OpenedSource> opened = open_source(named.path, context);
  if (!opened) return opened.error();
  if (named.in_folder) fmt::print("{}\n", named.path);
  TreeText* text = opened->source->tree_text();
  const bool in_part = options.range.from || options.range.to;
  if (text != nullptr && !in_part)
    return print_text(*text, {INT64_MIN, INT64_MAX}, options, context);
  // What times mean shows once the trace was loaded.
  const Result<OpenedTrace> trace = load_opened(named.path, std::move(*opened), context);
  if (!trace) return trace.error();
  const Result<TypedRange> range =
      range_in(time_context(trace->timeline), options.range.from, options.range.to);
  if (!range) return range.error();
  if (text != nullptr) return print_text(*text, *range, options, context);
  print_timeline(trace->timeline, *range, options);
  return ok();
}

}  // namespace

int run_tree(const TreeOptions& options) {
  if (const Status checked = check_range(options.range); !checked) {
    fmt::print(stderr, "{}\n", checked.error().text);
    return kExitUsage;
  }
  return for_each_trace(options.path,
                        [&](const NamedTrace& trace) { return print_trace(trace, options); });
}

}  // namespace cinderscope
