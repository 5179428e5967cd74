// Finds the calls of functions and methods again, by their records.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "formats/thread_stream/chunk_walk.h"
#include "formats/thread_stream/code_names.h"

namespace cinderscope::thread_stream {

// Goes through all records. `use` gets the place of a begin, and what is called as CalledCode
// tells it; places rise within a stream only. Ends early once cancelled.
void for_each_code_call(
    const Input& input, const std::vector<Chunk>& chunks, const CodeNames& names,
    const std::function<void(std::uint64_t place, std::uint64_t key, std::uint64_t detail)>& use,
    const std::atomic<bool>& cancelled);

}  // namespace cinderscope::thread_stream
