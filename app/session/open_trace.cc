#include "app/session/open_trace.h"

#include <fmt/format.h>

#include <chrono>
#include <new>
#include <utility>

#include "app/session/load_estimate.h"
#include "app/session/memory_watch.h"
#include "app/session/open_source.h"
#include "app/session/prepared_copies.h"
#include "formats/all_formats.h"
#include "ingest/base/self_trace.h"
#include "ingest/model/measure/timeline_weights.h"
#include "ingest/os/memory.h"

namespace cinderscope {

Result<OpenedTrace> open_trace(const std::string& path, LoadOptions options) {
  const auto started = std::chrono::steady_clock::now();
  LoadContext context(std::move(options));
  Result<OpenedSource> opened = open_source(path, context);
  if (!opened) return opened.error();
  Result<OpenedTrace> trace = load_opened(path, std::move(*opened), context);
  if (trace) {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
    trace->seconds = took.count();
  }
  return trace;
}

Result<OpenedTrace> load_opened(const std::string& path, OpenedSource opened,
                                LoadContext& context) {
  const SelfTraceMark mark("load");
  const auto started = std::chrono::steady_clock::now();
  try {
    MemoryWatch memory;
    Result<LoadedTimeline> loaded = load_timeline(opened, context);
    if (!loaded) return loaded.error();
    if (const Status known = check_weight(loaded->timeline, context.options().weight); !known) {
      return known.error();
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
    return OpenedTrace{.path = path,
                       .format = opened.format,
                       .source = std::move(opened.source),
                       .timeline = std::move(loaded->timeline),
                       .prepared = loaded->prepared,
                       .totals = std::move(loaded->totals),
                       .seconds = took.count(),
                       .peak_bytes = memory.stop(),
                       .jobs = context.jobs()};
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::no_memory, "There is not enough memory to load this trace.",
                 "Close other programs, or open a shorter recording."};
  }
}

Status check_weight(const Timeline& timeline, std::string_view weight) {
  const std::span<const Weight> weights = weights_of(timeline);
  if (weight.empty() || find_weight(weights, weight)) return ok();
  return Error{.code = ErrorCode::refused,
               .text = fmt::format("There is no weight \"{}\".", weight),
               .expected = fmt::format("There are: {}.", weight_names(weights))};
}

std::string message_of(const std::string& path, const Error& error) {
  std::string message = fmt::format("{}: {}", path == "-" ? "standard input" : path, error.text);
  if (error.offset_bytes != kNoOffset) message += fmt::format(" (byte {})", error.offset_bytes);
  if (!error.expected.empty()) message += " " + error.expected;
  return message;
}

}  // namespace cinderscope
