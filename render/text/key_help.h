// One line of the key help and the start page: keys and what they do. One of the settings page: a
// setting and what it is now.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace cinderscope {

struct KeyHelp {
  std::string group;     // "File", "View", ...
  std::string keys;      // "Ctrl+O"
  std::string help;      // "Open a trace"
  std::string command;   // the command of these keys; empty for the mouse
  bool changed = false;  // the user has changed the keys
};

struct SettingLine {
  struct Word {
    std::string label, command, argument;  // runs "command argument"; no argument: it asks for one
  };
  std::string group;  // "Look", "Timeline", ...
  std::string label;
  std::string command;      // for the tooltip: "theme dark|light|system"
  std::vector<Word> words;  // what it may be, or what may be done with it
  std::optional<std::size_t> chosen;
  std::string value;  // where no word says it
  bool enabled = true;
};

}  // namespace cinderscope
