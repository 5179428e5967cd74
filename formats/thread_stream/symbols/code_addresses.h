// The native addresses that a recording holds: of functions that were called, and in stacks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/thread_stream/code_names.h"
#include "formats/thread_stream/tables.h"
#include "ingest/base/result.h"
#include "ingest/format/load_context.h"

namespace cinderscope::thread_stream {

struct ModuleAddresses {
  std::uint32_t module = 0;
  std::vector<std::uint64_t> addresses;  // of its ELF file, rising
};

struct CodeAddresses {
  std::vector<ModuleAddresses> modules;  // by id
  std::uint64_t outside = 0;             // in no module
  bool cut = false;                      // there are more than are looked up
};

// Return addresses are those of the call before them. An Error once cancelled.
Result<CodeAddresses> code_addresses(const Input& input, const std::vector<Chunk>& chunks,
                                     const CodeNames& names, const LoadContext& context);

}  // namespace cinderscope::thread_stream
