#include "render/views/sql/sql_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "ingest/base/ascii.h"
#include "render/views/sql/sql_buttons.h"
#include "render/views/widgets/value_cells.h"

namespace cinderscope {
namespace {

constexpr float kToolsPx = 36, kPadPx = 12, kFilterPx = 150;
constexpr float kNarrowestPx = 44, kWidestTextPx = 260, kWidestPx = 200, kGapsPx = 18,
                kTextGapsPx = 30;
constexpr float kLeastPart = 0.85F;  // that a table leaves of widths where room is short
constexpr float kBarRoomPx = 48, kChipRoomPx = 18;
constexpr std::size_t kMeasuredRows = 200;

// How long the number is that a text ends with, behind a blank: "CrRendererMain 19064".
std::size_t id_at_end(std::string_view text) {
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[text.size() - 1 - digits])) ++digits;
  const bool behind_blank =
      digits > 0 && digits + 1 < text.size() && text[text.size() - 1 - digits] == ' ';
  return behind_blank ? digits : 0;
}

// The first ones, and those with the least and the largest number, which need most room.
std::vector<std::uint32_t> measured_rows(const ValueTable& values, const ValueColumn& column) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < std::min(values.row_count, kMeasuredRows); ++row) {
    rows.push_back(row);
  }
  if (column.numbers.empty()) return rows;
  const auto at = [&](auto found) {
    rows.push_back(static_cast<std::uint32_t>(found - column.numbers.begin()));
  };
  at(std::ranges::max_element(column.numbers));
  at(std::ranges::min_element(column.numbers, {}, [](std::int64_t number) {
    return number == kNoNumber ? std::numeric_limits<std::int64_t>::max() : number;
  }));
  return rows;
}

}  // namespace

TableCell SqlResults::cell(const SqlResultsFrame& frame, std::uint32_t row,
                           std::size_t column) const {
  const ValueTable& values = *frame.table->values;
  const ValueColumn& of = values.columns[column];
  TableCell cell;
  if (is_null(values, of, row)) {
    cell.text = "NULL";
    cell.dim = true;
    return cell;
  }
  if (of.head.kind == CellKind::duration) {
    // Each in its own unit: what is compared is the bar.
    cell.text = duration_text(of.numbers[row], frame.time_format.axis);
  } else {
    cell.text = cell_text(values, of, row, frame.time_format);
  }
  if (of.head.bar && of.largest > 0 && of.numbers[row] > 0) {
    cell.bar =
        static_cast<float>(static_cast<double>(of.numbers[row]) / static_cast<double>(of.largest));
  }
  if (of.head.kind == CellKind::text) cell.tail_bytes = id_at_end(cell.text);
  const auto& places = frame.table->places[column];
  if (row < places.size() && places[row].slice) {
    cell.chip = palette_of(frame.theme.kind, frame.theme.colour_blind).box(places[row].hash);
  }
  return cell;
}

void SqlResults::measure(const SqlResultsFrame& frame, const Pen& pen) {
  const ValueTable& values = *frame.table->values;
  if (measured_ == &values && measured_scale_ == frame.theme.scale &&
      measured_format_ == frame.time_format) {
    return;
  }
  measured_ = &values;
  measured_scale_ = frame.theme.scale;
  measured_format_ = frame.time_format;
  heads_.clear();
  bool grows = false;
  for (std::size_t i = 0; i < values.columns.size(); ++i) {
    TableColumn head = values.columns[i].head;
    const bool text = head.kind == CellKind::text;
    float most = 0;
    for (const std::uint32_t row : measured_rows(values, values.columns[i])) {
      const TableCell shown = cell(frame, row, i);
      const std::string_view all = std::string_view(shown.text).substr(0, 400);
      const std::size_t tail = all.size() == shown.text.size() ? shown.tail_bytes : 0;
      most = std::max(most,
                      text_width(text ? pen.words : pen.numbers, all.substr(0, all.size() - tail)) +
                          text_width(pen.numbers, all.substr(all.size() - tail)));
    }
    const bool reference = head.kind == CellKind::reference;
    most = most / frame.theme.scale + (text || reference ? kTextGapsPx : kGapsPx);
    if (head.bar) most += kBarRoomPx;
    if (!frame.table->places[i].empty()) most += kChipRoomPx;
    if (reference) most /= kLeastPart;  // a number that is cut says nothing
    head.width_px = std::clamp(most, kNarrowestPx, text ? kWidestTextPx : kWidestPx);
    // The last text takes what is to spare, so numbers stand together.
    head.grows = false;
    grows |= text;
    heads_.push_back(std::move(head));
  }
  if (!grows) return;
  const auto last =
      std::ranges::find(heads_.rbegin(), heads_.rend(), CellKind::text, &TableColumn::kind);
  last->grows = true;
}

