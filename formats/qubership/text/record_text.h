// What a recording knows of one slice: of a method in a trace, or of a call of the calls list.
#pragma once

#include "formats/qubership/recording.h"
#include "ingest/format/trace_source.h"

namespace cinderscope::qubership {

// Records are places in the store. Any thread.
RecordText record_text(const Recording& recording, RecordOffset record, RecordOffset end_record);

}  // namespace cinderscope::qubership
