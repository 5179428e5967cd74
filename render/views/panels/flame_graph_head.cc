// The line above the flame graph: scope, direction, weight and sum.
#include <fmt/format.h>

#include <array>
#include <vector>

#include "ingest/model/measure/sample_runs.h"
#include "render/views/panels/flame_graph_impl.h"
#include "render/views/widgets/choice.h"

namespace cinderscope {
void FlameGraphView::Impl::draw_head(const FlameGraphFrame& frame, const Pen& pen, const Rect& head,
                                     Actions& actions) {
  const float y = middle_y(head);
  const std::vector<Choice> scopes =
      scope_choices({"Add up all calls of the trace",
                     "Add up the calls of the selected range (Shift+drag selects one)",
                     frame.scopes.threads > 1 ? "Add up the calls of the selected threads"
                                              : "Add up the calls of the selected call's thread",
                     "Add up what flows lead to from the selected call and what leads to it"},
                    frame.scopes);
  float x = head.x + pen.px(kPadPx);
  const auto chosen = static_cast<std::size_t>(frame.scope);
  const auto asked = draw_choices(pen, "scope", x, y, scopes, chosen);
  const bool again = frame.scope == ScopeChoice::connected;  // with another call
  if (asked && (*asked != chosen || again)) {
    const auto scope = static_cast<ScopeChoice>(*asked);
    actions.push_back(RunCommand{"scope", std::string(word_of(scope))});
  }
  x += choices_width(pen, scopes) + pen.px(12);
  x = draw_slices_choice(pen, frame.slices, x, y, right_of(head), actions);
  draw_directions(frame, pen, x, y, actions);
  const float right = right_of(head) - pen.px(kPadPx);
  std::string text;
  if (frame.totals != nullptr && !frame.totals->empty()) {
    const CallTreeNode& all = frame.totals->nodes.front();
    text = fmt::format("{}  {}",
                       counted_text(all.count, frame.slices.slices, counts_runs(frame.timeline)),
                       length_text(all.total_ns, frame.timeline.axis));
  }
  const float text_px = text_width(pen.numbers, text);
  if (right - text_px >= x) {
    draw_text(pen.list, pen.numbers, right, y, frame.counting ? pen.colours.dim : pen.colours.text,
              text, Align::right);
  }
  const float room = right - text_px - pen.px(14) - x;
  std::string said(frame.edits);
  const auto add = [&said](std::string_view more) {
    if (!said.empty() && !more.empty()) said += " · ";
    said += more;
  };
  add(frame.measured);
  if (frame.totals != nullptr && frame.totals->left_out > 0) {
    add(counted_text(frame.totals->left_out, frame.slices.slices, counts_runs(frame.timeline)) +
        " of too many chains count as self time");
  }
  add(frame.note);
  if (room > pen.px(40)) draw_cut_text(pen.list, pen.words, x, y, room, pen.colours.dim, said);
}

void FlameGraphView::Impl::draw_directions(const FlameGraphFrame& frame, const Pen& pen, float& x,
                                           float y, Actions& actions) {
  const std::array directions = {
      Choice{"Callees", "Top-down: outermost calls, then what they call"},
      Choice{"Callers", "Bottom-up: each name, then its callers"},
      Choice{"Function",
             "Sandwich: one function, its callers above, its callees below (choose one by a right "
             "click)",
             !function.empty()}};
  const auto chosen = static_cast<std::size_t>(direction);
  if (const auto asked = draw_choices(pen, "direction", x, y, directions, chosen);
      asked && *asked != chosen) {
    go(static_cast<FlameGraphDirection>(*asked));
  }
  x += choices_width(pen, directions) + pen.px(12);
  draw_weights(frame, pen, x, y, actions);
}

void FlameGraphView::Impl::draw_weights(const FlameGraphFrame& frame, const Pen& pen, float& x,
                                        float y, Actions& actions) {
  const Timeline& timeline = frame.timeline;
  if (!timeline.weights.empty()) {
    std::vector<Choice> own;
    for (const Weight& weight_there : timeline.weights) {
      own.push_back({weight_there.name, "Widths show what was measured of this"});
    }
    const auto asked = draw_choices(pen, "weight", x, y, own, timeline.weight);
    if (asked && *asked != timeline.weight) {
      actions.push_back(RunCommand{"flame-graph", fmt::format("weight {}", *asked)});
    }
    x += choices_width(pen, own) + pen.px(14);
    return;
  }
  const bool events = frame.timeline.axis == TimeAxis::events;
  const std::array weights = {
      Choice{events ? "Events" : "Time", events ? "Widths show events" : "Widths show time"},
      Choice{"Calls", "Widths show the number of calls, including calls inside"}};
  const auto weighed = static_cast<std::size_t>(weight_for(frame.timeline));
  const auto asked = draw_choices(pen, "weight", x, y, weights, weighed);
  if (asked && *asked != weighed) chosen_weight = static_cast<CallWeight>(*asked);
  x += choices_width(pen, weights) + pen.px(14);
}

}  // namespace cinderscope
