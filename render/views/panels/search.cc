#include "render/views/panels/search.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/views/widgets/choice.h"
#include "render/views/widgets/table.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

constexpr float kBarPx = 36, kRowPx = 22, kPadPx = 16;
constexpr std::size_t kMostNameBytes = 2'000;

struct Example {
  std::string_view text, meaning;
};
constexpr std::array<Example, 8> kExamples = {
    {{"parse", "name or arguments contain it, in upper or lower case"},
     {"\"a b:c\"", "exactly these characters, in any case"},
     {"=\"main\"", "calls of exactly this name"},
     {"/^step \\d+$/i", "a regular expression; i ignores case"},
     {"url:example", "an argument whose value contains it; -url:example none has"},
     {"size:>4096  n:1..9", "an argument that is a number"},
     {"dur:>5ms  dur:1us..20us", "how long the call took"},
     {"thread:main  process:gpu  cat:net", "where it ran, its category"}}};

constexpr std::size_t kNameColumn = 0, kBeginColumn = 1, kDurationColumn = 2;

// Name, begin, duration and thread.
std::array<TableColumn, 4> columns_of(const SearchViewFrame& frame) {
  std::array<TableColumn, 4> columns = {{
      {.title = "Name", .width_px = 180, .grows = true, .names = true},
      {.title = "Begin", .kind = CellKind::timestamp, .width_px = 166, .importance = 2},
      {.title = "Duration", .kind = CellKind::duration, .width_px = 126, .importance = 3},
      {.title = "Thread", .width_px = 234, .importance = 1},
  }};
  for (TableColumn& column : columns) {
    column.help = frame.sortable ? "Sort by this column; click again to reverse"
                                 : "Too many matches to sort: they are listed thread by thread";
  }
  return columns;
}

void draw_bar(const Pen& pen, const SearchViewFrame& frame, const Rect& area,
              SearchViewEvents& events, Actions& actions) {
  const bool in_thread = frame.scope == ScopeChoice::thread && !frame.scope_name.empty();
  const bool connected = frame.scope == ScopeChoice::connected;
  const std::vector<Choice> scopes = scope_choices(
      {"Search everything", "Search only calls that touch the selected range",
       in_thread                  ? std::string_view(frame.scope_name)
       : frame.scopes.threads > 1 ? "Search only the selected threads"
                                  : "Search only the thread of the selected call",
       connected ? std::string_view(frame.scope_name)
                 : "Search only what flows lead to from the selected call and what leads to it"},
      frame.scopes);
  float x = area.x + pen.px(kPadPx);
  const float y = middle_y(area);
  const auto asked =
      draw_choices(pen, "scope", x, y, scopes, static_cast<std::size_t>(frame.scope));
  const auto scope = static_cast<ScopeChoice>(asked.value_or(0));
  // The selection, whose thread it is, may have changed meanwhile.
  if (asked && (scope != frame.scope || in_thread || connected)) events.scope = scope;
  x += choices_width(pen, scopes);
  float end = right_of(area) - pen.px(kPadPx);
  if (frame.line_count > 0) {
    constexpr std::string_view kCopy = "Copy all";
    const float width = text_width(pen.words, kCopy) + pen.px(12);
    const Rect rect{end - width, std::round(y - pen.px(11)), width, pen.px(22)};
    const Press press = press_area("copy", rect);
    draw_text(pen.list, pen.words, rect.x + pen.px(6), y,
              press.hovered ? pen.colours.text : pen.colours.dim, kCopy);
    if (press.hovered) hint(pen, "Copies the table as tab-separated text");
    if (press.clicked) run_command(actions, "copy-table");
    end = rect.x - pen.px(10);
  }
  x += pen.px(14);
  x = draw_slices_choice(pen, frame.slices, x, y, end, actions);
  for (const std::string& note : frame.notes) {
    if (end - x < pen.px(24)) break;
    draw_cut_text(pen.list, pen.words, x, y, end - x, pen.colours.dim, note);
    x += text_width(pen.words, note) + pen.px(18);
  }
  horizontal_line(pen.list, area.x, right_of(area), bottom_of(area) - 1, pen.colours.line);
}

