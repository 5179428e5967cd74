// A sheet over the lower panel that asks how something is to be saved, and says what became of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "app/commands/keys.h"
#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/views/widgets/choice.h"

namespace cinderscope {

class AppContext;
struct Controllers;

// Fields and buttons of a sheet from left to right, row by row.
class SheetRows {
 public:
  SheetRows(const Pen& pen, const Rect& area);

  const Pen& pen() const { return pen_; }
  // What is free of the row, without `kept_px` for what follows.
  float room_px(float kept_px = 0) const;
  void next_row();
  void word(std::string_view text);
  std::optional<std::size_t> choices(const char* id, std::span<const Choice> choices,
                                     std::size_t chosen);
  std::optional<std::string> field(const char* id, const char* example, float width_px,
                                   std::string_view text);
  bool button(const char* id, std::string_view label);
  float button_px(std::string_view label) const;
  // One line, cut where it does not fit; `faint` where it is no news.
  void text(std::string_view text, float most_px, bool faint = false);

 private:
  const Pen& pen_;
  Rect area_;
  float x_, y_;
};

// UI thread only. At most one is open.
class ExportSheet {
 public:
  explicit ExportSheet(AppContext& app) : app_(app) {}
  virtual ~ExportSheet() = default;
  ExportSheet(const ExportSheet&) = delete;
  ExportSheet& operator=(const ExportSheet&) = delete;

  bool open() const { return open_; }
  void show();  // another one closes
  virtual void close();
  bool take_key(const KeyChord& chord);  // Enter saves, Escape closes
  float height_px(const Rect& area, float panel_px) const;
  void draw(const Rect& area, Actions& actions);
  // Why the last command with a path wrote nothing, once: for scripts, which saw it begin.
  std::string take_failed() { return std::exchange(failed_, {}); }

 protected:
  // What is said of a file that is in the way, to the sheet or to who gave a command.
  static std::string exists_text(const std::string& path, bool from_sheet);
  // Only the file that was asked about is replaced, whatever was chosen since.
  bool replaces(const std::string& path, bool replace) const {
    return replace && path == asked_path_;
  }
  virtual void draw_inside(const Rect& area, Actions& actions) = 0;
  // The path's field with its buttons, and in the row below what there is to say.
  void draw_path(SheetRows& rows, std::string_view path, Actions& actions,
                 std::string_view save_label = "Save");
  // Buttons behind "Saved …".
  virtual void draw_saved(SheetRows& rows, Actions& actions) = 0;
  void draw_folder_button(SheetRows& rows, Actions& actions) const;

  AppContext& app_;
  std::string path_;              // as typed; empty: beside the trace
  std::optional<bool> save_due_;  // asked for in the sheet; true: an older file is replaced
  std::string asked_path_;        // it is asked whether that file is to be replaced; empty: nothing
  std::string said_, more_;       // what became of the last one, in a line each
  std::string saved_path_;        // once it is there
  std::string failed_;            // what a command asked for, and was not saved

 private:
  bool open_ = false;
};

// The open one; null: none.
ExportSheet* open_sheet(const Controllers& controllers);

}  // namespace cinderscope
