// Opens what is to be written: one trace, or several on one timeline.
#pragma once

#include <string>
#include <vector>

#include "app/convert/convert.h"
#include "app/session/merge_offset.h"
#include "app/session/open_trace.h"

namespace cinderscope {

// Blocks until all is loaded, in the way that writing needs it (LoadOptions::for_writing), which
// the context's options have to say.
Result<OpenedTrace> open_inputs(const std::vector<MergeFile>& files, LoadContext& context);

// All paths that are read: the files, and those that belong to them.
std::vector<std::string> paths_read(const std::vector<MergeFile>& files, const TraceSource* source);

ConvertInput input_of(const OpenedTrace& trace, const std::vector<MergeFile>& files);

}  // namespace cinderscope
