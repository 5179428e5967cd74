#include "app/cli/bench/scale_bench.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "app/cli/bench/question_bench.h"
#include "ingest/format/trace_source.h"
#include "ingest/model/slice_row.h"
#include "ingest/os/memory.h"

namespace cinderscope {
namespace {

constexpr std::uint64_t kRowsAsked = 16, kCallsOfRow = 25;

// Calls spread over the whole trace, in an order in which neighbours do not follow each other.
std::vector<Slice> some_calls(const Timeline& timeline) {
  std::vector<Slice> calls;
  for (std::uint64_t i = 0; i < kCallsOfRow; ++i) {
    std::uint64_t rows = 0;
    for (const Track& track : timeline.tracks) {
      if (track.slice_count == 0 || ++rows > kRowsAsked) continue;
      const SliceRow& row = track.root().rows.back();
      const std::uint64_t place = i * 7 % kCallsOfRow;
      calls.push_back(row.slice(row.count() * place / kCallsOfRow));
    }
  }
  return calls;
}

}  // namespace

Result<OnDiskCost> measure_on_disk(const std::string& path, const LoadOptions& load,
                                   std::uint64_t kept_bytes, unsigned runs) {
  OnDiskCost cost;
  std::vector<double> seconds;
  for (unsigned run = 0; run < runs; ++run) {
    give_back_free_memory();
    const std::uint64_t before_bytes = own_memory_bytes();
    cost.limit_bytes = std::max<std::uint64_t>(1, kept_bytes / 4);
    LoadOptions limited = load;
    limited.memory_limit_bytes = before_bytes + cost.limit_bytes;
    const Result<OpenedTrace> trace = open_trace(path, limited);
    if (!trace) return trace.error();
    seconds.push_back(trace->seconds);
    const std::uint64_t above = trace->peak_bytes - std::min(trace->peak_bytes, before_bytes);
    cost.own_peak_bytes = std::max(cost.own_peak_bytes, above);
  }
  cost.seconds = median(seconds);
  return cost;
}

PackedCost measure_packed(const OpenedTrace& trace) {
  PackedCost cost;
  const TraceSource::Size size = trace.source->size();
  const Input& input = trace.source->input();
  if (input.is_folder() || size.inflated_bytes <= size.stored_bytes) return cost;
  cost.plain_bytes = size.inflated_bytes;
  cost.disk_bytes = input.unpacked_bytes();
  std::vector<double> ms;
  for (const Slice& call : some_calls(trace.timeline)) {
    const auto began = std::chrono::steady_clock::now();
    static_cast<void>(trace.source->describe(call.record, call.end_record));
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
    ms.push_back(took.count());
  }
  if (ms.empty()) return cost;
  cost.longest_describe_ms = *std::ranges::max_element(ms);
  cost.describe_ms = median(ms);
  return cost;
}

}  // namespace cinderscope
