// The Search tab: what part is searched, what was found, and a table of it of any length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/base/actions.h"
#include "render/base/theme.h"
#include "render/views/timeline/timeline.h"

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
  std::string message;             // in the table's place where there are no lines
  bool shows_examples = false;     // of what can be typed, below the message
  std::uint64_t line_count = 0;
  std::function<SearchLine(std::uint64_t)> line;  // of those on screen only
  std::optional<std::uint64_t> current;           // the selected match's line
  std::uint64_t follow = 0;                       // grows whenever that line is to come into sight
  std::size_t sorted_column = 1;                  // name, begin, duration, thread
  bool descending = false, sortable = true;
};

struct SearchViewEvents {
  std::optional<std::size_t> scope, sort;
  std::optional<std::uint64_t> clicked, zoomed;           // lines
  std::optional<std::uint64_t> copied_name, copied_line;  // asked for in the menu of a line
  bool copy_all = false;
};

// Keeps how far the table is scrolled. One per tab.
class SearchView {
 public:
  SearchViewEvents draw(const SearchViewFrame& frame);

 private:
  void draw_table(const SearchViewFrame& frame, const Rect& area, SearchViewEvents& events);
  void follow_current(const SearchViewFrame& frame, double rows_on_screen);
  void scroll_by_input(const SearchViewFrame& frame, const Rect& area, double rows_on_screen);

  // In lines, not pixels: of a hundred million lines pixels are more than a float can tell apart.
  double first_line_ = 0;
  std::uint64_t followed_ = 0;
  std::optional<float> held_at_;  // where the scroll bar's thumb was gripped
  std::uint64_t menu_line_ = 0;
};

}  // namespace cinderscope
