// `cinderscope info`: the facts of a trace, as text or as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "app/cli/cli.h"
#include "app/cli/diagnostics_json.h"
#include "app/questions/name_totals.h"
#include "app/session/find_traces.h"
#include "app/session/open_trace.h"
#include "ingest/base/json_writer.h"
#include "ingest/format/capabilities.h"

namespace cinderscope {

namespace {

bool owns_something(const Timeline& timeline, ProcessId process) {
  return std::any_of(timeline.tracks.begin(), timeline.tracks.end(),
                     [process](const Track& track) { return track.process == process; });
}

void write_threads(JsonWriter& out, const Timeline& timeline) {
  out.key("processes").begin_array();
  for (std::size_t i = 0; i < timeline.processes.size(); ++i) {
    if (!owns_something(timeline, ProcessId{static_cast<std::uint32_t>(i)})) continue;
    const Process& process = timeline.processes[i];
    out.begin_object().field("pid", timeline.text(process.pid));
    out.field("name", timeline.text(process.name)).end_object();
  }
  out.end_array().key("threads").begin_array();
  for (const Thread& thread : timeline.threads) {
    if (thread.track == kNoTrack) continue;
    const Track& track = timeline.tracks[index(thread.track)];
    out.begin_object();
    out.field("pid", timeline.text(timeline.processes[index(thread.process)].pid));
    out.field("tid", timeline.text(thread.tid)).field("name", timeline.text(thread.name));
    out.field("slices", track.slice_count).field("instants", instant_count(track));
    out.field("max_depth", track.depth).end_object();
  }
  out.end_array();
}

void write_counts(JsonWriter& out, const Timeline& timeline, std::uint64_t distinct_names) {
  out.key("slices").begin_object().field("total", timeline.slice_count);
  out.field("unfinished", timeline.unfinished_count);
  out.field("overlapping", timeline.overlapping_count);
  out.field("distinct_names", distinct_names).end_object();
  out.field("instants", timeline.instant_count);
  std::uint64_t tracks = 0, series = 0, samples = 0;
  for (const Track& track : timeline.tracks) {
    if (track.kind != TrackKind::counter) continue;
    ++tracks;
    series += track.series.size();
    for (const CounterSeries& one : track.series) samples += one.time_ns.size();
  }
  out.key("counters").begin_object().field("tracks", tracks).field("series", series);
  out.field("samples", samples).end_object();
  out.key("async").begin_object().field("slices", timeline.async_slice_count);
  out.field("unfinished", timeline.async_unfinished_count);
  out.field("tracks", timeline.async_group_count).end_object();
  out.field("flows", timeline.flow_count).field("samples", timeline.sample_count);
}

void write_trace(JsonWriter& out, const OpenedTrace& trace, const InfoOptions& options,
                 bool with_path) {
  const Timeline& timeline = trace.timeline;
  const std::vector<NameTotal> names = name_totals(timeline);
  out.begin_object();
  if (with_path) out.field("path", trace.path);
  out.field("format", trace.format->name());
  out.field("axis", timeline.axis == TimeAxis::nanoseconds ? "ns" : "events");
  out.field("begin", timeline.slices_begin_ns).field("end", timeline.slices_end_ns);
  write_threads(out, timeline);
  write_counts(out, timeline, names.size());

  out.key("names").begin_array();
  const std::size_t shown =
      options.names == 0 ? names.size() : std::min<std::size_t>(names.size(), options.names);
  for (std::size_t i = 0; i < shown; ++i) {
    out.begin_object().field("name", display_name(timeline, names[i].name));
    out.field("count", names[i].count).field("total", names[i].total_ns).end_object();
  }
  out.end_array().key("diagnostics");
  write_diagnostics(out, timeline.diagnostics);
  const TraceSource::Size size = trace.source->size();
  out.key("load").begin_object().field("seconds", trace.seconds);
  out.field("input_bytes", size.stored_bytes).field("inflated_bytes", size.inflated_bytes);
  out.field("kept_bytes", kept_bytes(timeline).total() + trace.source->size().own_bytes);
  out.field("peak_rss_bytes", trace.peak_bytes).field("threads_used", trace.jobs).end_object();
  out.key("details").begin_object().field("bind_flows", timeline.bind_flow_count);
  for (const auto& [key, json] : trace.source->details()) out.key(key).raw(json);
  out.end_object().end_object();
}

void print_text(const OpenedTrace& trace, const InfoOptions& options) {
  const Timeline& timeline = trace.timeline;
  const std::vector<NameTotal> names = name_totals(timeline);
  fmt::print("{}: {} trace\n", trace.path, trace.format->description());
  fmt::print("  {} slices ({} unfinished, {} overlapping) of {} names\n", timeline.slice_count,
             timeline.unfinished_count, timeline.overlapping_count, names.size());
  fmt::print("  {} instants, {} async slices, {} flows, {} samples\n", timeline.instant_count,
             timeline.async_slice_count, timeline.flow_count + timeline.bind_flow_count,
             timeline.sample_count);
  const char* unit = timeline.axis == TimeAxis::nanoseconds ? "ns" : "events";
  fmt::print("  from {} to {} {}\n", timeline.slices_begin_ns, timeline.slices_end_ns, unit);
  fmt::print("  loaded in {:.3f} s, {} bytes kept\n", trace.seconds,
             kept_bytes(timeline).total() + trace.source->size().own_bytes);
  fmt::print("\nthreads\n");
  for (const Thread& thread : timeline.threads) {
    if (thread.track == kNoTrack) continue;
    const Track& track = timeline.tracks[index(thread.track)];
    fmt::print("  {:>10} / {:<10} {:>10} slices, depth {:>4}  {}\n",
               timeline.text(timeline.processes[index(thread.process)].pid),
               timeline.text(thread.tid), track.slice_count, track.depth,
               timeline.text(thread.name));
  }
  fmt::print("\n{:>12} {:>20}  name\n", "count", fmt::format("total {}", unit));
  const std::size_t shown =
      options.names == 0 ? names.size() : std::min<std::size_t>(names.size(), options.names);
  for (std::size_t i = 0; i < shown; ++i) {
    fmt::print("{:>12} {:>20}  {}\n", names[i].count, names[i].total_ns,
               display_name(timeline, names[i].name));
  }
  if (timeline.diagnostics.by_code().empty()) return;
  fmt::print("\nload report\n");
  for (const auto& [code, diagnostic] : timeline.diagnostics.by_code()) {
    fmt::print("  {:>8} x {}: {}", diagnostic.count, code, diagnostic.text);
    if (diagnostic.first_offset != kNoOffset)
      fmt::print(" (first at byte {})", diagnostic.first_offset);
    fmt::print("{}{}\n", diagnostic.advice.empty() ? "" : " ", diagnostic.advice);
  }
}

}  // namespace

int run_info(const InfoOptions& options) {
  std::string left_out;
  const Result<std::vector<std::string>> paths = traces_of(options.path, &left_out);
  if (!paths) {
    fmt::print(stderr, "{}\n", message_of(options.path, paths.error()));
    return kExitCannotOpen;
  }
  if (!left_out.empty()) fmt::print(stderr, "{}\n", left_out);
  const bool several = paths->size() > 1 || paths->front() != options.path;
  JsonWriter out;
  if (several) out.begin_object().key("traces").begin_array();
  std::size_t opened = 0;
  for (const std::string& path : *paths) {
    const Result<OpenedTrace> trace = open_trace(path, options.load);
    if (!trace) {
      fmt::print(stderr, "{}\n", message_of(path, trace.error()));
      continue;
    }
    ++opened;
    if (options.json) {
      write_trace(out, *trace, options, several);
    } else {
      print_text(*trace, options);
    }
  }
  if (several) out.end_array().end_object();
  if (opened == 0) return kExitCannotOpen;
  if (options.json) fmt::print("{}\n", out.str());
  return kExitOk;
}

}  // namespace cinderscope