void SqlResults::draw_tools(const SqlResultsFrame& frame, const Rect& line,
                            SqlResultsEvents& events, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  const float y = std::round(middle_y(line) - pen.px(13)), gap = pen.px(10);
  float right = right_of(line) - pen.px(kPadPx);
  const bool has_rows = frame.table != nullptr && !frame.rows.empty();
  const auto button = [&](const char* id, const SqlButton& of) {
    right -= sql_button_width(pen, of);
    const bool clicked = sql_button(pen, id, right, y, of);
    right -= gap;
    return clicked;
  };
  if (has_rows) {
    if (button("save", {"Save …", {}, "Save the rows as .csv, .tsv, .jsonl or .md"})) {
      run_command(actions, "save-table");
    }
    if (button("copy", {"Copy", {}, "Copy the rows"})) run_command(actions, "copy-table");
  }
  const auto box = [&](const char* id, std::string_view label, bool on, std::string_view help) {
    right -= check_box_width(pen, label);
    const bool clicked = check_box(pen, id, right, line, label, on, help);
    right -= pen.px(16);
    return clicked;
  };
  if (frame.can_show) {
    if (box("show", "Show in the timeline", frame.shown,
            "All other calls step back, as in a search")) {
      run_command(actions, "sql-show", frame.shown ? "off" : "on");
    }
  }
  const float left = line.x + pen.px(kPadPx);
  const float wanted = mixed_width(pen, frame.head) + pen.px(8);
  const float follow_px = check_box_width(pen, "Follow") + pen.px(16);
  if (has_rows && right - follow_px > left + wanted) {
    if (box("follow", "Follow", frame.follows,
            "The timeline goes to the row that the arrow keys reach; a query that asks for the "
            "view, the range or the selection runs again as these change")) {
      run_command(actions, "sql-follow", frame.follows ? "off" : "on");
    }
  }
  float x = left;
  const auto words = [&](std::string_view text, Rgba colour) {
    const float room = std::max(right - x, 0.0F);
    if (room > 1) x += draw_mixed(pen, x, middle_y(line), room, colour, text) + gap;
  };
  words(frame.head, pen.colours.text);
  if (frame.count > 1 && x + pen.px(90) < right) {
    const float side = pen.px(20);
    const auto step = [&](const char* id, std::string_view sign, std::size_t to, bool enabled) {
      const Rect rect{x, std::round(middle_y(line) - side / 2), side, side};
      if (icon_button(pen, id, rect,
                      {.icon = sign, .help = "Another result", .enabled = enabled})) {
        events.which = to;
      }
      x += side;
    };
    step("earlier", icon::kLeft, frame.which - 1, frame.which > 0);
    x += draw_text(pen.list, pen.numbers, x, middle_y(line), pen.colours.dim,
                   fmt::format("{} of {}", frame.which + 1, frame.count));
    step("later", icon::kRight, frame.which + 1, frame.which + 1 < frame.count);
    x += gap;
  }
  if (frame.filter_open || !frame.filter.empty()) {
    const float width = std::min(pen.px(kFilterPx), right - x);
    if (width > pen.px(60)) {
      const std::optional<std::string> typed =
          filter_field(pen, "##filter", "Filter", {x, y, width, pen.px(26)}, frame.filter);
      if (typed) run_command(actions, "sql-filter", *typed);
      x += width + gap;
    }
  }
  words(frame.head_dim, pen.colours.dim);
}

