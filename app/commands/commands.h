// The form of a command: name, arguments, keys, help and the function that carries it out.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"

namespace cinderscope {

class AppContext;
class CommandArguments;

// In the order of the palette and of the key help.
enum class CommandGroup : std::uint8_t {
  file,
  view,
  search,
  measure,
  compare,
  selection,
  threads,
  window,
};

// What a command needs before it can do anything.
enum class CommandNeeds : std::uint8_t {
  nothing,
  tab,
  trace,
  single_trace,  // and no comparison
  comparison,
  selection,
  loading,
  found_traces,  // that wait for an answer
};

// How the view moves for as long as the command's key is down: -1, 0 or 1.
struct HeldMotion {
  int zoom = 0, pan = 0;  // 1: out; to later times
  explicit operator bool() const { return zoom != 0 || pan != 0; }
};

struct Command {
  std::string_view name;       // as typed in scripts
  std::string_view arguments;  // their form, e.g. "BEGIN END": see arguments.h
  std::string_view keys;  // chords separated by blanks, e.g. "F Z"; the first is shown in menus
  std::string_view help;  // a few words, for people
  CommandGroup group = CommandGroup::window;
  CommandNeeds needs = CommandNeeds::nothing;
  Status (*run)(AppContext& app, const CommandArguments& arguments) = nullptr;
  HeldMotion held = {};
  // The words of an argument COLUMN or PANEL as they are now; the path that is offered where a PATH
  // is written to.
  std::vector<std::string> (*choices)(AppContext& app) = nullptr;
};

// All commands that there are, by group, each group in the order given.
class CommandTable {
 public:
  explicit CommandTable(std::initializer_list<std::span<const Command>> parts);
  const Command* named(std::string_view name) const;  // null if there is none
  auto begin() const { return commands_.begin(); }
  auto end() const { return commands_.end(); }
  std::size_t size() const { return commands_.size(); }

 private:
  std::vector<Command> commands_;
};

// What is true of the window now; decides which commands are enabled.
struct CommandState {
  bool has_tab = false, has_trace = false, has_selection = false, loading = false;
  bool found_traces = false;
  bool comparison = false;  // two traces are shown; the others are about the lane used last
};
bool enabled(const Command& command, const CommandState& state);

}  // namespace cinderscope
