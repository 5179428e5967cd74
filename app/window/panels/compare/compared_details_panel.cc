#include "app/window/panels/compare/compared_details_panel.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/window/comparison/compare_page.h"
#include "app/window/panels/details_panel.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "render/views/widgets/side_chip.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

namespace {

constexpr float kPadPx = 16, kHeadPx = 30;

}  // namespace

ComparedDetailsPanel::Column::Column()
    : durations([] { Window::wake(); }), children([] { Window::wake(); }) {}

bool ComparedDetailsPanel::poll(Session& /*session*/, bool /*visible*/) {
  bool news = false;
  for (Column& column : columns_) {
    const bool durations = column.durations.poll(), children = column.children.poll();
    news |= durations || children;
  }
  return news;
}

bool ComparedDetailsPanel::busy() const {
  return std::ranges::any_of(columns_, [](const Column& column) {
    return column.durations.busy() || column.children.busy();
  });
}

void ComparedDetailsPanel::draw_column(Side side, const PanelFrame& frame, const Rect& area,
                                       Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  Column& column = columns_[side];
  Session& session = page_.session(side);
  const TimelineState& state = session.state();
  const Rect head{area.x, area.y, area.width, std::round(pen.px(kHeadPx))};
  const float x = area.x + pen.px(kPadPx);
  draw_side_chip(pen.list, frame.theme, x, middle_y(head), side == side_b);
  draw_cut_text(pen.list, pen.words, x + pen.px(kSideChipPx + 8), middle_y(head),
                std::max(area.width - pen.px(2 * kPadPx + kSideChipPx + 8), 1.0F), pen.colours.dim,
                session.title());
  const Rect below{area.x, bottom_of(head), area.width,
                   std::max(bottom_of(area) - bottom_of(head), 1.0F)};
  if (!state.selected && !state.selected_instant && !state.selected_counter) {
    const TimelineState& beside = page_.session(other(side)).state();
    draw_wrapped(pen, pen.words, x, below.y + pen.px(4),
                 std::max(area.width - pen.px(2 * kPadPx), 1.0F), pen.colours.dim,
                 beside.selected ? "The selected call has no partner here."
                                 : "Select a call: it and its partner stand here side by side.");
    return;
  }
  column.durations.ask(session);
  column.children.ask(session);
  const std::size_t before = actions.size();
  ImGui::SetCursorScreenPos({below.x, below.y});
  ImGui::BeginChild(side == side_a ? "details a" : "details b", {below.width, below.height}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  column.view.draw({.timeline = session.timeline(),
                    .state = state,
                    .source = session.source(),
                    .theme = frame.theme,
                    .area = below,
                    .generation = session.version(),
                    .counts_calls = true,
                    .all_of_name = column.durations.found(),
                    .children = column.children.found(),
                    .totals_note = {}},
                   actions);
  ImGui::EndChild();
  // What is asked for there is about that lane.
  if (actions.size() > before) {
    actions.insert(actions.begin() + static_cast<std::ptrdiff_t>(before),
                   ActOnLane{side == side_b, true});
  }
  if (column.noted_facts != column.view.facts_version()) {
    column.noted_facts = column.view.facts_version();
    shown_texts_ += texts_of(column.view.facts());
  }
}

void ComparedDetailsPanel::draw(const PanelFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  fill(pen.list, area, pen.colours.panel);
  const float half_px = std::round(area.width / 2);
  draw_column(side_a, frame, {area.x, area.y, half_px, area.height}, actions);
  draw_column(side_b, frame, {area.x + half_px, area.y, area.width - half_px, area.height},
              actions);
  ImGui::GetWindowDrawList()->AddLine({area.x + half_px, area.y},
                                      {area.x + half_px, bottom_of(area)}, pen.colours.line);
}

}  // namespace cinderscope