void SqlResults::draw_head_menu(const SqlResultsFrame& frame, Actions& actions) {
  constexpr const char* kId = "column menu";
  if (std::exchange(head_menu_asked_, false)) ImGui::OpenPopup(kId);
  const float scale = frame.theme.scale;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {12 * scale, 8 * scale});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {12 * scale, 7 * scale});
  const bool open = ImGui::BeginPopup(kId);
  menu_open_ |= open;
  if (open) {
    const std::size_t column = menu_column_;
    if (frame.table == nullptr || column >= frame.table->values->columns.size() || menu_closes_) {
      ImGui::CloseCurrentPopup();
    } else {
      const ValueTable& values = *frame.table->values;
      const std::string number = fmt::to_string(column + 1);
      const bool text = values.columns[column].head.kind == CellKind::text;
      for (const ShownAs shown :
           {ShownAs::time, ShownAs::duration, ShownAs::number, ShownAs::text}) {
        const std::string label = fmt::format("Show as {}", word_of(shown));
        const bool now = frame.table->shown[column] == shown;
        if (ImGui::MenuItem(label.c_str(), nullptr, now, !text)) {
          run_command(actions, "sql-column", fmt::format("{} {}", number, word_of(shown)));
        }
      }
      if (const auto summary = summary_of(values, column, frame.rows)) {
        ImGui::Separator();
        const bool lasts = frame.table->shown[column] == ShownAs::duration;
        const bool sums = frame.table->shown[column] != ShownAs::time;
        const auto value = [&](double of) {
          if (lasts) return duration_text(of, frame.time_format.axis);
          if (frame.table->shown[column] == ShownAs::time) {
            return timestamp_text(static_cast<std::int64_t>(of), frame.time_format);
          }
          return real_text(of);
        };
        const std::array<std::pair<const char*, double>, 7> lines = {{{"Sum", summary->sum},
                                                                      {"Mean", summary->mean},
                                                                      {"Smallest", summary->least},
                                                                      {"Median", summary->median},
                                                                      {"90 %", summary->p90},
                                                                      {"99 %", summary->p99},
                                                                      {"Largest", summary->most}}};
        for (const auto& [name, of] : lines) {
          if (!sums && (of == summary->sum && std::string_view(name) == "Sum")) continue;
          const std::string shown = value(of);
          if (ImGui::MenuItem(name, shown.c_str())) actions.push_back(CopyText{shown});
        }
      }
      ImGui::Separator();
      if (ImGui::MenuItem("Filter the rows")) run_command(actions, "sql-filter");
      draw_table_items(actions);
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

void SqlResults::draw_row_menu(const SqlResultsFrame& frame, Actions& actions) {
  constexpr const char* kId = "row menu";
  if (std::exchange(row_menu_asked_, false)) ImGui::OpenPopup(kId);
  const float scale = frame.theme.scale;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {12 * scale, 8 * scale});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {12 * scale, 7 * scale});
  const bool open = ImGui::BeginPopup(kId);
  menu_open_ |= open;
  if (open) {
    const bool there = frame.table != nullptr && menu_row_ < frame.table->values->row_count &&
                       menu_column_ < frame.table->values->columns.size();
    if (!there || menu_closes_) {
      ImGui::CloseCurrentPopup();
    } else {
      const ValueTable& values = *frame.table->values;
      if (ImGui::MenuItem("Go there"))
        run_command(actions, "sql-go", fmt::to_string(menu_row_ + 1));
      const std::string cell =
          cell_text(values, values.columns[menu_column_], menu_row_, frame.time_format);
      if (ImGui::MenuItem("Copy the cell")) actions.push_back(CopyText{cell});
      ImGui::Separator();
      if (ImGui::MenuItem("Add as a track…")) run_command(actions, "sql-track");
      draw_table_items(actions);
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

bool SqlResults::close_menu() {
  if (!menu_open_) return false;
  menu_closes_ = true;
  return true;
}

SqlResultsEvents SqlResults::draw(const SqlResultsFrame& frame, Actions& actions) {
  SqlResultsEvents events;
  const Pen pen = pen_of(frame.theme);
  ImGui::PushID("results");
  const float tools_px = std::round(pen.px(kToolsPx));
  const Rect line{frame.area.x, frame.area.y, frame.area.width, tools_px};
  draw_tools(frame, line, events, actions);
  const Rect below{frame.area.x, frame.area.y + tools_px, frame.area.width,
                   std::max(frame.area.height - tools_px, 0.0F)};
  if (frame.table == nullptr) {
    if (!frame.note.empty()) {
      draw_wrapped(pen, pen.words, below.x + pen.px(kPadPx), below.y + pen.px(6),
                   below.width - 2 * pen.px(kPadPx), pen.colours.dim, frame.note);
    }
    ImGui::PopID();
    return events;
  }
  measure(frame, pen);
  std::vector<const TableColumn*> heads;
  for (const TableColumn& head : heads_) heads.push_back(&head);
  const TableEvents table = table_.draw(
      {.theme = frame.theme,
       .area = below,
       .columns = std::move(heads),
       .row_count = frame.rows.size(),
       .cell = [&](std::uint64_t row,
                   std::size_t column) { return cell(frame, frame.rows[row], column); },
       .is_current = [&](std::uint64_t row) { return frame.is_current(frame.rows[row]); },
       .sorted_column = frame.sorted,
       .descending = frame.descending,
       .of_query = true,
       .dim = frame.dim,
       .note = frame.note});
  if (table.sort) run_command(actions, "sql-sort", fmt::to_string(*table.sort + 1));
  if (table.head_menu) {
    menu_column_ = *table.head_menu;
    head_menu_asked_ = true;
  }
  if (table.right_clicked) {
    menu_row_ = frame.rows[*table.right_clicked];
    menu_column_ = table.pointed_column;
    row_menu_asked_ = true;
  }
  events.column = table.pointed_column;
  if (table.clicked) events.chosen = frame.rows[*table.clicked];
  if (table.reached && frame.follows) events.chosen = frame.rows[*table.reached];
  if (table.opened()) events.opened = frame.rows[*table.opened()];
  menu_open_ = false;
  draw_head_menu(frame, actions);
  draw_row_menu(frame, actions);
  menu_closes_ = false;
  ImGui::PopID();
  return events;
}

}  // namespace cinderscope
