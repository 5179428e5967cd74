// Paths of files as the desktop writes them: "file:///home/me/a%20trace.json".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cinderscope {

// The absolute path on this machine; none of another scheme or host, and none with a zero in it,
// which no path can have.
std::optional<std::string> path_of_file_uri(std::string_view uri);

// Of an absolute path.
std::string file_uri_of(const std::string& path);

}  // namespace cinderscope
