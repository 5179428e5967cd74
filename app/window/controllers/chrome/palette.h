// The command palette in the window: what it lists, what its keys do, and what it runs.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/keys.h"
#include "app/commands/palette_rows.h"
#include "render/base/actions.h"

namespace cinderscope {

class AppContext;

// UI thread only.
class PaletteController {
 public:
  explicit PaletteController(AppContext& app) : app_(app) {}

  bool open() const { return open_; }
  void toggle();
  void close() { open_ = false; }
  // Opens it if need be and asks for the command's argument; null: for a command.
  void ask(const Command* command);
  void take_key(const KeyChord& chord);
  void draw(Actions& actions);

 private:
  void list_rows();
  std::vector<PaletteTarget> targets() const;
  void press(Key key, Actions& actions);
  void run_chosen(Actions& actions);

  AppContext& app_;
  bool open_ = false;
  std::array<char, 1024> text_{};    // what was typed
  const Command* asking_ = nullptr;  // whose argument is typed; null: a command
  std::vector<PaletteRow> rows_;     // for that text
  std::vector<PaletteTarget> targets_;
  std::size_t chosen_ = 0, rows_shown_ = 1;
  bool reveal_chosen_ = false;
  std::vector<Key> pressed_;              // since the last frame
  std::vector<std::string_view> recent_;  // commands, the last used one first
};

std::span<const Command> palette_commands();

}  // namespace cinderscope
