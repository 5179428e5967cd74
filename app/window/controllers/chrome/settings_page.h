// The settings page: whether it is open, and what it lists.
#pragma once

#include <span>
#include <string>

#include "app/commands/commands.h"
#include "app/commands/keys.h"
#include "render/base/actions.h"

namespace cinderscope {

class AppContext;

// UI thread only.
class SettingsPageController {
 public:
  explicit SettingsPageController(AppContext& app) : app_(app) {}

  bool open() const { return open_; }
  void toggle();
  void close() { open_ = false; }
  // While it is open: all keys but those of commands that change a setting.
  bool take_key(const KeyChord& chord);
  void draw(Actions& actions);

 private:
  AppContext& app_;
  bool open_ = false;
};

std::span<const Command> settings_page_commands();

}  // namespace cinderscope
