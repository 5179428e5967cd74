// The flame graph's tooltip and its menu of a right click.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ingest/model/measure/sample_runs.h"
#include "ingest/search/search_query.h"
#include "render/layout/flame_graph_layout.h"
#include "render/views/panels/flame_graph_impl.h"

namespace cinderscope {
namespace {

std::string share_text(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "–";
  const double percent = 100 * static_cast<double>(part) / static_cast<double>(whole);
  return percent >= 9.995 ? fmt::format("{:.1f} %", percent) : fmt::format("{:.2f} %", percent);
}

}  // namespace

// Searches for the calls that the graph has counted.
void FlameGraphView::Impl::list_calls(const FlameGraphFrame& frame, StringId name,
                                      Actions& actions) {
  actions.push_back(RunCommand{"search", search_text_for(frame.timeline.text(name))});
  actions.push_back(RunCommand{"panel", "search"});
  actions.push_back(RunCommand{"search-scope", std::string(word_of(frame.scope))});
}

void FlameGraphView::Impl::draw_tip(const FlameGraphFrame& frame, const Pen& pen,
                                    const Pointed& at) const {
  const TimeAxis axis = frame.timeline.axis;
  const CallTreeNode& all = frame.totals->nodes.front();
  const CallTreeNode& total = total_at(frame, at);
  if (at.folded > 0) {
    return hint(pen, at.line < layout.zoomed_line && !at.of_callers
                         ? count_text(at.folded) +
                               " callers further out; a click zooms to the innermost of them"
                         : fmt::format("{} names too thin to draw; a click zooms to their caller",
                                       count_text(at.folded)));
  }
  std::vector<std::pair<std::string_view, std::string>> lines;
  const std::string time = amount_text(total.total_ns, axis);
  const bool is_whole = is_all(frame, at.total);
  if (direction == FlameGraphDirection::bottom_up) {
    lines.emplace_back(total.depth <= 1 ? "self" : "of that self", time);
  } else if (at.of_callers) {
    lines.emplace_back("of its total", time);
  } else {
    lines.emplace_back("total", time);
    if (!is_whole) lines.emplace_back("self", amount_text(total.self_ns, axis));
  }
  const bool runs = counts_runs(frame.timeline);
  lines.emplace_back(
      at.of_callers ? (runs ? "of its runs" : "of its calls") : (runs ? "runs" : "calls"),
      count_text(total.count));
  if (total.subtree_calls != total.count) {
    lines.emplace_back("including nested", count_text(total.subtree_calls));
  }
  if (!is_whole) {
    lines.emplace_back("share", share_text(total.weight(weight), all.weight(weight)));
  }
  lines.emplace_back("longest", amount_text(total.longest_ns, axis));
  if (is_negative(frame.timeline, total)) lines.emplace_back("sign", "below 0");
  float widest = 0;
  for (const auto& [name, number] : lines) widest = std::max(widest, text_width(pen.words, name));
  const std::string title = drawable(label_at(frame, at));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pen.px(12), pen.px(9)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {pen.px(8), pen.px(4)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, pen.px(6));
  ImGui::PushStyleVar(ImGuiStyleVar_PopupBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_PopupBg, pen.colours.raised);
  ImGui::PushStyleColor(ImGuiCol_Border, pen.colours.line);
  ImGui::BeginTooltip();
  ImGui::PushFont(pen.theme.heads);
  ImGui::PushTextWrapPos(pen.px(460));
  ImGui::PushStyleColor(ImGuiCol_Text, pen.colours.text);
  ImGui::TextUnformatted(title.data(), title.data() + title.size());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  for (const auto& [name, number] : lines) {
    ImGui::PushFont(pen.theme.words);
    ImGui::PushStyleColor(ImGuiCol_Text, pen.colours.dim);
    ImGui::TextUnformatted(name.data(), name.data() + name.size());
    ImGui::PopStyleColor();
    ImGui::PopFont();
    ImGui::SameLine(pen.px(12) + widest + pen.px(14));
    ImGui::PushFont(pen.theme.numbers);
    ImGui::PushStyleColor(ImGuiCol_Text, pen.colours.text);
    ImGui::TextUnformatted(number.data(), number.data() + number.size());
    ImGui::PopStyleColor();
    ImGui::PopFont();
  }
  ImGui::EndTooltip();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(4);
}

void FlameGraphView::Impl::draw_menu(const FlameGraphFrame& frame, const Pen& pen,
                                     Actions& actions) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pen.px(12), pen.px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {pen.px(12), pen.px(7)});
  menu_open = ImGui::BeginPopup("calls");
  const bool closes = std::exchange(menu_closes, false);
  if (menu_open) {
    if (closes || !menu_for) ImGui::CloseCurrentPopup();
    if (menu_for) {
      const CallTreeNode& total = total_at(frame, *menu_for);
      const bool one = !is_all(frame, menu_for->total) && menu_for->folded == 0;
      const bool below = !menu_for->of_callers;
      if (ImGui::MenuItem("Zoom to these calls", nullptr, false, one && below)) {
        zoom_to(*frame.totals, menu_for->total);
      }
      if (ImGui::MenuItem("Whole graph", "Escape", false, !zoom_path.empty())) {
        zoom_path.clear();
        stale = back_to_top = true;
      }
      const bool other =
          direction != FlameGraphDirection::sandwich || total.name != frame.totals->nodes[0].name;
      if (ImGui::MenuItem("Callers and callees of this function", nullptr, false, one && other)) {
        if (frame.head) {
          show_function(std::string(frame.timeline.text(total.name)));
        } else {
          const std::string name = quoted_argument(display_name(frame.timeline, total.name));
          actions.push_back(RunCommand{"flame-graph", "function " + name});
        }
      }
      const auto edit = [&](const char* label, const char* key, std::string argument, bool enabled,
                            bool on = false) {
        if (!ImGui::MenuItem(label, key, on, enabled)) return;
        actions.push_back(RunCommand{"flame-graph", std::move(argument)});
      };
      ImGui::Separator();
      const std::string quoted = quoted_argument(display_name(frame.timeline, total.name));
      edit("Only this function and its callees", nullptr, "focus " + quoted, one);
      edit("Without this function", nullptr, "drop " + quoted, one);
      edit("Fold direct recursion", nullptr, "fold", true, frame.folds_recursion);
      edit("Undo all of these", nullptr, "all", !frame.edits.empty());
      ImGui::Separator();
      const bool there = one && block_of(frame.timeline, total.longest) != nullptr;
      if (ImGui::MenuItem("Select the longest call", nullptr, false, there)) {
        actions.push_back(RevealSlice{total.longest});
      }
      if (ImGui::MenuItem("Find all calls of this name", nullptr, false, one)) {
        list_calls(frame, total.name, actions);
      }
      if (ImGui::MenuItem("Copy the name", nullptr, false, one)) {
        actions.push_back(CopyText{std::string(display_name(frame.timeline, total.name))});
      }
      ImGui::Separator();
      if (ImGui::MenuItem("Save picture…", nullptr, false, frame.head)) {
        actions.push_back(RunCommand{"picture", "of flame-graph"});
      }
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace cinderscope
