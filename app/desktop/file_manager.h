// The desktop's file manager.
#pragma once

#include <string>

namespace cinderscope {

bool has_file_manager();

// Opens the folder of a file, with that selected where the file manager can. Returns at once.
void show_in_folder(const std::string& path);

}  // namespace cinderscope
