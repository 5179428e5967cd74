// All that a trace knows about one trace point, for the details.
#pragma once

#include <cstddef>
#include <span>

#include "formats/lincheck/lookup.h"
#include "ingest/format/format.h"

namespace cinderscope::lincheck {

// Records are those of the eager load; see append_line. `diff_events`: of a diff, its map of
// events; may be empty.
RecordText record_text(RecordOffset record, RecordOffset footer, const Lookup& names,
                       std::span<const std::byte> diff_events = {});

}  // namespace cinderscope::lincheck
