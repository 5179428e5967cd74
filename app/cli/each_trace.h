// Goes through the traces that an argument of a sub-command stands for.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/session/open_trace.h"
#include "ingest/base/result.h"
#include "ingest/format/load_options.h"

namespace cinderscope {

struct NamedTrace {
  std::string path;
  bool in_folder = false;  // the argument is a folder, and this is one of its traces
};

// Calls `report` for the trace at `path`, or for each trace in that folder. Errors and what was
// left out go to standard error. The exit status: 0 if any trace was reported.
int for_each_trace(const std::string& path, const std::function<Status(const NamedTrace&)>& report);

// Opens the traces of all paths: small files several at a time, others one after the other on all
// cores. `take` gets them in order. The exit status as above, of the first path without any.
int open_traces(const std::vector<std::string>& paths, const LoadOptions& options,
                const std::function<void(OpenedTrace)>& take);

}  // namespace cinderscope
