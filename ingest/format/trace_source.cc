#include "ingest/format/trace_source.h"

#include <optional>
#include <utility>

namespace cinderscope {

Result<LoadedChildren> TraceSource::load_children(const ChildQuery&, StringPool&, LoadContext&) {
  return LoadedChildren{};  // a source that leaves nothing on disk is never asked
}

RecordText TraceSource::describe(RecordOffset, RecordOffset) const {
  return {};
}

namespace {

// What leaves so much out that nothing is to be shown.
std::optional<Error> refusal_in(const Diagnostics& diagnostics) {
  for (const auto& [kind, code] : {std::pair(diagnostic::kDiskShare, ErrorCode::too_large),
                                   std::pair(diagnostic::kAddressSpace, ErrorCode::no_memory)}) {
    const auto found = diagnostics.by_code().find(kind.code);
    if (found == diagnostics.by_code().end()) continue;
    return Error{
        .code = code, .text = found->second.text, .expected = std::string(found->second.advice)};
  }
  return std::nullopt;
}

}  // namespace

Result<Timeline> read_timeline(TraceSource& source, LoadContext& context) {
  TimelineBuilder builder;
  context.end_if([&source] { return source.input().refused(); });
  builder.stop_when(context.cancel_flag());
  builder.keep_only(context.keep());
  Status status = source.load(builder, context);
  if (status && builder.needs_replay()) {
    builder.begin_replay();
    context.begin_replay();
    status = source.load(builder, context);
  }
  if (context.short_of_memory()) {
    return Error{.code = ErrorCode::too_large,
                 .text = "This trace needs more memory than is free: loading was ended.",
                 .expected =
                     "Load a part of it (--keep-from TIME, --keep-to TIME, --keep-thread "
                     "ID), or all of it anyway (--beyond-memory)."};
  }
  context.end_if(nullptr);
  if (auto refused = refusal_in(source.input().damage())) return *refused;
  if (!status) return status.error();
  Timeline timeline = builder.finish(context.jobs());
  if (context.cancelled())
    return Error{.code = ErrorCode::cancelled, .text = "Loading was stopped."};
  timeline.diagnostics.merge(source.input().damage());
  // Other files of the trace are unpacked as well.
  if (auto refused = refusal_in(timeline.diagnostics)) return *refused;
  return timeline;
}

}  // namespace cinderscope
