#include "app/window/panels/compare/compared_names_panel.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/compare/comparison_output.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/panels/compare/compared_flame_panel.h"
#include "app/window/panels/compare/compared_histogram_panel.h"
#include "app/window/tab.h"

namespace cinderscope {

namespace {

constexpr float kBesideFromPx = 1200, kTableShare = 0.584F, kHistogramPx = 160, kLeastFlamePx = 130;

}  // namespace

ComparedNamesPanel::ComparedNamesPanel(ComparePage& page, ComparedFlamePanel& flame,
                                       ComparedHistogramPanel& histogram)
    : page_(page), flame_(flame), histogram_(histogram) {}

std::uint64_t ComparedNamesPanel::count(const Session& /*session*/) const {
  const ComparedSides* sides = page_.answers.sides();
  return sides == nullptr ? 0 : sides->names.names.size();
}

bool ComparedNamesPanel::busy() const {
  return page_.answers.busy() || (beside_ && flame_.busy());
}

bool ComparedNamesPanel::poll(Session& session, bool visible) {
  const bool news = visible && beside_ && flame_.poll(session, true);
  if (visible) update();
  return news;
}

void ComparedNamesPanel::update() {
  const CompareAnswers& answers = page_.answers;
  if (answers.comparison() == nullptr) {
    rows_.clear();
    order_.reset();
    return;
  }
  if (order_ == page_.choice.order && version_ == answers.version()) return;
  order_ = page_.choice.order;
  version_ = answers.version();
  auto rows = compared_rows(*answers.sides(), *answers.comparison(), *order_);
  filter_problem_ = rows ? std::string() : rows.error().text;
  rows_ = rows ? std::move(*rows) : std::vector<std::uint32_t>();
  longest_calls_ = longest_calls(*answers.sides(), *answers.comparison(), rows_);
  // The largest difference is what most people came for.
  if (page_.choice.selected.empty() && !rows_.empty()) {
    const std::uint32_t name = answers.comparison()->rows[rows_.front()].name;
    page_.select_name(answers.sides()->names.names[name].text);
  }
}

std::vector<ComparedField> ComparedNamesPanel::fields() const {
  const CompareChoice& choice = page_.choice;
  std::vector<ComparedField> fields;
  for (std::size_t i = 0; i < kComparedFields; ++i) {
    const auto field = static_cast<ComparedField>(i);
    const std::vector<ComparedField>& list =
        i < kUsualFields ? choice.fewer_fields : choice.more_fields;
    const bool named = std::ranges::find(list, field) != list.end();
    if (named == (i >= kUsualFields)) fields.push_back(field);
  }
  // The verdict stays at the end.
  const auto verdict = std::ranges::find(fields, ComparedField::verdict);
  if (verdict != fields.end()) std::rotate(verdict, verdict + 1, fields.end());
  return fields;
}

// The colour that it has in the lanes.
std::uint32_t ComparedNamesPanel::hash_of(std::uint32_t name) const {
  for (const Side side : {side_a, side_b}) {
    const std::vector<StringId> strings = page_.strings_of(side, name);
    if (!strings.empty()) return page_.session(side).timeline().strings->hash(strings.front());
  }
  return 0;
}

void ComparedNamesPanel::draw_table(const PanelFrame& frame, const Rect& area, Actions& actions) {
  const CompareAnswers& answers = page_.answers;
  ComparedNamesFrame shown{.theme = frame.theme,
                           .area = area,
                           .sides = answers.sides(),
                           .comparison = answers.comparison(),
                           .rows = rows_,
                           .order = page_.choice.order,
                           .fields = fields(),
                           .selected = page_.choice.selected,
                           .longest_calls = longest_calls_,
                           .working = answers.comparison() == nullptr && answers.problem().empty()};
  shown.hash_of = [this](std::uint32_t name) { return hash_of(name); };
  const bool filtered = !page_.choice.order.filter.empty() || page_.choice.order.wanted != 0;
  shown.note = "Comparing the two traces";
  if (!answers.problem().empty()) {
    shown.note = answers.problem();
  } else if (!filter_problem_.empty()) {
    shown.note = filter_problem_;
  } else if (answers.comparison() != nullptr) {
    shown.note = filtered ? "No name passes the filters" : "Neither side has calls here";
  }
  view_.draw(shown, actions);
}

bool ComparedNamesPanel::step(int by) {
  update();
  if (rows_.empty()) return false;
  const Comparison& comparison = *page_.answers.comparison();
  const auto selected = page_.selected_name();
  const auto at = std::ranges::find_if(
      rows_, [&](std::uint32_t row) { return comparison.rows[row].name == selected; });
  std::ptrdiff_t row = by < 0 ? static_cast<std::ptrdiff_t>(rows_.size()) - 1 : 0;
  if (at != rows_.end()) row = at - rows_.begin() + by;
  if (row < 0 || row >= static_cast<std::ptrdiff_t>(rows_.size())) return false;
  const std::uint32_t name = comparison.rows[rows_[static_cast<std::size_t>(row)]].name;
  page_.select_name(page_.answers.sides()->names.names[name].text);
  view_.show_row(static_cast<std::uint64_t>(row));
  return true;
}

bool ComparedNamesPanel::step_back() {
  return beside_ && flame_.step_back();
}

void ComparedNamesPanel::draw(const PanelFrame& frame, Actions& actions) {
  update();
  const Theme& theme = frame.theme;
  const Rect& area = frame.area;
  beside_ = page_.choice.side_by_side && area.width >= theme.px(kBesideFromPx);
  if (!beside_) return draw_table(frame, area, actions);
  const float table_px = std::round(area.width * kTableShare);
  const Rect table{area.x, area.y, table_px, area.height};
  const Rect right{area.x + table_px, area.y, area.width - table_px, area.height};
  const float histogram_px = area.height >= theme.px(kHistogramPx + kLeastFlamePx)
                                 ? std::round(theme.px(kHistogramPx))
                                 : 0;
  const auto part = [&](const char* id, const Rect& rect, const auto& draw) {
    ImGui::SetCursorScreenPos({rect.x, rect.y});
    ImGui::BeginChild(id, {rect.width, rect.height}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    draw(PanelFrame{frame.session, theme, rect, frame.app});
    ImGui::EndChild();
  };
  part("names", table, [&](const PanelFrame& inside) { draw_table(inside, table, actions); });
  part("flame", {right.x, right.y, right.width, right.height - histogram_px},
       [&](const PanelFrame& inside) { flame_.draw(inside, actions); });
  if (histogram_px > 0) {
    part("durations", {right.x, area.y + area.height - histogram_px, right.width, histogram_px},
         [&](const PanelFrame& inside) { histogram_.draw(inside, actions); });
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Rgba line = theme.colours.line;
  list.AddLine({right.x, area.y}, {right.x, area.y + area.height}, line);
  const float split_y = area.y + area.height - histogram_px;
  if (histogram_px > 0) list.AddLine({right.x, split_y}, {right.x + right.width, split_y}, line);
}

Result<TakenTable> ComparedNamesPanel::take_table(Session& /*session*/, TableText form) {
  const CompareAnswers& answers = page_.answers;
  if (answers.comparison() == nullptr) return refused("The traces are still being compared.");
  update();
  return taken_comparison(answers.shared_sides(),
                          std::make_shared<const Comparison>(*answers.comparison()), rows_, form);
}

}  // namespace cinderscope
