// All that a trace knows about one trace point, for the details.
#pragma once

#include <cstddef>
#include <span>

#include "formats/lincheck/lookup.h"
#include "ingest/format/trace_source.h"

namespace cinderscope::lincheck {

// What a trace point says when it is shown: `record` is where it begins, `footer` where it ends, as
// load() gave them to the builder. `diff_events` is a diff's map of events, or empty.
RecordText record_text(RecordOffset record, RecordOffset footer, const Lookup& names,
                       std::span<const std::byte> diff_events = {});

}  // namespace cinderscope::lincheck
