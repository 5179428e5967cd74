// Names the addresses of a recording by the files that were run, and writes that down.
#pragma once

#include <functional>

#include "formats/thread_stream/recording.h"
#include "formats/thread_stream/symbols/elf_symbols.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/load_context.h"
#include "ingest/input/input.h"

namespace cinderscope::thread_stream {

using AskSymbols = std::function<Result<SymbolAnswer>(const SymbolQuestion& question,
                                                      const std::atomic<bool>& cancelled)>;

// Any thread. What the file with names in use holds is carried over.
Result<SymbolReport> write_symbols(const Input& trace, const FileHeader& header,
                                   const SymbolRequest& request, const AskSymbols& ask,
                                   LoadContext& context);

// Whether a file of a module of the trace is there; looks at the disk.
bool has_module_files(const Tables& tables);

}  // namespace cinderscope::thread_stream
