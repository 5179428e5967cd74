// Which pages of mapped files are in memory.
#pragma once

#include <cstddef>
#include <span>

namespace cinderscope {

// Whether all pages of these bytes of a mapping are in memory, so that reading them does not wait
// for a disk; true where the system does not tell. Microseconds for a megabyte.
bool pages_are_in_memory(std::span<const std::byte> bytes);

// Asks the system to read them, without waiting for it.
void ask_for_pages(std::span<const std::byte> bytes);

}  // namespace cinderscope
