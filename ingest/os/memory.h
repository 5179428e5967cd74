// How much memory the machine has and this process holds, and giving freed memory back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cinderscope {

std::uint64_t machine_memory_bytes();  // 4 GiB if the system does not tell

// Memory that the process may still take: free memory of the machine, within the limit of its
// control group. The largest number if neither is known.
std::uint64_t free_memory_bytes();

// Memory of this process that is not mapped from a file, as mapped input is. 0 if unknown.
std::uint64_t own_memory_bytes();

// Writes own_memory_bytes() into the self trace as a counter, at most a hundred times a second.
// Does nothing while nothing is recorded.
void self_trace_memory();

// Returns freed memory to the system; the allocator would keep nearly all of it, since a trace is
// millions of small pieces. Takes some 50 ms for a GB, so not for the UI thread. Does nothing where
// the system offers no way.
void give_back_free_memory();

// Gives back the pages that lie within this memory, which nobody reads any more before writing to
// it or freeing it. Does nothing where the system offers no way.
void give_back_pages(std::span<std::byte> unused);

// From now on, a block of 128 KiB or more goes back to the system as soon as it is freed, and
// leaves no hole between others. The allocator else learns from the first large block that it frees
// to keep such ones. Once at the start of the program.
void keep_large_blocks_apart();

}  // namespace cinderscope
