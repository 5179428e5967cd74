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
#include "render/base/scope_choice.h"
#include "render/base/theme.h"
#include "render/views/panels/slices_choice.h"
#include "render/views/widgets/table.h"

namespace cinderscope {

struct SearchLine {
  std::string_view name;
  Rgba colour = 0;  // of its boxes
  std::string begin, duration, thread;
};

struct SearchViewFrame {
  const Theme& theme;
  Rect area;
  ScopeChoice scope = ScopeChoice::trace;
  ScopesThere scopes;
  SlicesChoice slices;
  std::string scope_name;          // the searched threads, or the call that all is connected with
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
  std::optional<ScopeChoice> scope;
  std::optional<std::size_t> sort;
  std::optional<std::uint64_t> clicked, zoomed;           // lines
  std::optional<std::uint64_t> copied_name, copied_line;  // by the menu of a line
};

// One for each tab.
class SearchView {
 public:
  // `actions` gets the command of the switch between calls and samples; all else is in the events.
  SearchViewEvents draw(const SearchViewFrame& frame, Actions& actions);
  TableView& table() { return table_; }  // for keys

 private:
  void draw_table(const SearchViewFrame& frame, const Rect& area, SearchViewEvents& events,
                  Actions& actions);
  void draw_menu(const Theme& theme, SearchViewEvents& events, Actions& actions);

  TableView table_;
  std::uint64_t followed_ = 0;
  std::uint64_t menu_line_ = 0;
};

}  // namespace cinderscope
