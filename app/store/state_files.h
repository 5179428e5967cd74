// Reads and writes small files of the program's own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ingest/base/result.h"

namespace cinderscope {

// `path` made absolute, without "." parts; does not ask the file system.
std::string absolute_path(const std::string& path);

// Text of a regular file of at most `most_bytes`; empty if there is none.
Result<std::string> read_small_file(const std::string& path, std::size_t most_bytes);

// Makes the folders above, then replaces the file as a whole; only its owner may read it. Clears
// what a kill left of such writing in its folder, which is one of the program's own.
Status write_small_file(const std::string& path, std::string_view text);

}  // namespace cinderscope
