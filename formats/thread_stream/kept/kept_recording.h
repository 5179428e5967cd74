// What a load of a thread stream finds out, for a prepared copy of it: where chunks lie and what
// was called. Tables are read from the trace again, which is quick.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "formats/thread_stream/recording.h"
#include "ingest/base/fields.h"
#include "ingest/input/input.h"

namespace cinderscope::thread_stream {

void save_recording(const Recording& recording, FieldWriter& out);
// `out` has its header. False if it is no recording of this input.
bool restore_recording(FieldReader& in, const Input& input, Recording& out);

void save_called(const std::vector<CalledCode>& called, FieldWriter& out);
// Names are below `name_count`.
bool restore_called(FieldReader& in, std::uint32_t name_count, std::vector<CalledCode>& out);

}  // namespace cinderscope::thread_stream
