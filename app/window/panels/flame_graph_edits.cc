// What the flame graph is asked to show: its way, its function, and what is taken out of it.
#include <algorithm>
#include <utility>

#include "app/window/panels/flame_graph_panel.h"

namespace cinderscope {

Status FlameGraphPanel::show(std::string_view what, std::string_view name, const Session& session) {
  if (what == "function") {
    Result<std::string> function = function_of(name, session);
    if (!function) return function.error();
    view_.show_function(std::move(*function));
    return ok();
  }
  if (what == "drop") return edit(Edit::Kind::drop, name, session);
  if (what == "focus") return edit(Edit::Kind::focus, name, session);
  if (what == "fold") return edit(Edit::Kind::fold, {}, session);
  if (what == "all") {
    edits_.clear();
    return ok();
  }
  if (what.empty()) {
    const bool callers = view_.direction() == FlameGraphDirection::bottom_up;
    view_.set_direction(callers ? FlameGraphDirection::top_down : FlameGraphDirection::bottom_up);
  } else if (what == "callers" || what == "callees") {
    view_.set_direction(what == "callers" ? FlameGraphDirection::bottom_up
                                          : FlameGraphDirection::top_down);
  } else {
    view_.set_weight(what == "calls" ? CallWeight::calls : CallWeight::time);
  }
  return ok();
}

Result<std::string> FlameGraphPanel::function_of(std::string_view name, const Session& session) {
  if (name == "(no name)") return std::string();
  if (!name.empty()) return std::string(name);
  const Timeline& timeline = session.timeline();
  const SliceRef selected = session.state().selected;
  if (!selected || block_of(timeline, selected) == nullptr) return refused("No call is selected.");
  return std::string(timeline.text(slice_at(timeline, selected).name));
}

// Folding a second time unfolds.
Status FlameGraphPanel::edit(Edit::Kind kind, std::string_view name, const Session& session) {
  Edit made{.kind = kind};
  if (kind != Edit::Kind::fold) {
    Result<std::string> function = function_of(name, session);
    if (!function) return function.error();
    made.function = std::move(*function);
  }
  const auto same = std::ranges::find(edits_, made);
  if (same == edits_.end()) {
    edits_.push_back(std::move(made));
  } else if (kind == Edit::Kind::fold) {
    edits_.erase(same);
  }
  return ok();
}

CallTreeEdits FlameGraphPanel::edits_of(const std::vector<Edit>& edits, const StringPool& strings) {
  CallTreeEdits out;
  for (const Edit& edit : edits) {
    if (edit.kind == Edit::Kind::fold) {
      out.folds_recursion = true;
      continue;
    }
    const std::optional<StringId> name = strings.find(edit.function);
    std::vector<StringId>& names = edit.kind == Edit::Kind::drop ? out.dropped : out.focused;
    // Of a name that the trace does not have nothing is dropped, and nothing is left to look at.
    if (name || edit.kind == Edit::Kind::focus) names.push_back(name.value_or(kNoName));
  }
  return out;
}

std::string FlameGraphPanel::edits_text() const {
  std::string text;
  for (const Edit& edit : edits_) {
    if (!text.empty()) text += ", ";
    if (edit.kind == Edit::Kind::fold) {
      text += "recursion folded";
    } else {
      const std::string name = edit.function.empty() ? "(no name)" : edit.function;
      text += (edit.kind == Edit::Kind::drop ? "without " : "only ") + name;
    }
  }
  return text;
}

bool FlameGraphPanel::step_back() {
  if (view_.step_back()) return true;
  if (edits_.empty()) return false;
  edits_.pop_back();
  return true;
}

}  // namespace cinderscope
