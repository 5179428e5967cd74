// `cinderscope bench`: what loading and drawing a trace costs, as one JSON object.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "app/cli.h"
#include "app/json_writer.h"
#include "app/open_trace.h"

namespace cinderscope {

namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void write_load(JsonWriter& out, const OpenedTrace& trace, double seconds,
                std::uint64_t peak_bytes) {
  const Timeline& timeline = trace.timeline;
  const Input& input = trace.source->input();
  const auto input_bytes = static_cast<double>(input.bytes().size());
  const KeptBytes kept = kept_bytes(timeline);
  const std::uint64_t slices = timeline.slice_count + timeline.async_slice_count;
  out.field("format", trace.format->name()).field("threads_used", trace.jobs);
  out.field("input_bytes", input.stored_bytes()).field("inflated_bytes", input.bytes().size());
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

}  // namespace

int run_bench(const BenchOptions& options) {
  std::vector<double> seconds;
  std::uint64_t peak_bytes = 0;
  for (unsigned run = 0; run < options.runs; ++run) {
    Result<OpenedTrace> trace = open_trace(options.path, options.load);
    if (!trace) {
      fmt::print(stderr, "{}\n", message_of(options.path, trace.error()));
      return kExitCannotOpen;
    }
    seconds.push_back(trace->seconds);
    // Later runs start with memory that the allocator still holds, so the first one tells the peak.
    if (run == 0) peak_bytes = trace->peak_bytes;
    if (run + 1 < options.runs) continue;
    JsonWriter out;
    out.begin_object();
    write_load(out, *trace, median(seconds), peak_bytes);
    out.key("frames").begin_array();
    for (const FrameCost& cost : measure_frames(trace->timeline, options.draw_frame)) {
      out.begin_object().field("zoom", cost.zoom).field("frames", cost.all.frames);
      out.field("boxes", cost.boxes).field("median_ms", cost.all.median);
      out.field("p99_ms", cost.all.p99).field("max_ms", cost.all.max);
      write_milliseconds(out, "first_visits", cost.first);
      write_milliseconds(out, "later_visits", cost.later);
      out.end_object();
    }
    out.end_array().end_object();
    fmt::print("{}\n", out.str());
  }
  return kExitOk;
}

}  // namespace cinderscope
