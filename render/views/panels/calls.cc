#include "render/views/panels/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/views/widgets/choice.h"
#include "render/views/widgets/value_cells.h"

namespace cinderscope {
namespace {

constexpr float kPadPx = 16, kBarPx = 36, kControlPx = 24, kFilterPx = 300;

// How many rows there are, or what is wrong.
std::string note_of(const CallsFrame& frame) {
  if (!frame.problem.empty()) return frame.problem;
  if (frame.table == nullptr) return frame.working ? "Reading the calls" : "";
  const ValueTable& table = *frame.table;
  const std::string what =
      fmt::format("{}{}", frame.shown == CallsShown::calls ? "call" : "statement",
                  table.row_count == 1 ? "" : "s");
  std::string note = count_text(frame.rows.size());
  if (frame.rows.size() != table.row_count) note += " of " + count_text(table.row_count);
  note += " " + what;
  if (table.left_out > 0) note += fmt::format(", {} more are left out", count_text(table.left_out));
  if (table.columns_left_out) {
    note += fmt::format(", facts beyond {} columns are left out", table.columns.size());
  }
  return note;
}

void draw_bar(const CallsFrame& frame, const Rect& bar, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  const float control_px = std::round(pen.px(kControlPx));
  const float control_y = std::round(middle_y(bar) - control_px / 2);
  float x = bar.x;
  if (frame.has_statements) {
    constexpr std::array kChoices = {
        Choice{"Calls", "All recorded calls"},
        Choice{"Statements", "The SQL of all calls; equal statements are added up"}};
    const auto asked = draw_choices(pen, "shown", x, middle_y(bar), kChoices,
                                    frame.shown == CallsShown::calls ? 0 : 1);
    if (asked) run_command(actions, "calls-shown", *asked == 0 ? "calls" : "statements");
    x += choices_width(pen, kChoices) + pen.px(16);
  }
  float end_x = right_of(bar);
  const auto button = [&](const char* id, std::string_view glyph, std::string_view help,
                          std::string_view command) {
    end_x -= control_px;
    if (icon_button(pen, id, {end_x, control_y, control_px, control_px},
                    {.icon = glyph, .help = help, .enabled = frame.table != nullptr})) {
      run_command(actions, command);
    }
    end_x -= pen.px(4);
  };
  button("save", icon::kSave, "Save the table…", "save-calls");
  button("copy", icon::kCopy, "Copy the table", "copy-calls");
  const float filter_px = std::min(std::round(pen.px(kFilterPx)), end_x - x);
  if (filter_px > pen.px(40)) {
    const char* example =
        frame.shown == CallsShown::calls ? "text, or duration > 100ms" : "text, or count > 10";
    const auto typed = filter_field(pen, "##filter calls", example,
                                    {x, control_y, filter_px, control_px}, frame.order.filter);
    if (typed) run_command(actions, "filter-calls", *typed);
    x += filter_px + pen.px(16);
  }
  draw_cut_text(pen.list, pen.words, x, middle_y(bar), std::max(end_x - x, 0.0f),
                frame.problem.empty() ? pen.colours.dim : pen.colours.accent, note_of(frame));
}

}  // namespace

void CallsView::draw_table(const CallsFrame& frame, const Rect& area, Actions& actions) {
  const ValueTable& table = *frame.table;
  const auto slice_of = [&](std::uint64_t row) {
    const std::uint32_t number = frame.rows[row];
    return number < table.slices.size() ? table.slices[number] : SliceRef{};
  };
  const TableEvents events = table_.draw({
      .theme = frame.theme,
      .area = area,
      .columns = heads_of(table),
      .row_count = frame.rows.size(),
      .cell =
          [&](std::uint64_t row, std::size_t column) {
            return cell_of(table, column, frame.rows[row], frame.time_format);
          },
      .is_current =
          [&](std::uint64_t row) { return frame.selected && slice_of(row) == frame.selected; },
      .sorted_column = frame.order.column,
      .descending = frame.order.descending,
      .dim = frame.working,
      .note = table.row_count == 0 ? "There are none" : "Nothing matches the filter",
  });
  if (events.sort) run_command(actions, "sort-calls", table.columns[*events.sort].head.title);
  const auto shown = events.chosen();
  if (shown && slice_of(*shown)) actions.push_back(RevealSlice{slice_of(*shown)});
  // A statement is taken away by what is done on purpose, not by passing it.
  const auto taken = events.clicked ? events.clicked : events.entered;
  if (taken && !slice_of(*taken) && !table.columns.empty()) {
    actions.push_back(
        CopyText{std::string(text_in(table, table.columns.front(), frame.rows[*taken]))});
  }
}

void CallsView::draw(const CallsFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  fill(pen.list, area, pen.colours.panel);
  ImGui::PushID("calls");
  const float pad = pen.px(kPadPx);
  const Rect bar{area.x + pad, area.y, std::max(area.width - 2 * pad, 1.0f),
                 std::round(pen.px(kBarPx))};
  draw_bar(frame, bar, actions);
  if (frame.table != nullptr) {
    draw_table(frame, {area.x, bottom_of(bar), area.width, bottom_of(area) - bottom_of(bar)},
               actions);
  }
  ImGui::PopID();
}

}  // namespace cinderscope
