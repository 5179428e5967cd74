// The unit of a trace's axis and its list of weights, as members of an object; nothing of traces
// that have the usual ones.
#pragma once

#include "ingest/base/json/json_writer.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

void write_weights(JsonWriter& out, const Timeline& timeline);

}  // namespace cinderscope
