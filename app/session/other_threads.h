// A trace whose threads have a file each: what lies beside one of them that was opened alone.
#pragma once

#include <cstddef>
#include <string>

namespace cinderscope {

// How many threads the folder of a Flow trace's file has, that one included; 0 where it is no file
// of one thread. Reads the folder, so not on the UI thread.
std::size_t threads_in_folder_of(const std::string& path);

}  // namespace cinderscope
