// Context menus of what was under the pointer when one was asked for.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/commands/menu_entries.h"
#include "render/base/actions.h"

namespace cinderscope {

class AppContext;

// UI thread only.
class MenusController {
 public:
  explicit MenusController(AppContext& app) : app_(app) {}

  void ask_for(std::string_view target);  // as menu_target() reads it
  bool open() const { return open_; }     // that of a bookmark, too
  void close() { closes_ = true; }
  void draw(Actions& actions);

 private:
  AppContext& app_;
  std::vector<MenuEntry> entries_;
  bool lists_hidden_threads_ = false;  // below the entries
  bool asked_ = false, open_ = false, closes_ = false;
};

std::span<const Command> menu_commands();

}  // namespace cinderscope
