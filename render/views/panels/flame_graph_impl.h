// The state of the flame graph between frames, shared by the files that draw it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/layout/flame_graph_layout.h"
#include "render/text/label.h"
#include "render/text/time_text.h"
#include "render/views/panels/flame_graph.h"
#include "render/views/widgets/label_cache.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

struct FlameGraphView::Impl {
  static constexpr float kPadPx = 12;
  static constexpr std::string_view kAllCalls = "All calls";

  FlameGraphLayout layout;
  LabelCache labels;
  FlameGraphDirection direction = FlameGraphDirection::top_down;
  std::string function;
  std::optional<CallWeight> chosen_weight;
  CallWeight weight = CallWeight::time;  // of the layout
  std::vector<StringId> zoom_path;       // names from the outermost to the zoomed box; empty: all
  std::vector<std::string> wanted_zoom;  // the same as text, until there are totals
  std::uint32_t zoomed = 0;
  // The key that the layout was made for.
  const AggregatedCallTree* totals = nullptr;
  const StringPool* strings = nullptr;
  std::uint64_t version = 0;
  float width_px = 0, scale = 0;
  const ImFont* font = nullptr;
  bool stale = true, back_to_top = false;

  // The box under the pointer, or the box of the menu.
  struct Pointed {
    std::uint32_t total = 0;
    std::uint32_t folded = 0;
    std::size_t line = 0;
    bool of_callers = false;  // the total is one of FunctionTotals::callers
  };
  std::optional<Pointed> pointed, menu_for;
  bool menu_open = false, menu_closes = false;

  void take_wanted_zoom(const Timeline& timeline);
  void update(const FlameGraphFrame& frame, float width);
  void zoom_to(const AggregatedCallTree& of, std::uint32_t total);
  void zoom_by_wheel(const FlameGraphFrame& frame);
  void go(FlameGraphDirection to);
  void show_function(std::string name);
  CallWeight weight_for(const Timeline& timeline) const {
    // A profile is laid out by the weight that was chosen of its own list.
    if (!timeline.weights.empty()) return CallWeight::time;
    // Without a clock lengths are numbers of events: the number of calls is easier to read.
    const bool events = timeline.axis == TimeAxis::events;
    return chosen_weight.value_or(events ? CallWeight::calls : CallWeight::time);
  }
  // The totals that a box stands for.
  static const AggregatedCallTree& totals_of(const FlameGraphFrame& frame, bool of_callers) {
    return of_callers && frame.function != nullptr ? frame.function->callers : *frame.totals;
  }
  const CallTreeNode& total_at(const FlameGraphFrame& frame, const Pointed& at) const {
    return totals_of(frame, at.of_callers).nodes[at.total];
  }
  static bool is_all(const FlameGraphFrame& frame, std::uint32_t total) {
    return total == 0 && frame.function == nullptr;
  }
  std::string weight_text(const FlameGraphFrame& frame, const CallTreeNode& total) const {
    return weight == CallWeight::calls ? count_text(total.subtree_calls)
                                       : amount_text(total.total_ns, frame.timeline.axis);
  }
  // With its unit where that is a profile's.
  static std::string amount_text(std::int64_t length, const TimeAxis& axis) {
    return axis.unit.text().empty() ? duration_text(length, axis) : length_text(length, axis);
  }
  // In flame_graph_head.cc.
  void draw_directions(const FlameGraphFrame& frame, const Pen& pen, float& x, float y,
                       Actions& actions);
  void draw_weights(const FlameGraphFrame& frame, const Pen& pen, float& x, float y,
                    Actions& actions);
  void draw_head(const FlameGraphFrame& frame, const Pen& pen, const Rect& head, Actions& actions);
  void draw_graph(const FlameGraphFrame& frame, const Rect& area, Actions& actions);
  // In flame_graph_boxes.cc.
  void draw_line(const FlameGraphFrame& frame, const Pen& pen, std::size_t line, const Rect& row);
  void draw_label(const FlameGraphFrame& frame, const Pen& pen, const FlameBox& box,
                  const CallTreeNode& total, const Rect& rect, Rgba colour);
  // In flame_graph_menu.cc.
  static void list_calls(const FlameGraphFrame& frame, StringId name, Actions& actions);
  void draw_tip(const FlameGraphFrame& frame, const Pen& pen, const Pointed& at) const;
  void draw_menu(const FlameGraphFrame& frame, const Pen& pen, Actions& actions);
  std::string label_at(const FlameGraphFrame& frame, const Pointed& at) const {
    if (is_all(frame, at.total)) return std::string(kAllCalls);
    return std::string(display_label(frame.timeline, total_at(frame, at).name));
  }
};

}  // namespace cinderscope
