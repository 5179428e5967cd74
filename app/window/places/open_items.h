// Opens what the command line, or another start of the program, names.
#pragma once

#include <string>
#include <vector>

#include "app/places/show_options.h"

namespace cinderscope {

class AppContext;

// Files, folders, places, file URIs as desktops give them. `shown` is of the first.
void open_items(AppContext& app, const std::vector<std::string>& items, ShowOptions shown);
// The same with options among them, as they are handed over.
void open_items(AppContext& app, const std::vector<std::string>& items);

}  // namespace cinderscope
