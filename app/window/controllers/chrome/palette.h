// The command palette in the window: what it lists, what its keys do, and what it runs.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/keys.h"
#include "app/commands/palette_rows.h"
#include "render/base/actions.h"

namespace cinderscope {

class AppContext;

// What a controller lists in the palette instead of commands.
struct PaletteList {
  std::string prompt, hint;
  std::function<std::vector<PaletteRow>(std::string_view typed)> rows;
  std::size_t first = 0;   // rows that are always there stand before the chosen one
  std::size_t chosen = 0;  // until something is typed
};

// UI thread only.
class PaletteController {
 public:
  explicit PaletteController(AppContext& app) : app_(app) {}

  bool open() const { return open_; }
  std::string_view text() const { return text_.data(); }  // in the field
  void toggle();
  void close() { open_ = false; }
  // Opens it if need be and asks for the command's argument; null: for a command.
  void ask(const Command* command);
  void show(PaletteList list);
  // More is known of what it lists; the choice stays.
  void list_again();
  void take_key(const KeyChord& chord);
  void draw(Actions& actions);

 private:
  void begin(const Command* command, std::optional<PaletteList> list, std::string_view text);
  void list_rows();
  std::vector<PaletteRow> rows_for(std::string_view typed);
  void set_text(std::string_view text);
  void note_edit();
  void complete();
  std::vector<PaletteTarget> targets() const;
  void press(const KeyChord& chord, Actions& actions);
  void run_chosen(Actions& actions);

  AppContext& app_;
  bool open_ = false;
  std::array<char, 4352> text_{};        // what was typed; the longest path and a command before it
  std::string text_before_;              // the last edit
  std::optional<std::string> replaced_;  // by a text that was not typed
  const Command* asking_ = nullptr;      // whose argument is typed; null: a command
  bool from_commands_ = false;           // the command was chosen in the palette: Escape goes back
  std::optional<PaletteList> list_;      // instead of both
  std::vector<PaletteRow> rows_;         // for that text
  std::vector<PaletteTarget> targets_;
  std::size_t chosen_ = 0, rows_shown_ = 1;
  bool reveal_chosen_ = false;
  bool wide_ = false;                     // what it lists are paths
  bool ran_staying_ = false;              // a row that may change what is listed
  std::vector<KeyChord> pressed_;         // since the last frame
  std::vector<std::string_view> recent_;  // commands, the last used one first
};

std::span<const Command> palette_commands();

}  // namespace cinderscope
