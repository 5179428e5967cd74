#include "ingest/format/format.h"

namespace cinderscope {

Result<LoadedChildren> TraceSource::load_children(const ChildQuery&, StringPool&, LoadContext&) {
  return LoadedChildren{};  // a source that leaves nothing on disk is never asked
}

Result<LoadedSymbols> TraceSource::load_symbols(const StringPool&, const SymbolOptions&,
                                                const std::shared_ptr<StringPool>&) {
  return Error{ErrorCode::cannot_read, "The names of this trace are in the trace itself.",
               "Only Flow traces have a file of names."};
}

Result<Timeline> TraceSource::renamed(const Timeline& shown, const SymbolOptions& names,
                                      LoadContext& control) {
  const auto pool = std::make_shared<StringPool>();
  Result<LoadedSymbols> found = load_symbols(*shown.strings, names, pool);
  if (!found) return found.error();
  std::vector<RenamedPart> parts;
  parts.push_back({.track_count = shown.tracks.size(), .names = std::move(*found)});
  return with_new_names(shown, pool, std::move(parts), control);
}

Status TraceSource::print_tree(const TreeRequest&, const TreeSink&, LoadContext&) {
  return ok();  // a source without a text of its own is never asked
}

Result<std::string> TraceSource::write_index(LoadContext&) {
  return Error{ErrorCode::cannot_read, "Traces of this format have no index.",
               "Only Lincheck traces have one."};
}

std::shared_ptr<const NameIndex> TraceSource::survey(unsigned, const std::atomic<bool>&,
                                                     const SurveyProgress&) const {
  return nullptr;
}

RecordText TraceSource::describe(RecordOffset, RecordOffset) const {
  return {};
}

Result<Timeline> TraceSource::read(LoadContext& control) {
  TimelineBuilder builder;
  builder.stop_when(control.cancel_flag());
  builder.keep_only(control.keep());
  const Status status = load(builder, control);
  if (!status) return status.error();
  Timeline timeline = builder.finish(control.jobs());
  if (control.cancelled())
    return Error{.code = ErrorCode::cancelled, .text = "Loading was stopped."};
  timeline.diagnostics.merge(input().damage());
  return timeline;
}

}  // namespace cinderscope
