// What a recording knows of one slice: of a method in a trace, or of a call of the calls list.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/qubership/recording.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/trace_source.h"

namespace cinderscope::qubership {

// Records are places in the store. Any thread.
RecordText record_text(const Recording& recording, RecordOffset record, RecordOffset end_record);

// What the calls list says of a call in numbers, in this order; nothing of other records.
inline constexpr CallFacts::Column kCallFacts[] = {
    {"calls_inside", "Calls inside it"}, {"cpu_dur", "Processor time", true},
    {"wait_dur", "Time waited", true},   {"queue_dur", "Time in a queue before it", true},
    {"memory_bytes", "Allocated"},       {"file_read_bytes", ""},
    {"file_written_bytes", ""},          {"net_read_bytes", ""},
    {"net_written_bytes", ""},           {"transactions", ""},
    {"logs_written_bytes", ""},          {"logs_generated_bytes", ""},
};
std::vector<std::int64_t> call_facts_of(const Recording& recording, RecordOffset record);

}  // namespace cinderscope::qubership
