// The lower panel of the window: which of a tab's panels is visible, and how high it is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/commands/commands.h"
#include "app/commands/keys.h"
#include "ingest/base/result.h"
#include "render/base/actions.h"
#include "render/views/timeline/timeline.h"

namespace cinderscope {

class AppContext;
class CodeEditor;
class Panel;
class TableView;
struct Tab;

// Where arrow keys and the like go.
enum class KeysAt : std::uint8_t { timeline, table, editor };

// UI thread only.
class PanelsController {
 public:
  explicit PanelsController(AppContext& app) : app_(app) {}

  // Null while the panel is closed, the tab is not shown, or its trace has no such panel.
  Panel* visible(const Tab& tab) const;
  bool shows(std::string_view word) const { return open_ && word_ == word; }
  const std::string& word_of(const Tab& tab) const;  // of the chosen one
  void show(std::string_view word);
  void toggle() { open_ = !open_; }
  // Arrow keys and the like go to the table of the visible panel, or what is typed to its editor: a
  // click on it gives them, one elsewhere and Escape take them back. An Error: there is none.
  Status give_keys(KeysAt to);
  Status give_keys_on();  // to the next of the three
  bool has_keys() const;
  bool take_key(const KeyChord& chord);
  // The panel's editor has the keyboard, unless a field of Dear ImGui has it.
  CodeEditor* edited() const;
  bool editing() const { return edited() != nullptr; }
  bool take_editor_key(const KeyChord& chord);

  // The visible panel waits for an answer, so that it will change: scripts wait for it.
  bool busy() const;

  void apply_settings();
  std::optional<float> dragged_height_px() const { return height_px_; }  // at scale 1
  // As a session has it; that is no choice of the user's for other windows.
  std::optional<float> session_height_px() const { return session_px_ ? session_px_ : height_px_; }
  void restore_height(float px) { session_px_ = px; }
  bool open() const { return open_; }
  void restore(std::string_view word, bool compared) { (compared ? compared_word_ : word_) = word; }
  void poll();

  // How much of `area` the panel takes.
  float height_px(const Rect& area) const;
  // The border above the panel, which can be dragged. True while the pointer is over it or drags
  // it.
  bool drag_border(const Rect& area, const Rect& panel);
  void draw(Tab& tab, const Rect& area, Actions& actions);

 private:
  float draw_table_button(const Panel& panel, const Rect& tabs, Actions& actions) const;
  void draw_side_by_side(const Tab& tab, const Rect& tabs, Actions& actions);

  void open_for(Tab& tab);
  Panel* visible_panel() const;
  TableView* visible_table() const;
  void follow_click(const Rect& inside, const Panel& shown);

  AppContext& app_;
  bool open_ = true;
  KeysAt keys_at_ = KeysAt::timeline;
  std::string word_ = "details", compared_word_ = "names";  // of traces; of comparisons
  std::optional<float> compared_px_;                        // of comparisons, as height_px_
  std::optional<float> height_px_;   // at scale 1, once the user has dragged it
  std::optional<float> session_px_;  // the same, of the session until then
};

std::span<const Command> panel_commands();

}  // namespace cinderscope
