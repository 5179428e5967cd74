// From a path to the source that a load reads.
#pragma once

#include <string>

#include "app/session/trace_loader.h"

namespace cinderscope {

// A file, "-" for standard input, or the folder of one trace. Loader thread: may wait for a pipe,
// and ends soon after the control is cancelled.
Result<OpenedSource> open_source(const std::string& path, const LoadContext& control);

}  // namespace cinderscope
