// A timeline as text for tests to compare: the same for equal content, however it was loaded.
#pragma once

#include <string>

#include "ingest/format/format.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

// One line per process, thread, slice (indented by depth, in order of begin), instant, counter
// value, flow and diagnostic. With `source`, what it knows of each slice and instant follows its
// name. Control bytes and text that is not UTF-8 are escaped as \xNN.
std::string dump(const Timeline& timeline, const TraceSource* source = nullptr);

}  // namespace cinderscope
