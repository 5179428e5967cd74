// Files that the user picked: names without bytes in the page's file system, whose bytes the
// browser gives piece by piece.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <system_error>

namespace cinderscope {

// The page's number of an open file that was picked; none of any other file. Any thread.
std::optional<int> picked_file(int descriptor);

// Waits until the browser has read them. How many bytes came: fewer only at the end or on an error,
// as of a file that was changed since it was picked. Any thread but the page's own.
std::size_t read_picked(int file, std::uint64_t offset, std::span<std::byte> bytes,
                        std::error_code& error);

}  // namespace cinderscope
