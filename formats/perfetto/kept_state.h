// What a load of a Perfetto trace finds out beside its timeline, for a prepared copy of it.
#pragma once

#include "formats/perfetto/survey.h"
#include "formats/perfetto/trace_load.h"
#include "ingest/base/fields.h"

namespace cinderscope::perfetto {

// Of what bundles were unpacked to nothing is kept, so such traces are read again.
inline bool can_be_kept(const Survey& survey) {
  return survey.bytes.unpacked() == nullptr;
}

void save_state(const Survey& survey, const LoadedTrace& loaded, cinderscope::FieldWriter& out);

// Into a survey of the same input of which nothing is known yet. What tells of records is read from
// the trace again by their places. False if it is no such state.
bool restore_state(cinderscope::FieldReader& in, Survey& survey, LoadedTrace& loaded);

}  // namespace cinderscope::perfetto
