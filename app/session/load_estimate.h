// Whether a trace will fit into memory, told before it is loaded.
#pragma once

#include <cstdint>
#include <optional>

#include "ingest/format/format.h"

namespace cinderscope {

// What the whole of `input` will keep in memory, by what its first megabytes keep; nothing where
// that cannot be told: of a folder, of bytes that are still coming, of a format whose head is no
// trace. Loads those megabytes on the calling thread.
std::optional<std::uint64_t> estimated_bytes(const Format& format, const Input& input);

// An Error that says what loading needs if that is more than `free_bytes`. Quick unless the input
// is large beside these. What `options` keep only a part of is not judged: that is up to the user.
std::optional<Error> too_large(const Format& format, const Input& input, const LoadOptions& options,
                               std::uint64_t free_bytes);

}  // namespace cinderscope
