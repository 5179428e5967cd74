// The Flame graph panel: calls added up by their callers as boxes; a click zooms.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/totals/aggregated_call_tree.h"
#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/scope_choice.h"
#include "render/base/theme.h"
#include "render/views/panels/slices_choice.h"

namespace cinderscope {

enum class FlameGraphDirection : std::uint8_t {
  top_down,   // outermost calls first, below each what it called
  bottom_up,  // names first, below each what called it: reversed()
  sandwich,   // one function in the middle: function_totals()
};

struct FlameGraphFrame {
  const Timeline& timeline;
  const Theme& theme;
  Rect area;
  const AggregatedCallTree* totals = nullptr;  // null while they are added up for the first time
  const FunctionTotals* function = nullptr;    // of the sandwich: `totals` are its callees
  std::uint64_t version = 0;                   // grows when the totals change
  bool counting = false;                       // newer totals are being added up
  // The measured scope, and what else there is to choose.
  ScopeChoice scope = ScopeChoice::trace;
  ScopesThere scopes{.range = false, .thread = false, .call = false};
  SlicesChoice slices;
  std::string_view measured;  // the thread, the range's length, or what is connected
  std::string_view edits;     // "without malloc, recursion folded"; empty: none
  bool folds_recursion = false;
  bool wheel_scrolls = false;  // the plain wheel scrolls and Ctrl+wheel zooms
  std::string_view note;       // says what is not counted; may be empty
  bool head = true;            // the line above the graph; without it there is one direction only
  // The search: names that do not match are dimmed. Null: none.
  const std::function<bool(StringId)>* found = nullptr;
};

// Keeps the zoomed box by its names, so that it stays when totals are added up anew.
class FlameGraphView {
 public:
  FlameGraphView();
  ~FlameGraphView();

  void draw(const FlameGraphFrame& frame, Actions& actions);
  FlameGraphDirection direction() const;
  // The sandwich is ignored until show_function() has named one.
  void set_direction(FlameGraphDirection direction);
  // The function of the sandwich; kept as text, since ids change with a reload.
  const std::string& function() const;
  void show_function(std::string name);
  CallWeight weight(const Timeline& timeline) const;
  void set_weight(CallWeight weight);
  // Escape: closes the menu, else shows all again. False if there was neither.
  bool step_back();
  // Names from the outermost call to the box to be zoomed to, once there are totals.
  void zoom_to(std::vector<std::string> names);
  const std::vector<std::string>& wanted_zoom() const;  // that is still to come
  bool zoomed() const;
  std::uint32_t zoomed_total() const;  // index into the totals drawn last

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cinderscope
