// Takes a recorded TCP session apart into the streams that it carries.
#pragma once

#include <span>

#include "formats/qubership/go_on.h"
#include "formats/qubership/session_facts.h"
#include "formats/qubership/stream_store.h"

namespace cinderscope::qubership {

// Whether the bytes begin with a handshake.
bool is_session(std::span<const std::byte> head);

// `bytes` are what the agent sent, with the collector's answers in line. What lies before damage is
// kept; the problem is reported. An Error if nothing can be shown. `go_on` is asked now and then.
Result<SessionFacts> read_session(std::span<const std::byte> bytes, StreamStore& out,
                                  Diagnostics& problems, const GoOn& go_on);

}  // namespace cinderscope::qubership
