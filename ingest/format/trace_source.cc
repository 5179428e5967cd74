#include "ingest/format/trace_source.h"

namespace cinderscope {

Result<LoadedChildren> TraceSource::load_children(const ChildQuery&, StringPool&, LoadContext&) {
  return LoadedChildren{};  // a source that leaves nothing on disk is never asked
}

RecordText TraceSource::describe(RecordOffset, RecordOffset) const {
  return {};
}

Result<Timeline> read_timeline(TraceSource& source, LoadContext& context) {
  TimelineBuilder builder;
  builder.stop_when(context.cancel_flag());
  builder.keep_only(context.keep());
  Status status = source.load(builder, context);
  if (status && builder.needs_replay()) {
    builder.begin_replay();
    context.begin_replay();
    status = source.load(builder, context);
  }
  if (!status) return status.error();
  Timeline timeline = builder.finish(context.jobs());
  if (context.cancelled())
    return Error{.code = ErrorCode::cancelled, .text = "Loading was stopped."};
  timeline.diagnostics.merge(source.input().damage());
  return timeline;
}

}  // namespace cinderscope
