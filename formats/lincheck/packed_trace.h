// A packed trace: a ZIP with the data, the index and facts about the recording.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ingest/growing_file.h"
#include "ingest/input.h"

namespace cinderscope::lincheck {

// By its first entry, since that is all that a probe sees.
bool is_packed_trace(const Input& input);

struct PackedTrace {
  std::unique_ptr<GrowingFile> data;   // unlinked and mapped, so not memory; closed
  std::unique_ptr<GrowingFile> index;  // null if there is none
  bool is_diff = false;
  // What the recorder says of the recording. The environment of its machine, which it writes down
  // as well, is left out.
  std::vector<std::pair<std::string, std::string>> facts;
  Diagnostics damage;
};

// Blocks. `tick` gets the unpacked bytes so far; false ends it early.
Result<PackedTrace> unpack_trace(const Input& input,
                                 const std::function<bool(std::uint64_t)>& tick);

}  // namespace cinderscope::lincheck
