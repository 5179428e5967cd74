#include "app/commands/key_help.h"

namespace cinderscope {
namespace {

std::string group_title(CommandGroup group) {
  switch (group) {
    case CommandGroup::file:
      return "File";
    case CommandGroup::view:
      return "View";
    case CommandGroup::search:
      return "Search";
    case CommandGroup::measure:
      return "Measure";
    case CommandGroup::compare:
      return "Compare";
    case CommandGroup::selection:
      return "Selection";
    case CommandGroup::threads:
      return "Threads";
    case CommandGroup::window:
      return "Window";
  }
  return {};
}

}  // namespace

std::vector<KeyHelp> key_help_of(const CommandTable& commands, const KeyMap& keys,
                                 bool wheel_scrolls, bool whole) {
  const char* plain = wheel_scrolls ? "Scroll" : "Zoom at the pointer";
  const char* with_ctrl = wheel_scrolls ? "Zoom at the pointer" : "Scroll";
  std::vector<KeyHelp> help = {
      {"Mouse", "Wheel", plain},
      {"Mouse", "Ctrl+Wheel", with_ctrl},
      {"Mouse", "Shift+Wheel", "Pan"},
      {"Mouse", "Drag", "Pan"},
      {"Mouse", "Shift+Drag", "Select a range of time"},
      {"Mouse", "Middle drag", "Zoom to what is dragged over"},
      {"Mouse", "Click", "Select"},
      {"Mouse", "Double click", "Zoom to the call"},
      {"Mouse", "Right click", "Menu"},
      {"Mouse", "Shift+Drop", "Add the file to this timeline"},
  };
  for (const Command& command : commands) {
    KeyHelp entry{.group = group_title(command.group),
                  .keys = keys.all(command.name),
                  .help = std::string(command.help),
                  .command = std::string(command.name),
                  .changed = keys.is_changed(command.name)};
    if (whole || entry.changed || !entry.keys.empty()) help.push_back(std::move(entry));
  }
  return help;
}

}  // namespace cinderscope
