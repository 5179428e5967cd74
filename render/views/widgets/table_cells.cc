// The head and the cells of a table.
#include <algorithm>
#include <array>
#include <cmath>

#include "render/views/widgets/table.h"

namespace cinderscope {

namespace {

constexpr float kGapPx = 14, kChipPx = 9;

// Stands at the left of its column.
bool is_text(const TableColumn& column) {
  return column.kind == CellKind::text || column.kind == CellKind::reference;
}

// The number on the empty side of the middle, so that bars can be compared over all rows.
void draw_split_bar(const Pen& pen, const Rect& area, const TableCell& cell, Rgba colour) {
  constexpr float kMiddle = 0.56F;  // numbers with a plus sign stand left of it, bars are short
  const float middle = std::round(area.x + area.width * kMiddle), gap = pen.px(7);
  const float share = *cell.split_bar;
  const float room = std::max((share > 0 ? right_of(area) - middle : middle - area.x) - gap, 1.0F);
  const float most = std::min(room, area.width * (1 - kMiddle));
  if (share != 0) {
    const float width = std::max(std::round(most * std::abs(share)), std::max(pen.px(1.5F), 1.0F));
    const float left = share > 0 ? middle : middle - width;
    fill(pen.list, {left, area.y + pen.px(4), width, area.height - pen.px(8)}, cell.split_colour);
  }
  if (share > 0) {
    draw_text(pen.list, pen.numbers, middle - gap, middle_y(area), colour, cell.text, Align::right);
  } else {
    draw_text(pen.list, pen.numbers, middle + gap, middle_y(area), colour, cell.text);
  }
}

// "CrRendererMain 19064"
void draw_with_tail(const Pen& pen, const Rect& area, Rgba colour, const TableCell& cell) {
  const std::string_view words =
      std::string_view(cell.text).substr(0, cell.text.size() - cell.tail_bytes);
  const std::string_view tail = std::string_view(cell.text).substr(words.size());
  const float tail_px = text_width(pen.numbers, tail), y = middle_y(area);
  const float words_px = std::min(text_width(pen.words, words), area.width - tail_px);
  if (words_px <= 0)
    return draw_cut_text(pen.list, pen.words, area.x, y, area.width, colour, words);
  draw_cut_text(pen.list, pen.words, area.x, y, words_px + 1, colour, words);
  draw_text(pen.list, pen.numbers, area.x + words_px, y, pen.colours.dim, tail);
}

void draw_check(const Pen& pen, float x, float y, bool on) {
  const float side = std::round(pen.px(12)), top = std::round(y - side / 2);
  pen.list.AddRect({x, top}, {x + side, top + side}, on ? pen.colours.text : pen.colours.dim,
                   pen.px(2));
  if (!on) return;
  const std::array<ImVec2, 3> tick = {ImVec2{x + side * 0.22F, top + side * 0.52F},
                                      ImVec2{x + side * 0.42F, top + side * 0.73F},
                                      ImVec2{x + side * 0.8F, top + side * 0.27F}};
  pen.list.AddPolyline(tick.data(), static_cast<int>(tick.size()), pen.colours.text, 0,
                       pen.px(1.5F));
}

}  // namespace

void TableView::draw_head(const Pen& pen, const TableFrame& frame, const Rect& area,
                          TableEvents& events) {
  const ImFont& font = frame.of_query ? pen.numbers : pen.words;
  ImGui::PushClipRect({area.x, area.y}, {right_of(area), bottom_of(area)}, true);
  for (const PlacedColumn& placed : placed_) {
    const TableColumn& column = *frame.columns[placed.column];
    const float x = area.x + placed.x - scroll_.left_px();
    const float left = std::max(x, area.x), right = std::min(x + placed.width, right_of(area));
    if (right <= left) continue;
    const Press press = press_area(placed.column, {left, area.y, right - left, area.height});
    const bool sorts = frame.sorted_column == placed.column;
    const Rgba colour = sorts || press.hovered ? pen.colours.text : pen.colours.dim;
    const std::string_view arrow = frame.descending ? "\uf0d7" : "\uf0d8";
    const float y = middle_y(area), gap = pen.px(5);
    if (is_text(column)) {
      const float text_x = x + (placed.x > 0 ? pen.px(kGapPx) : 0);
      const float end = text_x + draw_text(pen.list, font, text_x, y, colour, column.title);
      if (sorts) draw_text(pen.list, pen.icons, end + gap, y, colour, arrow);
    } else {
      const float end = x + placed.width;
      const float width = draw_text(pen.list, font, end, y, colour, column.title, Align::right);
      if (sorts) {
        draw_text(pen.list, pen.icons, end - width - gap, y, colour, arrow, Align::right);
      }
    }
    const std::string& help = column.help.empty() ? column.unit : column.help;
    if (press.hovered && !help.empty()) hint(pen, help);
    if (press.clicked) events.sort = placed.column;
    if (press.right_clicked) events.head_menu = placed.column;
  }
  ImGui::PopClipRect();
}

void TableView::draw_row(const Pen& pen, const TableFrame& frame, std::uint64_t row,
                         const Rect& place, const Rect& columns, bool hovered) {
  const float y = middle_y(place);
  const float mouse_x = ImGui::GetIO().MousePos.x;
  for (const PlacedColumn& placed : placed_) {
    const float x = columns.x + placed.x - scroll_.left_px(), end = x + placed.width;
    if (end < columns.x || x > right_of(columns)) continue;
    const TableCell cell = frame.cell(row, placed.column);
    Rgba colour = cell.colour == 0 ? pen.colours.text : cell.colour;
    if (frame.dim || cell.dim) colour = pen.colours.dim;
    if (cell.dot) {
      const float left = x + pen.px(kGapPx + 5), right = end - pen.px(5);
      const float dot_x = left + std::max(right - left, 0.0f) * *cell.dot;
      horizontal_line(pen.list, left, right, std::round(y), pen.colours.line);
      if (cell.hollow_dot) {
        pen.list.AddCircleFilled({dot_x, y}, pen.px(4), pen.colours.panel);
        pen.list.AddCircle({dot_x, y}, pen.px(4), pen.colours.dim, 0, pen.px(1.5F));
      } else {
        pen.list.AddCircleFilled({dot_x, y}, pen.px(4), pen.colours.text);
      }
      continue;
    }
    if (cell.check) {
      draw_check(pen, x + (placed.x > 0 ? pen.px(kGapPx) : 0), y, *cell.check);
      continue;
    }
    if (cell.split_bar) {
      draw_split_bar(pen,
                     {x + pen.px(kGapPx), place.y, placed.width - pen.px(kGapPx), place.height},
                     cell, colour);
      continue;
    }
    if (cell.bar > 0 && frame.of_query) {
      const float left = x + pen.px(kGapPx), room = end + pen.px(4) - left;
      const float width = std::round(room * cell.bar);
      fill(pen.list, {left + room - width, place.y + pen.px(3), width, place.height - pen.px(6)},
           pen.colours.line);
    } else if (cell.bar > 0) {
      const float left = x + pen.px(kGapPx), width = end + pen.px(4) - left;
      fill(pen.list,
           {left, place.y + pen.px(4), std::round(width * cell.bar), place.height - pen.px(8)},
           with_alpha(pen.colours.dim, 56));
    }
    if (!is_text(*frame.columns[placed.column])) {
      if (text_width(pen.numbers, cell.text) <= placed.width) {
        draw_text(pen.list, pen.numbers, end, y, colour, cell.text, Align::right);
      } else {
        draw_cut_text(pen.list, pen.numbers, x, y, placed.width, colour, cell.text);
      }
      continue;
    }
    float text_x = x + (placed.x > 0 ? pen.px(kGapPx) : 0);
    if (cell.chip != 0) {
      const float chip = std::round(pen.px(kChipPx));
      fill(pen.list, {text_x, std::round(y - chip / 2), chip, chip}, cell.chip);
      text_x += chip + pen.px(8);
    }
    const float room = std::max(end - pen.px(kGapPx) - text_x, 1.0f);
    if (frame.columns[placed.column]->kind == CellKind::reference) {
      draw_cut_text(pen.list, pen.numbers, text_x, y, room, colour, cell.text);
      continue;
    }
    if (cell.tail_bytes > 0) {
      draw_with_tail(pen, {text_x, place.y, room, place.height}, colour, cell);
      continue;
    }
    const auto draw = frame.columns[placed.column]->names ? draw_short_name : draw_cut_text;
    draw(pen.list, pen.words, text_x, y, room, colour, cell.text);
    if (hovered && mouse_x >= x && mouse_x < end) whole_name_hint(pen, cell.text, room);
  }
}

}  // namespace cinderscope
