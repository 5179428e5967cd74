// A menu while it is put together.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/commands/menu_entries.h"

namespace cinderscope {

class MenuBuilder {
 public:
  explicit MenuBuilder(const MenuSource& source) : source_(source) {}

  // A command with its own help text.
  void add_command(std::string_view name) { add(help(name), {{std::string(name), {}}}); }
  void add(std::string label, std::vector<MenuEntry::Call> calls, bool able = true) {
    const bool all = std::ranges::all_of(calls, [this](const MenuEntry::Call& call) {
      const Command* command = source_.commands.named(call.name);
      return command != nullptr && enabled(*command, source_.enabled);
    });
    if (line_due_ && !entries_.empty()) entries_.emplace_back();
    line_due_ = false;
    entries_.push_back(
        {.label = std::move(label), .calls = std::move(calls), .enabled = able && all});
  }
  std::string help(std::string_view name) const {
    const Command* command = source_.commands.named(name);
    return command == nullptr ? std::string() : std::string(command->help);
  }
  void check(bool checked) { entries_.back().checked = checked; }
  void line() { line_due_ = true; }  // before the next entry, if there is one

  std::vector<MenuEntry> take() { return std::move(entries_); }

 private:
  const MenuSource& source_;
  std::vector<MenuEntry> entries_;
  bool line_due_ = false;
};

}  // namespace cinderscope
