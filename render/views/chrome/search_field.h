// The search field of the tool bar: the query at the left, the number of matches at the right.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"

namespace cinderscope {

struct SearchFieldFrame {
  const Theme& theme;
  Rect area;
  std::string count;  // "38 of 412", "412…"
  // The error in the query and its byte offset; empty if there is none.
  std::string error;
  std::size_t error_offset = 0;
  bool enabled = true;                // false while there is no trace
  std::string keys;                   // that focus the field; shown while it is empty
  std::string_view empty = "Search";  // stands before these
};

struct SearchFieldEvents {
  std::optional<std::string> edited;  // the new text
  bool cleared = false;               // the cross was clicked
};

// One for each window; it shows the query of the active tab.
class SearchField {
 public:
  // Shows `text`, unless that is being typed. Text that no field can hold (lines, a megabyte) is
  // shown as one line and stays as it is until it is edited.
  void show(std::string_view text);
  void focus() { wants_focus_ = true; }  // and selects all
  void leave() { wants_out_ = true; }
  bool focused() const { return focused_; }

  // Draws into the current ImGui window.
  SearchFieldEvents draw(const SearchFieldFrame& frame);

 private:
  std::array<char, 16384> buffer_{};
  std::string shown_;  // the last text of show()
  bool wants_focus_ = false, wants_out_ = false, focused_ = false, stale_ = false;
};

}  // namespace cinderscope
