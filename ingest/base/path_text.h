// Paths as text. Text of ours is UTF-8 and names folders with '/', on every system.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cinderscope {

// The only way from text to a path and back: what std::filesystem does with a std::string depends
// on the system, and on Windows on the user's code page. On a system whose names are bytes any
// bytes come back as they were. On Windows bytes that are no UTF-8 become U+FFFD, and a lone
// surrogate in a name, which no UTF-8 can say, is kept as three bytes that path_of() understands;
// long absolute paths are given the prefix that Windows wants to see before such, and lose it
// again.
std::filesystem::path path_of(std::string_view utf8);
std::string utf8_of(const std::filesystem::path& path);

// It means the same from whatever folder: "/x", on Windows "C:/x" or "//server/x".
bool is_absolute_path(std::string_view utf8);

}  // namespace cinderscope
