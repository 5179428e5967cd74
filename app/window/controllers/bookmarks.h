// Bookmarks: places of the shown trace with a note, the field for it, and their menu.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/commands/commands.h"
#include "render/base/actions.h"
#include "render/views/editor/code_editor.h"
#include "render/views/timeline/timeline.h"

namespace cinderscope {

class AppContext;
struct KeyChord;
class Session;
struct Tab;

// Bookmarks go by their place in time order. UI thread only.
class BookmarksController {
 public:
  explicit BookmarksController(AppContext& app) : app_(app) {}

  // Here; without a note the field for it opens.
  void add(std::string_view note);
  std::optional<std::size_t> here() const;
  Status step(int direction);
  void go_to(std::size_t mark);
  void remove(std::size_t mark);
  void write_note(std::size_t mark, bool fresh);
  void leave_note(bool keep);
  bool writing() const { return note_.has_value(); }
  void draw_note(const Tab& tab, const Rect& area);
  // What is typed goes there; null: no note is being written.
  CodeEditor* editor();
  bool take_key(const KeyChord& chord);

  Status ask_for_menu(std::size_t mark);
  bool draw_menu(bool closes, Actions& actions);  // true while it is open

 private:
  // The bookmark whose note is being written, and the trace that it belongs to.
  struct OpenNote {
    const Session* session = nullptr;
    std::size_t mark = 0;
    CodeEditor editor;
    bool fresh = false;
    bool drawn = false;  // the key that opened it is no part of the note
  };

  AppContext& app_;
  std::optional<OpenNote> note_;
  std::size_t menu_mark_ = 0;
  bool menu_asked_ = false;
};

std::span<const Command> bookmark_commands();

}  // namespace cinderscope
