// The short streams of a process: what its parameters are, and when all of it stood still.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/qubership/go_on.h"
#include "formats/qubership/growing/read_on.h"
#include "formats/qubership/stream_store.h"

namespace cinderscope::qubership {

struct Parameter {
  std::string name, signature;
  bool indexed = false, list = false;
  std::int32_t order = 100;  // of display, lower first
};

// Those of the file in its order, of several of one name the first; one that is cut off is reported
// unless more may come. This and the next end early once `go_on` said no.
std::vector<Parameter> read_parameters(const StreamStore& store, const StreamFile& file, AtEnd end,
                                       Diagnostics& problems, const GoOn& go_on);

struct Suspension {
  std::int64_t end_ms = 0;  // Unix time
  std::uint32_t amount_ms = 0;
};

std::vector<Suspension> read_suspensions(const StreamStore& store, const StreamFile& file,
                                         ReadOn& from, AtEnd end, Diagnostics& problems,
                                         const GoOn& go_on);

}  // namespace cinderscope::qubership
