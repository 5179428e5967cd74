// `cinderscope bench`: what loading, drawing and asking a trace costs, as one JSON object.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/bench/compare_bench.h"
#include "app/cli/bench/load_bench.h"
#include "app/cli/bench/question_bench.h"
#include "app/cli/bench/reopen_bench.h"
#include "app/cli/bench/scale_bench.h"
#include "app/cli/cli.h"
#include "app/session/open_trace.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/os/memory.h"

namespace cinderscope {

namespace {

void write_load(JsonWriter& out, const OpenedTrace& trace, double seconds,
                std::uint64_t peak_bytes) {
  const Timeline& timeline = trace.timeline;
  const TraceSource::Size size = trace.source->size();
  const auto input_bytes = static_cast<double>(size.inflated_bytes);
  const KeptBytes kept = kept_bytes(timeline);
  const std::uint64_t slices = timeline.slice_count + timeline.async_slice_count;
  out.field("format", trace.format->name()).field("threads_used", trace.jobs);
  out.field("input_bytes", size.stored_bytes).field("inflated_bytes", size.inflated_bytes);
  out.field("records", timeline.record_count).field("slices", slices);
  out.field("load_seconds", seconds);
  out.field("mb_per_second", input_bytes / 1e6 / seconds);
  out.field("records_per_second", static_cast<double>(timeline.record_count) / seconds);
  out.key("kept_bytes").begin_object().field("total", kept.total()).field("columns", kept.columns);
  out.field("lod", kept.lod).field("names", kept.names).field("args", kept.args);
  out.field("other", kept.other).end_object();
  const double per_slice =
      slices == 0 ? 0 : static_cast<double>(kept.total()) / static_cast<double>(slices);
  out.field("kept_bytes_per_slice", per_slice);
  out.field("peak_rss_bytes", peak_bytes);
  const double ratio =
      kept.total() == 0 ? 0 : static_cast<double>(peak_bytes) / static_cast<double>(kept.total());
  out.field("peak_over_kept", ratio);
}

void write_milliseconds(JsonWriter& out, const char* key, const Milliseconds& cost) {
  if (cost.frames == 0) return;
  out.key(key).begin_object().field("frames", cost.frames).field("median_ms", cost.median);
  out.field("p99_ms", cost.p99).field("max_ms", cost.max).end_object();
}

void write_frames(JsonWriter& out, const char* key, const Timeline& timeline,
                  const DrawFrame& draw) {
  out.key(key).begin_array();
  for (const FrameCost& cost : measure_frames(timeline, draw)) {
    out.begin_object().field("zoom", cost.zoom).field("frames", cost.all.frames);
    out.field("boxes", cost.boxes).field("median_ms", cost.all.median);
    out.field("p99_ms", cost.all.p99).field("max_ms", cost.all.max);
    write_milliseconds(out, "first_visits", cost.first);
    write_milliseconds(out, "later_visits", cost.later);
    write_milliseconds(out, "wall", cost.wall);
    out.end_object();
  }
  out.end_array();
}

void write_questions(JsonWriter& out, const OpenedTrace& trace, unsigned runs) {
  out.key("search").begin_array();
  for (const SearchCost& cost : measure_searches(trace.timeline, runs, trace.jobs)) {
    out.begin_object().field("name", cost.name).field("text", cost.text);
    out.field("matches", cost.matches).field("first_ms", cost.first_ms);
    out.field("count_ms", cost.count_ms).end_object();
  }
  const StatisticsCosts statistics = measure_statistics(trace.timeline, runs, trace.jobs);
  out.end_array().key("statistics").begin_array();
  for (const StatisticsCost& cost : statistics.parts) {
    out.begin_object().field("part", cost.part).field("calls", cost.calls);
    out.field("names", cost.names).field("ms", cost.ms);
    out.field("known_first_ms", cost.known_first_ms).field("known_ms", cost.known_ms).end_object();
  }
  out.end_array().key("statistics_prepared").begin_object();
  out.field("ms", statistics.prepare_ms).field("bytes", statistics.prepared_bytes).end_object();
}

void write_comparison(JsonWriter& out, const CompareCost& cost) {
  out.key("compare").begin_object().field("names", cost.names);
  out.field("known_first_ms", cost.known_first_ms).field("known_ms", cost.known_ms);
  out.field("ms", cost.measure_ms).field("rules_ms", cost.rules_ms);
  out.field("table_ms", cost.table_ms).field("tree_ms", cost.tree_ms);
  out.field("kept_bytes", cost.kept_bytes).end_object();
}

void write_cancel(JsonWriter& out, const CancelCost& cost) {
  out.field("first_picture_seconds", cost.first_picture_seconds);
  out.key("cancel").begin_object().field("end_seconds", cost.end_seconds);
  out.field("memory_seconds", cost.memory_seconds).field("longest_call_ms", cost.longest_call_ms);
  out.field("held_bytes", cost.held_bytes).field("left_bytes", cost.left_bytes).end_object();
}

void write_stages(JsonWriter& out, const std::vector<StageTime>& stages) {
  out.key("stages").begin_array();
  for (const StageTime& stage : stages) {
    out.begin_object().field("name", stage.name).field("count", stage.count);
    out.field("seconds", stage.seconds).end_object();
  }
  out.end_array();
}

void write_reopening(JsonWriter& out, const Result<ReopenCost>& cost) {
  if (!cost) return;  // there is no copy of such a trace
  out.key("reopen").begin_object().field("seconds", cost->seconds);
  out.field("first_picture_seconds", cost->first_picture_seconds);
  out.field("own_bytes", cost->own_bytes).field("copy_bytes", cost->copy_bytes);
  out.field("write_seconds", cost->write_seconds);
  out.field("write_memory_bytes", cost->write_memory_bytes).end_object();
}

void write_on_disk(JsonWriter& out, const Result<OnDiskCost>& cost) {
  if (!cost) return;
  out.key("on_disk").begin_object().field("limit_bytes", cost->limit_bytes);
  out.field("seconds", cost->seconds).field("own_peak_bytes", cost->own_peak_bytes).end_object();
}

void write_packed(JsonWriter& out, const PackedCost& cost) {
  if (cost.plain_bytes == 0) return;  // it is not
  out.key("packed").begin_object().field("plain_bytes", cost.plain_bytes);
  out.field("disk_bytes", cost.disk_bytes).field("describe_ms", cost.describe_ms);
  out.field("longest_describe_ms", cost.longest_describe_ms).end_object();
}

bool wants(const BenchOptions& options, std::string_view part) {
  return options.only.empty() ||
         std::find(options.only.begin(), options.only.end(), part) != options.only.end();
}

}  // namespace

int run_bench(const BenchOptions& options) {
  JsonWriter out;
  out.begin_object();
  std::vector<double> seconds;
  std::uint64_t peak_bytes = 0, kept = 0;
  for (unsigned run = 0; run < options.runs; ++run) {
    Result<OpenedTrace> trace = open_trace(options.path, options.load);
    if (!trace) {
      fmt::print(stderr, "{}\n", message_of(options.path, trace.error()));
      return kExitCannotOpen;
    }
    seconds.push_back(trace->seconds);
    // Later runs start with memory that the allocator still holds, so the first run gives the peak.
    if (run == 0) peak_bytes = trace->peak_bytes;
    if (run + 1 < options.runs) continue;
    write_load(out, *trace, median(seconds), peak_bytes);
    kept = kept_bytes(trace->timeline).total();
    if (wants(options, "packed")) write_packed(out, measure_packed(*trace));
    if (wants(options, "frames")) write_frames(out, "frames", trace->timeline, options.view(1));
    if (wants(options, "lanes")) write_frames(out, "lanes", trace->timeline, options.view(2));
    if (wants(options, "questions")) write_questions(out, *trace, options.runs);
    if (wants(options, "compare")) {
      write_comparison(out, measure_comparison(trace->timeline, options.runs, trace->jobs));
    }
    const auto before_free = std::chrono::steady_clock::now();
    trace->timeline = {};
    give_back_free_memory();
    const std::chrono::duration<double> freed = std::chrono::steady_clock::now() - before_free;
    out.field("free_seconds", freed.count());
  }
  if (options.path != "-") {  // standard input can be read only once
    if (wants(options, "cancel")) write_cancel(out, measure_cancel(options.path, options.load));
    if (wants(options, "stages")) write_stages(out, measure_stages(options.path, options.load));
    if (wants(options, "on_disk")) {
      write_on_disk(out, measure_on_disk(options.path, options.load, kept, options.runs));
    }
    if (wants(options, "reopen")) {
      write_reopening(out, measure_reopening(options.path, options.load, options.runs));
    }
  }
  out.end_object();
  fmt::print("{}\n", out.str());
  return kExitOk;
}

}  // namespace cinderscope
