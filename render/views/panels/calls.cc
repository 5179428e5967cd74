#include "render/views/panels/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ingest/base/utf8.h"
#include "render/text/label.h"
#include "render/views/widgets/choice.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

constexpr float kPadPx = 16, kBarPx = 36, kRowPx = 22, kControlPx = 24, kRadiusPx = 5;
constexpr float kNumberPx = 96, kPlacePx = 190, kTextPx = 180, kTitlePx = 320, kGapPx = 14;
constexpr float kFilterPx = 300, kScrollBarPx = 8;
constexpr std::size_t kMostRows = 200'000;  // ImGui scrolls by floats, which end there
constexpr std::size_t kMostHintBytes = 2'000;

void run(Actions& actions, std::string_view name, std::string argument = {}) {
  actions.push_back(RunCommand{std::string(name), std::move(argument)});
}

bool is_title(const ValueColumn& column) {
  return column.name == "Call" || column.name == "Statement";
}

std::string cell_text(const CallsFrame& frame, const ValueColumn& column, std::uint32_t row) {
  if (column.kind == CellKind::text) {
    return valid_utf8(text_in(*frame.table, column, row).substr(0, 4 * kMaxLabelBytes));
  }
  const std::int64_t number = column.numbers[row];
  if (number == kNoNumber) return {};
  switch (column.kind) {
    case CellKind::duration:
      return duration_text(number, frame.time_format.axis);
    case CellKind::place:
      return timestamp_text(number, frame.time_format);
    default:
      return signed_count_text(number);
  }
}

}  // namespace

void CallsView::place_columns(const CallsFrame& frame, float room_px) {
  placed_.clear();
  const Pen pen = pen_of(frame.theme);
  float x = 0, titles = 0;
  for (std::size_t i = 0; i < frame.table->columns.size(); ++i) {
    const ValueColumn& column = frame.table->columns[i];
    const float wanted = is_title(column)                 ? kTitlePx
                         : column.kind == CellKind::text  ? kTextPx
                         : column.kind == CellKind::place ? kPlacePx
                                                          : kNumberPx;
    const float head = text_width(pen.words, column.name) + pen.px(20);
    const float width = std::round(std::max(pen.px(wanted), head)) + pen.px(kGapPx);
    placed_.push_back({i, x, width});
    titles += is_title(column) ? 1.0f : 0.0f;
    x += width;
  }
  // Spare room goes to the titles.
  const float spare = titles > 0 ? std::max(0.0f, std::floor((room_px - x) / titles)) : 0;
  x = 0;
  for (PlacedColumn& placed : placed_) {
    placed.x = x;
    if (is_title(frame.table->columns[placed.column])) placed.width += spare;
    x += placed.width;
  }
  table_px_ = x;
}

void CallsView::draw_bar(const CallsFrame& frame, const Rect& bar, Actions& actions) const {
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
    if (asked) run(actions, "calls-shown", *asked == 0 ? "calls" : "statements");
    x += choices_width(pen, kChoices) + pen.px(16);
  }
  float end_x = right_of(bar);
  const auto button = [&](const char* id, std::string_view glyph, std::string_view help,
                          std::string_view command) {
    end_x -= control_px;
    if (icon_button(pen, id, {end_x, control_y, control_px, control_px},
                    {.icon = glyph, .help = help, .enabled = frame.table != nullptr})) {
      run(actions, command);
    }
    end_x -= pen.px(4);
  };
  button("save", "\uf0c7", "Save the table as CSV", "save-calls");
  button("copy", icon::kCopy, "Copy the table", "copy-calls");
  const float filter_px = std::min(std::round(pen.px(kFilterPx)), end_x - x);
  if (filter_px > pen.px(40)) {
    std::array<char, 512> text{};
    frame.order.filter.copy(text.data(), text.size() - 1);
    ImGui::SetCursorScreenPos({x, control_y});
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        {pen.px(8), std::max(0.0f, (control_px - ImGui::GetFontSize()) / 2)});
    ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, pen.px(kRadiusPx));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
    ImGui::SetNextItemWidth(filter_px);
    const char* example =
        frame.shown == CallsShown::calls ? "text, or duration > 100ms" : "text, or count > 10";
    if (ImGui::InputTextWithHint("##filter calls", example, text.data(), text.size())) {
      run(actions, "filter-calls", text.data());
    }
    ImGui::PopStyleVar(3);
    x += filter_px + pen.px(16);
  }
  std::string note = frame.problem;
  if (note.empty() && frame.table == nullptr) note = frame.working ? "Reading the calls" : "";
  if (note.empty() && frame.table != nullptr) {
    const std::string what =
        fmt::format("{}{}", frame.shown == CallsShown::calls ? "call" : "statement",
                    frame.table->row_count == 1 ? "" : "s");
    note = frame.rows.size() == frame.table->row_count
               ? fmt::format("{} {}", count_text(frame.rows.size()), what)
               : fmt::format("{} of {} {}", count_text(frame.rows.size()),
                             count_text(frame.table->row_count), what);
    if (frame.table->left_out > 0) {
      note += fmt::format(", {} more are left out", count_text(frame.table->left_out));
    }
    if (frame.table->columns_left_out) {
      note += fmt::format(", facts beyond {} columns are left out", frame.table->columns.size());
    }
  }
  draw_cut_text(pen.list, pen.words, x, middle_y(bar), std::max(end_x - x, 0.0f),
                frame.problem.empty() ? pen.colours.dim : pen.colours.accent, note);
}

