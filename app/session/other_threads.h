// Finds the other threads of a recording of which one thread's file was opened alone.
#pragma once

#include <cstddef>
#include <string>

namespace cinderscope {

// How many threads lie in the folder of a Flow trace's file, that file included; 0 if `path` is no
// file of one thread. Reads the folder, so not for the UI thread.
std::size_t threads_in_folder_of(const std::string& path);

}  // namespace cinderscope
