// Estimates before a load whether the trace will fit into memory.
#pragma once

#include <cstdint>
#include <optional>

#include "ingest/format/format.h"

namespace cinderscope {

// The bytes that the trace will keep in memory, estimated by loading its first megabytes on the
// calling thread: those of a file, or of each file of a folder its share, unpacked. Empty for a
// file whose bytes are still coming, and for a format whose beginning cannot be loaded alone.
std::optional<std::uint64_t> estimated_bytes(const Format& format, const Input& input);

// Whether it may take more than that for all that its size tells. Cheap.
bool may_need(const Input& input, std::uint64_t bytes);

// An Error that says how much memory the load needs, if that is more than `free_bytes`. Quick
// unless the input is large. Never for `options` that load only a part of the trace: the user has
// chosen.
std::optional<Error> too_large(const Format& format, const Input& input, const LoadOptions& options,
                               std::uint64_t free_bytes);

}  // namespace cinderscope
