// What a prepared copy is of: the files of a trace as they were, their reader, how they were read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cinderscope {

struct TraceReader {
  std::string_view format;    // its name
  std::uint32_t version = 0;  // of the format's reader (LoadedState)
  std::string options;        // what of the load's options decides what is read
};

// Equal only for the same bytes read by the same reader: of every file its size, the times of its
// last changes, its inode, and a hash of its head, its tail and 64 blocks between. None if one of
// them cannot be read or is no regular file. Any thread; reads 4 MB of each file.
std::optional<std::string> trace_key(std::span<const std::filesystem::path> files,
                                     const TraceReader& reader);

// The name of the copy's file, the same whatever happens to the trace: so that the copy of an older
// state is found, and goes.
std::string prepared_file_name(const std::filesystem::path& trace, const TraceReader& reader);
inline constexpr std::string_view kPreparedEnding = ".csp";

}  // namespace cinderscope
