// The flame graph: calls added up by their callers as boxes, zoomed by clicks.
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
#include "render/base/theme.h"
#include "render/views/timeline/timeline.h"

namespace cinderscope {

enum class FlameGraphPart : std::uint8_t { trace, range, thread };

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
  const FunctionTotals* function = nullptr;    // of one function: `totals` are its callees
  std::uint64_t version = 0;                   // grows with other totals
  bool counting = false;                       // newer ones are on their way
  // What is measured; a range or a thread can be chosen where there is one.
  FlameGraphPart part = FlameGraphPart::trace;
  bool has_range = false, has_thread = false;
  std::string_view measured;  // of which thread or how long a range
  std::string_view note;      // what is not counted; may be empty
  // What is searched for: other names step back. Null: nothing is.
  const std::function<bool(StringId)>* found = nullptr;
};

// Keeps what is zoomed to, by names, so that it stays when totals are added up anew.
class FlameGraphView {
 public:
  FlameGraphView();
  ~FlameGraphView();

  void draw(const FlameGraphFrame& frame, Actions& actions);
  FlameGraphDirection way() const;
  void set_way(FlameGraphDirection way);  // `function` needs one that was given
  // The name of the one function that is looked at; kept as text, since ids change with a reload.
  const std::string& function() const;
  void show_function(std::string name);
  CallWeight weight(const Timeline& timeline) const;
  void set_weight(CallWeight weight);
  // Escape: closes the menu, else shows all again. False if there was neither.
  bool step_back();
  bool zoomed() const;
  std::uint32_t zoomed_total() const;  // of the totals that were drawn last

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cinderscope
