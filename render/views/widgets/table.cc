#include "render/views/widgets/table.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <utility>

namespace cinderscope {
namespace {

constexpr float kPadPx = 16, kRowPx = 22;
constexpr float kLeastPart = 0.85f;  // of a column's width: what a duration needs

// Of the row that keys are at.
void draw_outline(const Pen& pen, const Rect& row) {
  const float right = right_of(row), bottom = bottom_of(row);
  horizontal_line(pen.list, row.x, right, row.y, pen.colours.accent);
  horizontal_line(pen.list, row.x, right, bottom - 1, pen.colours.accent);
  vertical_line(pen.list, row.x, row.y, bottom, pen.colours.accent);
  vertical_line(pen.list, right - 1, row.y, bottom, pen.colours.accent);
}

}  // namespace

// Where room is short the columns of least importance are left out, then all get narrower, and what
// still has no room scrolls.
void TableView::place_columns(const Pen& pen, const TableFrame& frame, float room_px) {
  placed_.clear();
  content_px_ = 0;
  for (std::size_t i = 0; i < frame.columns.size(); ++i) {
    const TableColumn& column = *frame.columns[i];
    if (column.hidden) continue;
    const float title_px =
        text_width(frame.of_query ? pen.numbers : pen.words, column.title) + pen.px(20);
    placed_.push_back({i, 0, std::round(std::max(pen.px(column.width_px), title_px))});
    content_px_ += placed_.back().width;
  }
  const auto importance = [&](const PlacedColumn& placed) {
    const int given = frame.columns[placed.column]->importance;
    return given == 0 ? INT_MAX : given;
  };
  while (content_px_ > room_px && !placed_.empty()) {
    const auto least = std::ranges::min_element(placed_, {}, importance);
    if (importance(*least) == INT_MAX) break;
    content_px_ -= least->width;
    placed_.erase(least);
  }
  if (content_px_ > room_px) {
    const float part = std::max(room_px / content_px_, kLeastPart);
    content_px_ = 0;
    for (PlacedColumn& placed : placed_) {
      const float title_px =
          text_width(pen.words, frame.columns[placed.column]->title) + pen.px(20);
      placed.width = std::max(std::floor(placed.width * part), std::ceil(title_px));
      content_px_ += placed.width;
    }
  }
  float spare_px = std::max(room_px - content_px_, 0.0f), growing_px = 0, growing = 0;
  for (const PlacedColumn& placed : placed_) {
    if (!frame.columns[placed.column]->grows) continue;
    growing_px += placed.width;
    ++growing;
  }
  // Bars get room once the texts have twice theirs.
  for (PlacedColumn& placed : placed_) {
    if (!frame.columns[placed.column]->bar) continue;
    const float more_px = std::floor(std::clamp(spare_px - growing_px, 0.0f, placed.width));
    placed.width += more_px;
    spare_px -= more_px;
  }
  content_px_ = 0;
  for (PlacedColumn& placed : placed_) {
    if (frame.columns[placed.column]->grows) placed.width += std::floor(spare_px / growing);
    placed.x = content_px_;
    content_px_ += placed.width;
  }
}

// From the row of the last key or click, at first from the current one if that is in sight.
void TableView::take_keys(const TableFrame& frame, double rows_on_screen, float step_px,
                          TableEvents& events) {
  const std::vector<TableKey> keys = std::exchange(keys_, {});
  if (frame.row_count == 0) {
    key_row_.reset();
    return;
  }
  const std::uint64_t last = frame.row_count - 1;
  if (key_row_) key_row_ = std::min(*key_row_, last);
  if (keys.empty()) return;
  const auto page = static_cast<std::uint64_t>(rows_on_screen);
  const auto top = std::min(static_cast<std::uint64_t>(scroll_.first_row()), last);
  if (std::exchange(looks_for_row_, false) && frame.is_current) {
    const std::uint64_t end = std::min(top + page, last);
    std::uint64_t row = key_row_ && frame.is_current(*key_row_) ? end + 1 : top;
    while (row <= end && !frame.is_current(row)) ++row;
    if (row <= end) key_row_ = row;
  }
  for (const TableKey key : keys) {
    const bool sideways = key == TableKey::left || key == TableKey::right;
    if (sideways) {
      scroll_.scroll_sideways(key == TableKey::left ? -step_px : step_px);
      continue;
    }
    if (!key_row_) {  // the first key only enters the table
      key_row_ = key == TableKey::last ? last : key == TableKey::first ? 0 : top;
      events.reached = key_row_;
      continue;
    }
    std::uint64_t& row = *key_row_;
    const std::uint64_t before = row;
    switch (key) {
      case TableKey::up:
        row -= std::min<std::uint64_t>(row, 1);
        break;
      case TableKey::down:
        row = std::min(row + 1, last);
        break;
      case TableKey::page_up:
        row -= std::min(row, page);
        break;
      case TableKey::page_down:
        row = std::min(row + page, last);
        break;
      case TableKey::first:
        row = 0;
        break;
      case TableKey::last:
        row = last;
        break;
      case TableKey::enter:
        events.entered = row;
        break;
      case TableKey::space:
        events.checked = row;
        break;
      case TableKey::left:
      case TableKey::right:
        break;
    }
    if (row != before) events.reached = row;
  }
  if (key_row_) scroll_.show(*key_row_, rows_on_screen);
}

void TableView::draw_rows(const TableFrame& frame, const Rect& area, TableEvents& events) {
  ImGui::SetCursorScreenPos({area.x, area.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild("rows", {area.width, area.height}, false,
                    ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav |
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const Pen pen = pen_of(frame.theme);
  const float row_px = std::round(pen.px(kRowPx)), pad = pen.px(kPadPx);
  const Rect columns{area.x + pad, area.y, std::max(area.width - 2 * pad, 1.0f), area.height};
  const bool scrolls_sideways = content_px_ > columns.width;
  const float rows_px =
      std::max(area.height - (scrolls_sideways ? pen.px(TableScroll::kGroovePx) : 0), 1.0f);
  const double rows_on_screen = std::max(1.0, std::floor(static_cast<double>(rows_px / row_px)));
  if (const auto row = std::exchange(shown_row_, std::nullopt)) {
    scroll_.show(*row, rows_on_screen);
    key_row_ = row;
  }
  take_keys(frame, rows_on_screen, 4 * row_px, events);
  // Bars come first: they take presses before the rows below them do.
  scroll_.update(pen, {columns.x, area.y, right_of(area) - columns.x, area.height},
                 {frame.row_count, rows_on_screen, scrolls_sideways ? content_px_ + pad : 0});
  ImGui::PushClipRect({area.x, area.y}, {right_of(area), area.y + rows_px}, true);
  const double first_row = scroll_.first_row();
  const float lit_px = area.width - pen.px(TableScroll::kGroovePx);
  auto row = static_cast<std::uint64_t>(first_row);
  float y = area.y - std::round(static_cast<float>(first_row - std::floor(first_row)) * row_px);
  for (; row < frame.row_count && y < area.y + rows_px; ++row, y += row_px) {
    const Rect place{area.x, y, lit_px, row_px};
    const Press press = press_area(static_cast<std::size_t>(row), place);
    const bool current = frame.is_current && frame.is_current(row);
    if (current || press.hovered) fill(pen.list, place, pen.colours.raised);
    if (current) {
      fill(pen.list, {place.x, place.y, std::max(std::round(pen.px(2)), 1.0f), place.height},
           pen.colours.accent);
    }
    if (focused_ && key_row_ == row) draw_outline(pen, place);
    draw_row(pen, frame, row, place, columns, press.hovered);
    if (press.hovered) {
      events.hovered = row;
      const float x = ImGui::GetIO().MousePos.x - columns.x + scroll_.left_px();
      for (const PlacedColumn& placed : placed_) {
        if (x >= placed.x) events.pointed_column = placed.column;
      }
    }
    if (press.clicked) {
      key_row_ = events.clicked = row;
      looks_for_row_ = false;
    }
    if (press.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
      events.double_clicked = row;
    }
    if (press.right_clicked) events.right_clicked = row;
  }
  if (frame.row_count == 0) {
    draw_cut_text(pen.list, pen.words, columns.x, area.y + row_px / 2, columns.width,
                  pen.colours.dim, frame.note);
  }
  ImGui::PopClipRect();
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

TableEvents TableView::draw(const TableFrame& frame) {
  TableEvents events;
  const Pen pen = pen_of(frame.theme);
  ImGui::PushID("table");
  const Rect& area = frame.area;
  const float pad = pen.px(kPadPx);
  const Rect head{area.x + pad, area.y, std::max(area.width - 2 * pad, 1.0f),
                  std::round(pen.px(kRowPx))};
  place_columns(pen, frame, head.width);
  const float rows_y = bottom_of(head) + 1;
  const Rect rows{area.x, rows_y, area.width, bottom_of(area) - rows_y};
  if (rows.height > 0 && rows.width > 0) draw_rows(frame, rows, events);
  draw_head(pen, frame, head, events);  // after the rows, which scroll it
  horizontal_line(pen.list, area.x, right_of(area), bottom_of(head), pen.colours.line);
  ImGui::PopID();
  return events;
}

void draw_table_items(Actions& actions) {
  ImGui::Separator();
  if (ImGui::MenuItem("Copy the table")) run_command(actions, "copy-table");
  if (ImGui::MenuItem("Copy as Markdown")) run_command(actions, "copy-table", "markdown");
  if (ImGui::MenuItem("Save the table…")) run_command(actions, "save-table");
}

}  // namespace cinderscope
