// Opens the source of a trace by its path.
#pragma once

#include <string>

#include "app/session/trace_loader.h"

namespace cinderscope {

// `path` is a file, "-" for standard input, or the folder of one trace. Loader thread: may wait for
// a pipe, and returns soon after `control` is cancelled.
Result<OpenedSource> open_source(const std::string& path, const LoadContext& control);

}  // namespace cinderscope
