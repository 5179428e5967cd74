// `cinderscope info`: the facts of a trace, as text or as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include "app/cli/cli.h"
#include "app/cli/each_trace.h"
#include "app/cli/process_owners.h"
#include "app/output/diagnostics_json.h"
#include "app/output/weights_json.h"
#include "app/questions/name_totals.h"
#include "app/session/open_trace.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/format/capabilities.h"
#include "render/text/report_text.h"

namespace cinderscope {

namespace {

void write_threads(JsonWriter& out, const Timeline& timeline) {
  const std::vector<bool> has_tracks =
      processes_with_tracks(timeline.tracks, timeline.processes.size());
  out.key("processes").begin_array();
  for (std::size_t i = 0; i < timeline.processes.size(); ++i) {
    const Process& process = timeline.processes[i];
    // One without an id stands for what belongs to no process.
    if (!has_tracks[i] || process.pid == kEmptyString) continue;
    out.begin_object().field("pid", timeline.text(process.pid));
    out.field("name", timeline.text(process.name)).end_object();
  }
  out.end_array().key("threads").begin_array();
  for (const Thread& thread : timeline.threads) {
    if (thread.track == kNoTrack && thread.wide_instants == 0) continue;
    static const Track nothing;
    const Track& track = thread.track == kNoTrack ? nothing : timeline.tracks[index(thread.track)];
    out.begin_object();
    out.field("pid", timeline.text(timeline.processes[index(thread.process)].pid));
    out.field("tid", timeline.text(thread.tid)).field("name", timeline.text(thread.name));
    out.field("slices", track.slice_count)
        .field("instants", instant_count(track) + thread.wide_instants);
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

// What the window says of it above the timeline.
std::string damage_of(const OpenedTrace& trace) {
  return damage_sentence(trace.timeline, trace.source->input().is_folder());
}

void write_trace(JsonWriter& out, const OpenedTrace& trace, const InfoOptions& options,
                 bool with_path) {
  const Timeline& timeline = trace.timeline;
  const std::vector<NameTotal> names = name_totals(timeline);
  out.begin_object();
  if (with_path) out.field("path", trace.path);
  out.field("format", trace.format->name());
  out.field("axis", timeline.axis == TimeAxis::nanoseconds ? "ns" : "events");
  write_weights(out, timeline);
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
  out.key("notice");
  if (const std::string notice = damage_of(trace); !notice.empty()) {
    out.text(notice);
  } else {
    out.null();
  }
  out.key("changed_file");
  write_change(out, trace.source->change_on_disk());
  const TraceSource::Size size = trace.source->size();
  out.key("load").begin_object().field("seconds", trace.seconds);
  out.field("input_bytes", size.stored_bytes).field("inflated_bytes", size.inflated_bytes);
  out.field("kept_bytes", kept_bytes(timeline).total() + trace.source->size().own_bytes);
  out.field("peak_rss_bytes", trace.peak_bytes).field("threads_used", trace.jobs);
  out.field("prepared", trace.prepared).end_object();
  out.key("details").begin_object().field("bind_flows", timeline.bind_flow_count);
  for (const auto& [key, json] : trace.source->details()) out.key(key).raw(json);
  out.end_object().end_object();
}

// Async slices and lifetimes.
void print_async_tracks(const Timeline& timeline) {
  bool first = true;
  for (const Track& track : timeline.tracks) {
    if (track.kind != TrackKind::async && track.kind != TrackKind::lifetimes) continue;
    if (std::exchange(first, false)) fmt::print("\nasync tracks and lifetimes\n");
    const bool async = track.kind == TrackKind::async;
    fmt::print("  {:>10}   {:>21} {}, {} {}  {}\n",
               timeline.text(timeline.processes[index(track.process)].pid), track.slice_count,
               async ? "slices" : "lifetimes", instant_count(track), async ? "steps" : "marks",
               display_name(timeline, track.name));
  }
}

void print_text(const OpenedTrace& trace, const InfoOptions& options) {
  const Timeline& timeline = trace.timeline;
  const std::vector<NameTotal> names = name_totals(timeline);
  fmt::print("{}: {} trace\n", trace.path, trace.format->description());
  // A trace that has none is told by what it has.
  if (timeline.slice_count > 0 || timeline.async_slice_count == 0) {
    fmt::print("  {} slices ({} unfinished, {} overlapping) of {} names\n", timeline.slice_count,
               timeline.unfinished_count, timeline.overlapping_count, names.size());
  }
  fmt::print("  {} instants, {} async slices, {} flows, {} samples\n", timeline.instant_count,
             timeline.async_slice_count, timeline.flow_count + timeline.bind_flow_count,
             timeline.sample_count);
  if (timeline.async_step_count > 0) {
    fmt::print("  {} steps of async slices\n", timeline.async_step_count);
  }
  if (timeline.lifetime_count > 0) {
    fmt::print("  {} lifetimes, seen {} times\n", timeline.lifetime_count,
               timeline.lifetime_mark_count);
  }
  const std::string_view unit = timeline.axis.word();
  const bool has_slices = timeline.slice_count > 0;
  fmt::print("  from {} to {} {}\n", has_slices ? timeline.slices_begin_ns : timeline.begin_ns,
             has_slices ? timeline.slices_end_ns : timeline.end_ns, unit);
  fmt::print("  loaded in {:.3f} s, {} bytes kept\n", trace.seconds,
             kept_bytes(timeline).total() + trace.source->size().own_bytes);
  const bool owned = std::ranges::any_of(
      timeline.threads, [](const Thread& thread) { return thread.track != kNoTrack; });
  if (owned) fmt::print("\nthreads\n");
  for (const Thread& thread : timeline.threads) {
    if (thread.track == kNoTrack) continue;
    const Track& track = timeline.tracks[index(thread.track)];
    fmt::print("  {:>10} / {:<10} {:>10} slices, depth {:>4}  {}\n",
               timeline.text(timeline.processes[index(thread.process)].pid),
               timeline.text(thread.tid), track.slice_count, track.depth,
               timeline.text(thread.name));
  }
  print_async_tracks(timeline);
  fmt::print("\n{:>12} {:>20}  name\n", "count", fmt::format("total {}", unit));
  const std::size_t shown =
      options.names == 0 ? names.size() : std::min<std::size_t>(names.size(), options.names);
  for (std::size_t i = 0; i < shown; ++i) {
    fmt::print("{:>12} {:>20}  {}\n", names[i].count, names[i].total_ns,
               display_name(timeline, names[i].name));
  }
  if (const std::string notice = damage_of(trace); !notice.empty()) {
    fmt::print("\n{}\n", notice);
  }
  if (const DiskChange change = trace.source->change_on_disk()) {
    fmt::print("\n{} has changed while it was read ({}).\n", change.file, change_name(change.what));
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
  JsonWriter out;
  bool in_folder = false;
  const int status = for_each_trace(options.path, [&](const NamedTrace& named) -> Status {
    const Result<OpenedTrace> trace = open_trace(named.path, options.load);
    if (!trace) return trace.error();
    if (!options.json) {
      print_text(*trace, options);
      return ok();
    }
    if (named.in_folder && !in_folder) out.begin_object().key("traces").begin_array();
    in_folder = named.in_folder;
    write_trace(out, *trace, options, in_folder);
    return ok();
  });
  if (status != kExitOk || !options.json) return status;
  if (in_folder) out.end_array().end_object();
  fmt::print("{}\n", out.str());
  return status;
}

}  // namespace cinderscope
