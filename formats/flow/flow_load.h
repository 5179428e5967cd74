// Reads the files of a Flow trace into a timeline, several side by side.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/flow/event_reader.h"
#include "formats/flow/flow_files.h"
#include "ingest/format/trace_source.h"

namespace cinderscope::flow {

struct LoadedFiles {
  std::vector<Layout> layouts;  // each kind once
  TraceSource::Size size;
  std::uint64_t unknown_calls = 0;
  bool cancelled = false;
};

// `input` is the folder of `files`, or the one file itself. A file that cannot be read is said so
// and left out. Few files are open at a time, so that any number of threads will do.
LoadedFiles load_files(const Input& input, const std::vector<ThreadFile>& files,
                       MethodTable& methods, TimelineBuilder& out, LoadContext& context);

}  // namespace cinderscope::flow
