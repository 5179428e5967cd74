#include "app/commands/commands.h"

#include <algorithm>

namespace cinderscope {

CommandTable::CommandTable(std::initializer_list<std::span<const Command>> parts) {
  for (const std::span<const Command> part : parts) {
    commands_.insert(commands_.end(), part.begin(), part.end());
  }
  std::ranges::stable_sort(commands_, {}, &Command::group);
}

const Command* CommandTable::named(std::string_view name) const {
  const auto found = std::ranges::find(commands_, name, &Command::name);
  return found == commands_.end() ? nullptr : &*found;
}

bool enabled(const Command& command, const CommandState& state) {
  switch (command.needs) {
    case CommandNeeds::tab:
      return state.has_tab;
    case CommandNeeds::trace:
      return state.has_trace;
    case CommandNeeds::single_trace:
      return state.has_trace && !state.comparison;
    case CommandNeeds::comparison:
      return state.comparison;
    case CommandNeeds::selection:
      return state.has_selection;
    case CommandNeeds::loading:
      return state.loading;
    case CommandNeeds::found_traces:
      return state.found_traces;
    case CommandNeeds::nothing:
      break;
  }
  return true;
}

}  // namespace cinderscope
