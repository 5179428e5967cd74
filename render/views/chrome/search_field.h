// The search field of the tool bar: text at the left, what came of it at the right.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "render/base/actions.h"
#include "render/base/theme.h"
#include "render/views/timeline/timeline.h"

namespace cinderscope {

struct SearchFieldFrame {
  const Theme& theme;
  Rect area;
  std::string count;  // "38 of 412", "412…"
  // What is wrong with the text, at which of its bytes; empty: nothing is.
  std::string error;
  std::size_t error_offset = 0;
  bool enabled = true;  // false while there is no trace
  std::string keys;     // that lead here, shown while it is empty
};

struct SearchFieldEvents {
  std::optional<std::string> edited;  // the new text
  bool cleared = false;               // by the cross
};

// One per window; it shows the text of the active tab.
class SearchField {
 public:
  // Shows `text` unless somebody is typing just that. What no field can hold (lines, a megabyte) is
  // shown as one line and stays as it is until it is edited.
  void show(std::string_view text);
  void focus() { wants_focus_ = true; }  // and selects all
  void leave() { wants_out_ = true; }
  bool focused() const { return focused_; }

  // Into the current ImGui window.
  SearchFieldEvents draw(const SearchFieldFrame& frame);

 private:
  std::array<char, 16384> buffer_{};
  std::string shown_;  // what show() was told
  bool wants_focus_ = false, wants_out_ = false, focused_ = false, stale_ = false;
};

}  // namespace cinderscope
