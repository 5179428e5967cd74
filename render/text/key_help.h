// One line of the key help and the start page: keys and what they do.
#pragma once

#include <string>

namespace cinderscope {

struct KeyHelp {
  std::string group;     // "File", "View", ...
  std::string keys;      // "Ctrl+O"
  std::string help;      // "Open a trace"
  std::string command;   // the command of these keys; empty for the mouse
  bool changed = false;  // the user has changed the keys
};

}  // namespace cinderscope
