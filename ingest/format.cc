#include "ingest/format.h"

namespace cinderscope {

Result<LoadedChildren> TraceSource::load_children(const ChildQuery&, StringPool&, LoadControl&) {
  return LoadedChildren{};  // a source that leaves nothing on disk is never asked
}

RecordText TraceSource::describe(Record, Record) const {
  return {};
}

}  // namespace cinderscope
