// read_symbols() in a process of its own, since what it reads may be hostile.
#pragma once

#include <atomic>

#include "formats/thread_stream/symbols/elf_symbols.h"
#include "ingest/base/result.h"

namespace cinderscope::thread_stream {

// The sub-command that starts this program as such a process.
inline constexpr const char* kSymbolWorker = "symbol-worker";

// Any thread. An Error only once cancelled: what else goes wrong is the answer's reason.
Result<SymbolAnswer> ask_symbol_worker(const SymbolQuestion& question,
                                       const std::atomic<bool>& cancelled);

// What that process does: a question on standard input, the answer on standard output.
std::string answer_of_symbol_worker(const std::string& question);
// It ends itself if it takes more than this.
void limit_symbol_worker();

}  // namespace cinderscope::thread_stream