void draw_empty(const Pen& pen, const SearchViewFrame& frame, const Rect& area) {
  const float line = pen.px(kRowPx), x = area.x + pen.px(kPadPx);
  const float width = area.width - 2 * pen.px(kPadPx);
  float y = area.y + pen.px(8) + line / 2;
  draw_cut_text(pen.list, pen.words, x, y, width, pen.colours.text, frame.message);
  if (!frame.shows_examples) return;
  const float column = std::min(pen.px(270), width * 0.45f);
  y += pen.px(6);
  for (const Example& example : kExamples) {
    y += line;
    if (y + line / 2 > bottom_of(area)) return;
    draw_cut_text(pen.list, pen.numbers, x, y, column - pen.px(12), pen.colours.text, example.text);
    draw_cut_text(pen.list, pen.words, x + column, y, width - column, pen.colours.dim,
                  example.meaning);
  }
}

}  // namespace

void SearchView::draw_table(const SearchViewFrame& frame, const Rect& area,
                            SearchViewEvents& events, Actions& actions) {
  const std::array<TableColumn, 4> columns = columns_of(frame);
  std::optional<std::uint64_t> read;  // the row of `line`
  SearchLine line;
  TableFrame shown{.theme = frame.theme, .area = area, .row_count = frame.line_count};
  for (const TableColumn& column : columns) shown.columns.push_back(&column);
  shown.cell = [&](std::uint64_t row, std::size_t column) -> TableCell {
    if (read != row) line = frame.line(row);
    read = row;
    switch (column) {
      case kNameColumn:
        return {.text = std::string(line.name.substr(0, kMostNameBytes)), .chip = line.colour};
      case kBeginColumn:
        return {.text = line.begin, .dim = true};
      case kDurationColumn:
        return {.text = line.duration};
      default:
        return {.text = line.thread, .dim = true};
    }
  };
  shown.is_current = [&](std::uint64_t row) { return frame.current == row; };
  if (frame.sortable) shown.sorted_column = frame.sorted_column;
  shown.descending = frame.descending;
  // Scrolls to the selected match when it changes, not when the user has scrolled away.
  if (frame.current && frame.follow != followed_) {
    followed_ = frame.follow;
    table_.show_row(*frame.current);
  }
  const TableEvents table = table_.draw(shown);
  events.sort = table.sort;
  events.clicked = table.chosen();
  events.zoomed = table.opened();
  if (table.right_clicked) {
    menu_line_ = *table.right_clicked;
    ImGui::OpenPopup("line menu");
  }
  draw_menu(frame.theme, events, actions);
}

void SearchView::draw_menu(const Theme& theme, SearchViewEvents& events, Actions& actions) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(12), theme.px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {theme.px(12), theme.px(7)});
  if (ImGui::BeginPopup("line menu")) {
    if (ImGui::MenuItem("Copy the name")) events.copied_name = menu_line_;
    if (ImGui::MenuItem("Copy this line")) events.copied_line = menu_line_;
    draw_table_items(actions);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

SearchViewEvents SearchView::draw(const SearchViewFrame& frame, Actions& actions) {
  SearchViewEvents events;
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  fill(pen.list, area, pen.colours.panel);
  ImGui::PushID("search");
  const float bar = std::round(pen.px(kBarPx));
  draw_bar(pen, frame, {area.x, area.y, area.width, bar}, events, actions);
  const Rect below{area.x, area.y + bar, area.width, std::max(area.height - bar, 0.0f)};
  if (frame.line_count == 0) {
    table_ = {};  // what is found next is seen from its first line
    draw_empty(pen, frame, below);
  } else {
    draw_table(frame, below, events, actions);
  }
  ImGui::PopID();
  return events;
}

}  // namespace cinderscope
