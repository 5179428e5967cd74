// Values that lie in streams of their own, by reference.
#pragma once

#include <optional>
#include <string>

#include "formats/qubership/stream_store.h"
#include "formats/qubership/trace_reader.h"

namespace cinderscope::qubership {

// The string at `offset` of the sql or xml file of that index; empty if it is not there.
std::optional<WireText> stored_value(const StreamStore& store, ValueKind kind, std::uint32_t file,
                                     std::uint32_t offset);

// How many strings there are in all files of the stream.
std::uint64_t count_values(const StreamStore& store, Stream stream);

}  // namespace cinderscope::qubership
