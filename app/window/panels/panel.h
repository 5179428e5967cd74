// What the panels below the timeline have in common. A tab has one of each: see all_panels.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "app/session/session.h"
#include "render/base/actions.h"
#include "render/base/theme.h"
#include "render/tables/taken_table.h"
#include "render/views/timeline/timeline.h"
#include "render/views/widgets/table.h"

namespace cinderscope {

class AppContext;
class CodeEditor;
struct KeyChord;

// Lent for one frame.
struct PanelFrame {
  Session& session;
  const Theme& theme;
  Rect area;
  AppContext& app;
};

// UI thread only.
class Panel {
 public:
  Panel() = default;
  virtual ~Panel() = default;
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;

  virtual std::string_view word() const = 0;   // of the command `panel`
  virtual std::string_view label() const = 0;  // of its tab
  virtual bool available(const Session& /*session*/) const { return true; }
  virtual std::uint64_t count(const Session& /*session*/) const { return 0; }
  // What stands behind its name.
  virtual std::string shown_count(const Session& session) const {
    const std::uint64_t number = count(session);
    return number == 0 ? std::string() : count_text(number);
  }

  // Before each frame, also while another panel is `visible`: takes answers of other threads and
  // asks for what is missing. True if anything is to be drawn again.
  virtual bool poll(Session& /*session*/, bool /*visible*/) { return false; }
  // While it is visible: what it shows is about to change, so scripts wait.
  virtual bool busy() const { return false; }
  virtual std::uint64_t kept_bytes() const { return 0; }

  // What its table is called in the names of files, and the table itself, all rows as filtered and
  // sorted, in the columns of a form. Without a word it has none.
  virtual std::string_view table_word() const { return {}; }
  virtual Result<TakenTable> take_table(Session& /*session*/, TableText /*form*/) {
    return refused("There is no table here.");
  }

  virtual void draw(const PanelFrame& frame, Actions& actions) = 0;
  // What takes arrow keys and the like while the panel has them; null: it has no table.
  virtual TableView* table() { return nullptr; }
  // What is typed into while it has the keys, and where it was drawn; null: it has none.
  virtual CodeEditor* editor() { return nullptr; }
  virtual Rect editor_area() const { return {}; }
  // Keys that mean something of its own there, before those of all editors.
  virtual bool take_editor_key(AppContext& /*app*/, const KeyChord& /*chord*/) { return false; }
  // Escape, while it is visible: closes its menu, which goes before everything else, ...
  virtual bool close_menu() { return false; }
  // ... or takes back the last step into what it shows. False if there was none.
  virtual bool step_back() { return false; }

  // For the status bar, and texts whose characters the fonts need; both once.
  std::string take_message() { return std::exchange(message_, {}); }
  std::string take_shown_texts() { return std::exchange(shown_texts_, {}); }

 protected:
  std::string message_, shown_texts_;
};

}  // namespace cinderscope
