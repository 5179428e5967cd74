// The keyboard: which command a key runs, and the key help, where keys are changed.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"
#include "app/commands/key_map.h"
#include "app/script/input_event.h"
#include "render/text/key_help.h"

namespace cinderscope {

class AppContext;

// UI thread only.
class KeysController {
 public:
  explicit KeysController(AppContext& app);

  const KeyMap& map() const { return map_; }
  const std::vector<KeyHelp>& help() const { return help_; }  // of the commands that have keys
  void apply_settings();
  Status bind(const Command& command, std::string_view chords);
  void use_default_keys();  // all keys are the table's

  // A key is offered to what is open first, from the palette down to the start page.
  void take(const KeyChanged& key);
  // Motions of the commands whose keys are down.
  std::vector<HeldMotion> held() const;
  bool holds() const { return !held_.empty(); }
  void let_go() { held_.clear(); }

  bool help_open() const { return help_open_; }
  void toggle_help() { help_open_ = !help_open_; }
  void close_help() { help_open_ = false; }
  void draw_help();

 private:
  void take_help_key(const KeyChanged& key);
  bool close_what_is_open();  // by Escape

  AppContext& app_;
  KeyMap map_;
  std::vector<KeyHelp> help_, whole_help_;
  std::vector<const Command*> held_;
  bool help_open_ = false, shows_whole_help_ = false;
  const Command* listening_ = nullptr;  // the next key is for it
};

std::span<const Command> key_commands();

}  // namespace cinderscope
