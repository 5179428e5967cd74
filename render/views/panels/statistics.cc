#include "render/views/panels/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "ingest/base/utf8.h"
#include "ingest/search/search_query.h"
#include "render/base/palette.h"
#include "render/views/widgets/choice.h"
#include "render/views/widgets/value_cells.h"

namespace cinderscope {
namespace {

constexpr float kPadPx = 16, kBarPx = 36, kHeadingPx = 22, kControlPx = 24, kFilterPx = 180;
constexpr float kLeastHeadingPx = 170;  // counts are left out before it gets narrower

// Draws the choice of the scope; returns its right edge. In little room its words get shorter.
float draw_scopes(const Pen& pen, const StatisticsFrame& frame, float x, float y, float room_px,
                  Actions& actions) {
  const bool has_range = frame.scopes.range;
  std::vector<Choice> choices = scope_choices(
      {"Measure the whole trace",
       has_range ? "Measure the selected range on all threads"
                 : "Select a range of time first: Shift+drag in the timeline",
       !frame.scopes.thread       ? "Select a call first: its thread is measured"
       : frame.scopes.threads > 1 ? "Measure the selected threads"
       : has_range                ? "Measure the selected range on the thread of the selected call"
                                  : "Measure the thread of the selected call",
       frame.scopes.call ? "Measure what flows lead to from the selected call and what leads to it"
                         : "Select a call first: what flows connect with it is measured"},
      frame.scopes);
  if (choices_width(pen, choices) > room_px) {
    choices[0].label = "Trace";
    choices[1].label = "Range";
  }
  const auto asked =
      draw_choices(pen, "scope", x, y, choices, static_cast<std::size_t>(frame.scope));
  if (asked) run_command(actions, "scope", std::string(word_of(static_cast<ScopeChoice>(*asked))));
  return x + choices_width(pen, choices);
}

// Not drawn if it does not fit.
float draw_whole_switch(const Pen& pen, const StatisticsFrame& frame, float x, float y, float end_x,
                        Actions& actions) {
  constexpr std::string_view kLabel = "Include whole calls at range edges";
  const float height = std::round(pen.px(kControlPx)), box = std::round(pen.px(12));
  const float width = box + pen.px(7) + text_width(pen.words, kLabel);
  const Rect rect{x, y, std::round(width), height};
  if (right_of(rect) > end_x) return x;
  const Press press = press_area("whole", rect);
  const Rgba colour = frame.whole_calls || press.hovered ? pen.colours.text : pen.colours.dim;
  const float top = std::round(middle_y(rect) - box / 2);
  pen.list.AddRect({x, top}, {x + box, top + box}, colour, pen.px(2));
  if (frame.whole_calls) {
    const float inner = std::round(pen.px(3));
    fill(pen.list, {x + inner, top + inner, box - 2 * inner, box - 2 * inner}, colour);
  }
  draw_text(pen.list, pen.words, x + box + pen.px(7), middle_y(rect), colour, kLabel);
  if (press.hovered) {
    hint(pen,
         "Calls that reach over the edges of the range count with all of their time, not only "
         "with what lies inside");
  }
  if (press.clicked) run_command(actions, "whole-calls", frame.whole_calls ? "off" : "on");
  return right_of(rect);
}

// Words dim, numbers in the font of numbers; parts that do not fit are left out at the end.
void draw_heading(const Pen& pen, const StatisticsFrame& frame, const Rect& rect) {
  const float y = middle_y(rect);
  if (frame.statistics == nullptr) {
    draw_text(pen.list, pen.words, rect.x, y, pen.colours.dim,
              frame.working ? "Adding up the calls" : "");
    return;
  }
  const SliceStatistics& statistics = *frame.statistics;
  std::string names = count_text(statistics.names.size());
  if (frame.rows.size() != statistics.names.size()) {
    names = count_text(frame.rows.size()) + " of " + names;
  }
  const std::string counts = fmt::format(
      "{} {}, {}", names, statistics.names.size() == 1 ? "name" : "names",
      counted_text(statistics.call_count, statistics.query.scope.slices, frame.of_runs));
  const float counts_px = text_width(pen.numbers, counts) + pen.px(16);
  float room = rect.width - counts_px;
  if (room < pen.px(kLeastHeadingPx)) {
    room = rect.width;
  } else {
    draw_text(pen.list, pen.numbers, right_of(rect), y, pen.colours.dim, counts, Align::right);
  }
  draw_cut_text(pen.list, pen.words, rect.x, y, room, pen.colours.text, measured_text(frame));
}

void draw_bar(const Pen& pen, const StatisticsFrame& frame, const Rect& bar, Actions& actions) {
  const float control_px = std::round(pen.px(kControlPx));
  const float control_y = std::round(middle_y(bar) - control_px / 2);
  const float buttons_px = 2 * (control_px + pen.px(4));
  float x =
      draw_scopes(pen, frame, bar.x, middle_y(bar), bar.width - buttons_px, actions) + pen.px(16);
  float end_x = right_of(bar);
  x = draw_slices_choice(pen, frame.slices, x, middle_y(bar), end_x - buttons_px, actions);
  const auto button = [&](const char* id, std::string_view glyph, std::string_view help,
                          std::string_view command) {
    if (end_x - control_px < x) return;
    end_x -= control_px;
    if (icon_button(pen, id, {end_x, control_y, control_px, control_px},
                    {.icon = glyph, .help = help, .enabled = frame.statistics != nullptr})) {
      run_command(actions, command);
    }
    end_x -= pen.px(4);
  };
  button("save", icon::kSave, "Save the table…", "save-statistics");
  button("copy", icon::kCopy, "Copy the table", "copy-statistics");
  x = draw_whole_switch(pen, frame, x, control_y, end_x, actions) + pen.px(16);
  end_x -= pen.px(4);
  const float filter_px = std::min(std::round(pen.px(kFilterPx)), end_x - x);
  if (filter_px <= pen.px(40)) return;
  const auto typed =
      filter_field(pen, "##filter names", "filter names",
                   {end_x - filter_px, control_y, filter_px, control_px}, frame.order.filter);
  if (typed) run_command(actions, "filter-statistics", quoted_argument(*typed));
}

constexpr std::size_t kNameColumn = 0;

StringId name_of_row(const ValueTable& table, std::uint32_t row) {
  return table.columns[kNameColumn].texts[row];
}

void list_calls(const StatisticsFrame& frame, StringId name, Actions& actions) {
  run_command(actions, "search", search_text_for(frame.table->strings->text(name)));
  run_command(actions, "panel", "search");
  // Searches for the calls that the row has counted.
  run_command(actions, "search-scope", std::string(word_of(frame.scope)));
}

}  // namespace

std::string measured_text(const StatisticsFrame& frame) {
  if (frame.statistics == nullptr) return {};
  const SliceStatistics& statistics = *frame.statistics;
  const bool range = statistics.query.scope.has_range();
  const std::string length = exact_length_text(statistics.length_ns(), frame.time_format.axis);
  std::string text;
  if (statistics.query.scope.has_set()) {
    text = "Connected with " + frame.connected_with +
           (range ? ", selected range of " : ", from the first call to the last ") + length;
  } else if (frame.thread.empty()) {
    text = range ? "Selected range of " + length + " on all threads"
                 : "All threads, " + length + " from the first call to the last";
  } else {
    text = frame.thread + (range ? ", selected range of " : ", from its first call to its last ") +
           length;
  }
  if (range && statistics.query.whole_calls) text += ", whole calls included";
  return text;
}

void StatisticsView::draw(const StatisticsFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  fill(pen.list, area, pen.colours.panel);
  ImGui::PushID("statistics");
  const float pad = pen.px(kPadPx);
  const Rect bar{area.x + pad, area.y, std::max(area.width - 2 * pad, 1.0f),
                 std::round(pen.px(kBarPx))};
  draw_bar(pen, frame, bar, actions);
  const Rect heading{bar.x, bottom_of(bar), bar.width, std::round(pen.px(kHeadingPx))};
  draw_heading(pen, frame, heading);
  draw_table(frame, {area.x, bottom_of(heading), area.width, bottom_of(area) - bottom_of(heading)},
             actions);
  draw_menu(frame, actions);
  ImGui::PopID();
}

void StatisticsView::draw_table(const StatisticsFrame& frame, const Rect& area, Actions& actions) {
  TableFrame shown{.theme = frame.theme,
                   .area = area,
                   .sorted_column = frame.order.column,
                   .descending = frame.order.descending,
                   .dim = frame.working};
  const auto columns = statistics_columns();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    shown.columns.push_back(frame.table != nullptr ? &frame.table->columns[i].head
                                                   : &columns[i].head);
  }
  if (frame.table != nullptr) {
    const ValueTable& table = *frame.table;
    const Palette& palette = palette_of(frame.theme.kind, frame.theme.colour_blind);
    shown.row_count = frame.rows.size();
    shown.note = table.row_count == 0 ? "No calls here" : "No name contains the filter's text";
    shown.cell = [&](std::uint64_t row, std::size_t column) {
      TableCell cell = cell_of(table, column, frame.rows[row], frame.time_format);
      if (column == kNameColumn) {
        cell.chip = palette.box(table.strings->hash(name_of_row(table, frame.rows[row])));
      }
      return cell;
    };
    shown.is_current = [&](std::uint64_t row) {
      return name_of_row(table, frame.rows[row]) == frame.selected;
    };
  }
  const TableEvents events = table_.draw(shown);
  if (events.sort) {
    run_command(actions, "sort-statistics", statistics_columns()[*events.sort].head.key);
  }
  const auto row_of = [&](std::uint64_t row) {
    return Row{name_of_row(*frame.table, frame.rows[row]), frame.table->slices[frame.rows[row]]};
  };
  if (const auto row = events.opened()) {
    list_calls(frame, row_of(*row).name, actions);
  } else if (const auto shown_row = events.chosen(); shown_row && row_of(*shown_row).longest) {
    actions.push_back(RevealSlice{row_of(*shown_row).longest});
  }
  if (events.right_clicked) {
    menu_row_ = row_of(*events.right_clicked);
    menu_asked_ = true;
  }
}

bool StatisticsView::close_menu() {
  menu_closes_ = menu_open_;
  return menu_open_;
}

void StatisticsView::draw_menu(const StatisticsFrame& frame, Actions& actions) {
  if (std::exchange(menu_asked_, false)) ImGui::OpenPopup("row menu");
  const Theme& theme = frame.theme;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(12), theme.px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {theme.px(12), theme.px(7)});
  menu_open_ = frame.table != nullptr && ImGui::BeginPopup("row menu");
  const bool closes = std::exchange(menu_closes_, false);
  if (menu_open_) {
    if (closes) ImGui::CloseCurrentPopup();
    if (ImGui::MenuItem("Show the longest call") && menu_row_.longest) {
      actions.push_back(RevealSlice{menu_row_.longest});
    }
    if (ImGui::MenuItem("List all calls in Search")) list_calls(frame, menu_row_.name, actions);
    if (ImGui::MenuItem("Copy the name")) {
      const std::string_view name = frame.table->strings->text(menu_row_.name);
      const std::string& nameless = statistics_columns()[kNameColumn].head.if_empty;
      actions.push_back(CopyText{name.empty() ? nameless : valid_utf8(name)});
    }
    draw_table_items(actions);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace cinderscope
