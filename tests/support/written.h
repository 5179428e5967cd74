// What a writer makes of a trace, for tests.
#pragma once

#include <cstddef>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/all_formats.h"
#include "formats/all_writers.h"
#include "ingest/part/trace_writer.h"
#include "tests/support/load.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {

struct Written {
  std::string bytes;  // of one file
  LossReport losses;
};

inline Written written(const LoadedTrace& trace, const TraceWriter& writer,
                       const PartOptions& options = {}, unsigned jobs = 1) {
  const TempDir folder;
  Output out(folder.path() / ("out" + std::string(writer.ending())), OutputPacking::none);
  LoadContext context({.jobs = jobs});
  PartReader part(trace.timeline, trace.source.get(), options, context);
  Written made;
  if (const Status done = writer.write(part, out, made.losses); !done) {
    throw std::runtime_error(done.error().text);
  }
  if (const Status done = out.commit(); !done) throw std::runtime_error(done.error().text);
  std::ifstream file(out.path(), std::ios::binary);
  made.bytes = {std::istreambuf_iterator<char>(file), {}};
  return made;
}

inline LoadedTrace load_bytes(std::string_view format, std::string_view bytes) {
  return load_trace(*format_named(format), Input::from_memory("written", bytes_of(bytes)));
}

}  // namespace cinderscope
