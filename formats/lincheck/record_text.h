// All that a trace knows about one trace point, for the details.
#pragma once

#include "formats/lincheck/lookup.h"
#include "ingest/format.h"

namespace cinderscope::lincheck {

// Records are those of the eager load; see append_line.
RecordText record_text(Record record, Record footer, const Lookup& names);

}  // namespace cinderscope::lincheck
