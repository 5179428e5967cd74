// What Details shows of a record: category, place in the source, arguments, stacks.
#pragma once

#include "formats/thread_stream/record_data.h"
#include "formats/thread_stream/recording.h"
#include "ingest/model/record_text.h"

namespace cinderscope::thread_stream {

// `end` may be null; then the call's end has nothing of its own.
RecordText record_text(const RecordData& begin, const RecordData* end, const Tables& tables,
                       const CodeNames& names);

}  // namespace cinderscope::thread_stream
