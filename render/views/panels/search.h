// The Search panel: the searched scope, the number of matches and a table of them, of any length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"

namespace cinderscope {

struct SearchLine {
  std::string_view name;
  Rgba colour = 0;  // of its boxes
  std::string begin, duration, thread;
};

struct SearchViewFrame {
  const Theme& theme;
  Rect area;
  std::size_t scope = 0;           // 0 the whole trace, 1 a thread, 2 the selected range
  std::string scope_thread;        // the searched thread's name, for scope 1
  std::vector<std::string> notes;  // from left to right: counts, progress, what is left out
  std::string message;             // shown instead of the table while that has no lines
  bool shows_examples = false;     // of queries, below the message
  std::uint64_t line_count = 0;
  std::function<SearchLine(std::uint64_t)> line;  // called for the lines on screen only
  std::optional<std::uint64_t> current;           // line of the selected match
  std::uint64_t follow = 0;                       // grows whenever that line has to be scrolled to
  std::size_t sorted_column = 1;                  // name, begin, duration, thread
  bool descending = false, sortable = true;
};

struct SearchViewEvents {
  std::optional<std::size_t> scope, sort;
  std::optional<std::uint64_t> clicked, zoomed;           // lines
  std::optional<std::uint64_t> copied_name, copied_line;  // by the menu of a line
  bool copy_all = false;
};

// Keeps how far the table is scrolled. One for each tab.
class SearchView {
 public:
  SearchViewEvents draw(const SearchViewFrame& frame);

 private:
  void draw_table(const SearchViewFrame& frame, const Rect& area, SearchViewEvents& events);
  void follow_current(const SearchViewFrame& frame, double rows_on_screen);
  void scroll_by_input(const SearchViewFrame& frame, const Rect& area, double rows_on_screen);

  // In lines, not pixels: a float cannot count the pixels of a hundred million lines.
  double first_line_ = 0;
  std::uint64_t followed_ = 0;
  std::optional<float> held_at_;  // the point of the scroll bar's thumb that is held
  std::uint64_t menu_line_ = 0;
};

}  // namespace cinderscope
