#include "app/pack/part_size.h"

#include "app/convert/estimate.h"
#include "formats/all_writers.h"
#include "ingest/format/load_context.h"

namespace cinderscope {

// As the part's share of what writing the trace as JSON would make, texts of events aside. Google
// JSON keeps its own bytes; what is JSON only in the pack is packed to about a tenth.
std::uint64_t part_bytes(const ShownTrace& trace, const TypedRange& range,
                         std::uint64_t whole_bytes) {
  const TraceWriter* writer = writer_named("json");
  const bool is_all =
      range.begin_ns <= trace.timeline.begin_ns && range.end_ns >= trace.timeline.end_ns;
  const auto json_bytes = [&](std::int64_t from, std::int64_t to) -> std::uint64_t {
    PartOptions options;
    options.from = from;
    options.to = to;
    options.source_format = trace.format;
    LoadContext context;
    PartReader part(trace.timeline, nullptr, options, context);
    if (part.tracks().empty()) return 0;
    const Result<std::uint64_t> bytes = estimated_bytes(part, *writer);
    return bytes ? *bytes : 0;
  };
  if (trace.format == "google_json" && is_all) return whole_bytes;
  const std::uint64_t part = json_bytes(range.begin_ns, range.end_ns);
  constexpr std::uint64_t kPackedTo = 10;
  if (trace.format != "google_json") return part / kPackedTo;
  const std::uint64_t all = json_bytes(INT64_MIN, INT64_MAX);
  if (all == 0 || part >= all) return whole_bytes;
  return static_cast<std::uint64_t>(static_cast<double>(whole_bytes) *
                                    (static_cast<double>(part) / static_cast<double>(all)));
}

}  // namespace cinderscope