void CallsView::draw_head(const CallsFrame& frame, const Rect& head, Actions& actions) const {
  const Pen pen = pen_of(frame.theme);
  ImGui::PushClipRect({head.x, head.y}, {right_of(head), bottom_of(head)}, true);
  for (const PlacedColumn& placed : placed_) {
    const ValueColumn& column = frame.table->columns[placed.column];
    const Rect cell{head.x + placed.x - scroll_px_, head.y, placed.width - pen.px(kGapPx),
                    head.height};
    const float left = std::max(cell.x, head.x), right = std::min(right_of(cell), right_of(head));
    if (right <= left) continue;
    const Press press = press_area(placed.column, {left, cell.y, right - left, cell.height});
    const bool sorts = frame.order.column == placed.column;
    const Rgba colour = sorts || press.hovered ? pen.colours.text : pen.colours.dim;
    const std::string_view arrow = frame.order.descending ? "\uf0d7" : "\uf0d8";
    const float y = middle_y(cell), gap = pen.px(5);
    if (column.kind == CellKind::text) {
      const float x = cell.x + draw_text(pen.list, pen.words, cell.x, y, colour, column.name);
      if (sorts) draw_text(pen.list, pen.icons, x + gap, y, colour, arrow);
    } else {
      const float x = right_of(cell);
      const float width = draw_text(pen.list, pen.words, x, y, colour, column.name, Align::right);
      if (sorts) draw_text(pen.list, pen.icons, x - width - gap, y, colour, arrow, Align::right);
    }
    if (press.hovered && !column.unit.empty()) hint(pen, column.unit);
    if (press.clicked) run(actions, "sort-calls", column.name);
  }
  ImGui::PopClipRect();
}

void CallsView::draw_rows(const CallsFrame& frame, const Rect& area, Actions& actions) {
  const ValueTable& table = *frame.table;
  const std::size_t shown = std::min(frame.rows.size(), kMostRows);
  const float row_px = std::round(frame.theme.px(kRowPx));
  Column column(frame.theme, "rows", area, 0, table_px_);
  const Pen& pen = column.pen();
  scroll_px_ = ImGui::GetScrollX();
  column.rows(shown, row_px, [&](std::size_t i, const Rect& row) {
    const std::uint32_t number = frame.rows[i];
    const Press press = press_area(i, {row.x, row.y, std::max(table_px_, area.width), row.height});
    const bool selected =
        number < table.slices.size() && frame.selected && table.slices[number] == frame.selected;
    if (selected || press.hovered) {
      fill(pen.list, {area.x, row.y, area.width, row.height},
           with_alpha(pen.colours.dim, selected ? 50 : 28));
    }
    const Rgba colour = frame.working ? pen.colours.dim : pen.colours.text;
    for (const PlacedColumn& placed : placed_) {
      const Rect cell{row.x + placed.x, row.y, placed.width - pen.px(kGapPx), row.height};
      if (right_of(cell) < area.x || cell.x > right_of(area)) continue;
      const ValueColumn& shown_column = table.columns[placed.column];
      const std::string text = cell_text(frame, shown_column, number);
      if (shown_column.kind != CellKind::text) {
        draw_text(pen.list, pen.numbers, right_of(cell), middle_y(cell), colour, text,
                  Align::right);
        continue;
      }
      draw_cut_text(pen.list, pen.words, cell.x, middle_y(cell), cell.width, colour, text);
      const float mouse_x = ImGui::GetIO().MousePos.x;
      if (press.hovered && mouse_x >= cell.x && mouse_x < right_of(cell)) {
        whole_name_hint(pen,
                        valid_utf8(text_in(table, shown_column, number).substr(0, kMostHintBytes)),
                        cell.width);
      }
    }
    if (press.clicked && number < table.slices.size()) {
      actions.push_back(RevealSlice{table.slices[number]});
    } else if (press.clicked && !table.columns.empty()) {
      actions.push_back(CopyText{std::string(text_in(table, table.columns.front(), number))});
    }
  });
  if (shown == frame.rows.size() && shown > 0) return;
  const Rect note = column.row(row_px);
  const std::string text =
      shown > 0 ? fmt::format("{} more: filter or sort to see them; a saved file has all",
                              count_text(frame.rows.size() - shown))
      : table.row_count == 0 ? std::string("There are none")
                             : std::string("Nothing matches the filter");
  draw_cut_text(pen.list, pen.words, area.x, middle_y(note), area.width, pen.colours.dim, text);
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
    const Rect head{bar.x, bottom_of(bar), bar.width, std::round(pen.px(kRowPx))};
    place_columns(frame, head.width - pen.px(kScrollBarPx));
    const float rows_y = bottom_of(head) + 1;
    const Rect rows{bar.x, rows_y, bar.width, bottom_of(area) - rows_y};
    if (rows.height > 0) draw_rows(frame, rows, actions);
    draw_head(frame, head, actions);
    horizontal_line(pen.list, area.x, right_of(area), bottom_of(head), pen.colours.line);
  }
  ImGui::PopID();
}

}  // namespace cinderscope
