#include "render/views/panels/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "ingest/search/search_query.h"
#include "render/base/palette.h"
#include "render/text/label.h"
#include "render/text/time_text.h"
#include "render/views/widgets/choice.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

constexpr float kPadPx = 16;
constexpr float kBarPx = 36;
constexpr float kRowPx = 22;
constexpr float kControlPx = 24;
constexpr float kRadiusPx = 5;
constexpr float kChipPx = 9;
constexpr float kColumnPx = 86;
constexpr float kTotalPx = 170;       // with room for its bar
constexpr float kNarrowNamePx = 170;  // columns are left out before names get narrower
constexpr float kScrollBarPx = 8;
constexpr float kFilterPx = 180;
constexpr std::size_t kMostRows = 200'000;  // ImGui scrolls by floats, which end there

void run(Actions& actions, std::string_view name, std::string argument = {}) {
  actions.push_back(RunCommand{std::string(name), std::move(argument)});
}

std::string_view title_of(StatisticsColumn column) {
  switch (column) {
    case StatisticsColumn::name:
      return "Name";
    case StatisticsColumn::count:
      return "Count";
    case StatisticsColumn::total:
      return "Total";
    case StatisticsColumn::self:
      return "Self";
    case StatisticsColumn::mean:
      return "Mean";
    case StatisticsColumn::median:
      return "Median";
    case StatisticsColumn::min:
      return "Min";
    case StatisticsColumn::max:
      return "Max";
    case StatisticsColumn::share:
      return "Share";
    default:
      return key_of(column);
  }
}

std::string_view help_of(StatisticsColumn column) {
  switch (column) {
    case StatisticsColumn::name:
      return "What was called";
    case StatisticsColumn::count:
      return "How many calls; those inside calls of their own name count, too";
    case StatisticsColumn::total:
      return "Time during which a call of this name went on, over all threads; recursion once";
    case StatisticsColumn::self:
      return "Time in these calls that no call inside them covers";
    case StatisticsColumn::mean:
      return "Mean duration of a call";
    case StatisticsColumn::median:
      return "Half of the calls take at most this long";
    case StatisticsColumn::p90:
      return "90 % of the calls take at most this long";
    case StatisticsColumn::p99:
      return "99 % of the calls take at most this long";
    case StatisticsColumn::min:
      return "The shortest call";
    case StatisticsColumn::max:
      return "The longest call; a click on a row shows it";
    case StatisticsColumn::share:
      return "Total in percent of the time measured; with several threads it may exceed 100";
  }
  return {};
}

struct PlacedColumn {
  StatisticsColumn column;
  Rect cell;  // of the head
};

// All columns if there is room, else without the least important ones.
std::vector<PlacedColumn> place_columns(const Pen& pen, const Rect& head) {
  using enum StatisticsColumn;
  std::vector<StatisticsColumn> shown = {name, count, total, self, mean, median,
                                         p90,  p99,   min,   max,  share};
  const float column_px = std::round(pen.px(kColumnPx));
  const auto numbers_px = [&] { return column_px * static_cast<float>(shown.size() - 1); };
  const float spare_px = head.width - numbers_px() - 2 * pen.px(kNarrowNamePx);
  const float bar_px = std::round(std::clamp(spare_px, 0.0f, pen.px(kTotalPx) - column_px));
  for (const StatisticsColumn least : {min, mean, p90, median, share, p99, self, max, count}) {
    if (head.width - numbers_px() >= pen.px(kNarrowNamePx)) break;
    std::erase(shown, least);
  }
  std::vector<PlacedColumn> placed;
  float x = head.x;
  for (const StatisticsColumn column : shown) {
    float width = column == total ? column_px + bar_px : column_px;
    if (column == name) width = std::max(head.width - numbers_px() - bar_px, pen.px(40));
    placed.push_back({column, {x, head.y, width, head.height}});
    x += width;
  }
  return placed;
}

std::string cell_text(const StatisticsFrame& frame, const NameStatistics& name,
                      StatisticsColumn column) {
  const SliceStatistics& statistics = *frame.statistics;
  if (column == StatisticsColumn::count) return count_text(name.count);
  const bool is_rank = column == StatisticsColumn::median || column == StatisticsColumn::p90 ||
                       column == StatisticsColumn::p99;
  if (is_rank && !statistics.ranks_known) return "…";
  if (column == StatisticsColumn::share) {
    return fmt::format("{:.1f} %", share_percent(statistics, name));
  }
  return duration_text(number_in(statistics, name, column), frame.axis);
}

void draw_head(const Pen& pen, const StatisticsFrame& frame,
               const std::vector<PlacedColumn>& columns, Actions& actions) {
  for (const PlacedColumn& placed : columns) {
    const Rect& cell = placed.cell;
    const Press press = press_area(static_cast<std::size_t>(placed.column), cell);
    const bool sorts = frame.order.column == placed.column;
    const Rgba colour = sorts || press.hovered ? pen.colours.text : pen.colours.dim;
    const std::string_view title = title_of(placed.column);
    const std::string_view arrow = frame.order.descending ? "\uf0d7" : "\uf0d8";
    const float y = middle_y(cell), gap = pen.px(5);
    if (placed.column == StatisticsColumn::name) {
      const float x = cell.x + draw_text(pen.list, pen.words, cell.x, y, colour, title);
      if (sorts) draw_text(pen.list, pen.icons, x + gap, y, colour, arrow);
    } else {
      const float x = right_of(cell);
      const float width = draw_text(pen.list, pen.words, x, y, colour, title, Align::right);
      if (sorts) draw_text(pen.list, pen.icons, x - width - gap, y, colour, arrow, Align::right);
    }
    if (press.hovered) hint(pen, help_of(placed.column));
    if (press.clicked) run(actions, "sort-statistics", std::string(key_of(placed.column)));
  }
}

// Draws the choice of the scope; returns its right edge. In little room its words get shorter.
float draw_scopes(const Pen& pen, const StatisticsFrame& frame, float x, float y, float room_px,
                  Actions& actions) {
  constexpr std::array<StatisticsScope, 3> kScopes = {
      StatisticsScope::trace, StatisticsScope::range, StatisticsScope::thread};
  constexpr std::array kArguments = {"trace", "range", "thread"};
  std::array choices = {
      Choice{"Whole trace", "Measure the whole trace"},
      Choice{"Selected range",
             frame.has_range ? "Measure the selected range on all threads"
                             : "Select a range of time first: Shift+drag in the timeline",
             frame.has_range},
      Choice{"Thread",
             !frame.has_thread ? "Select a call first: its thread is measured"
             : frame.has_range ? "Measure the selected range on the thread of the selected call"
                               : "Measure the thread of the selected call",
             frame.has_thread}};
  if (choices_width(pen, choices) > room_px) {
    choices[0].label = "Trace";
    choices[1].label = "Range";
  }
  const auto* chosen = std::ranges::find(kScopes, frame.scope);
  const auto asked =
      draw_choices(pen, "scope", x, y, choices, static_cast<std::size_t>(chosen - kScopes.begin()));
  if (asked) run(actions, "scope", kArguments.at(*asked));
  return x + choices_width(pen, choices);
}

// Not drawn if it does not fit.
float draw_whole_switch(const Pen& pen, const StatisticsFrame& frame, float x, float y, float end_x,
                        Actions& actions) {
  constexpr std::string_view kLabel = "Count calls whole";
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
  if (press.clicked) run(actions, "whole-calls", frame.whole_calls ? "off" : "on");
  return right_of(rect);
}

void draw_filter(const Pen& pen, const StatisticsFrame& frame, const Rect& rect, Actions& actions) {
  std::array<char, 256> text{};
  frame.order.filter.copy(text.data(), text.size() - 1);
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {pen.px(8), std::max(0.0f, (rect.height - ImGui::GetFontSize()) / 2)});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, pen.px(kRadiusPx));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
  ImGui::SetNextItemWidth(rect.width);
  if (ImGui::InputTextWithHint("##filter names", "filter names", text.data(), text.size())) {
    run(actions, "filter-statistics", text.data());
  }
  ImGui::PopStyleVar(3);
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
  const std::string counts =
      fmt::format("{} {}, {} {}", names, statistics.names.size() == 1 ? "name" : "names",
                  count_text(statistics.call_count), statistics.call_count == 1 ? "call" : "calls");
  const float counts_px = text_width(pen.numbers, counts) + pen.px(16);
  float room = rect.width - counts_px;
  if (room < pen.px(kNarrowNamePx)) {
    room = rect.width;
  } else {
    draw_text(pen.list, pen.numbers, right_of(rect), y, pen.colours.dim, counts, Align::right);
  }
  draw_cut_text(pen.list, pen.words, rect.x, y, room, pen.colours.text, measured_text(frame));
}

void draw_row(const Pen& pen, const StatisticsFrame& frame, const NameStatistics& name,
              const std::vector<PlacedColumn>& columns, const Rect& row, bool hovered) {
  const bool dim = frame.working;
  const Rgba text_colour = dim ? pen.colours.dim : pen.colours.text;
  const bool selected = name.name == frame.selected;
  if (selected || hovered) {
    fill(pen.list, row, with_alpha(pen.colours.dim, selected ? 50 : 28));
  }
  const float y = middle_y(row);
  for (const PlacedColumn& placed : columns) {
    const Rect cell{placed.cell.x, row.y, placed.cell.width, row.height};
    if (placed.column == StatisticsColumn::name) {
      const Palette& palette = palette_of(pen.theme.kind, pen.theme.colour_blind);
      const float chip = std::round(pen.px(kChipPx));
      fill(pen.list, {cell.x, std::round(y - chip / 2), chip, chip},
           palette.box(frame.names->hash(name.name)));
      const float x = cell.x + chip + pen.px(8);
      const float room = right_of(cell) - pen.px(14) - x;
      const std::string text = label_text(*frame.names, name.name).substr(0, 4 * kMaxLabelBytes);
      draw_cut_text(pen.list, pen.words, x, y, room, text_colour, text);
      if (hovered && ImGui::GetIO().MousePos.x < right_of(cell)) whole_name_hint(pen, text, room);
      continue;
    }
    if (placed.column == StatisticsColumn::total) {
      const std::int64_t most_ns = frame.statistics->names.front().total_ns;
      const double part =
          most_ns > 0 ? static_cast<double>(name.total_ns) / static_cast<double>(most_ns) : 0;
      const float left = cell.x + pen.px(14), inner = right_of(cell) + pen.px(4) - left;
      fill(pen.list,
           {left, row.y + pen.px(4), std::round(inner * static_cast<float>(part)),
            row.height - pen.px(8)},
           with_alpha(pen.colours.dim, 56));
    }
    draw_text(pen.list, pen.numbers, right_of(cell), y, text_colour,
              cell_text(frame, name, placed.column), Align::right);
  }
}

void list_calls(const StatisticsFrame& frame, StringId name, Actions& actions) {
  run(actions, "search", search_text_for(frame.names->text(name)));
  run(actions, "panel", "search");
  // Searches for the calls that the row has counted.
  run(actions, "search-scope",
      frame.scope == StatisticsScope::trace   ? "trace"
      : frame.scope == StatisticsScope::range ? "range"
                                              : "thread");
}

}  // namespace

std::string measured_text(const StatisticsFrame& frame) {
  if (frame.statistics == nullptr) return {};
  const SliceStatistics& statistics = *frame.statistics;
  const bool range = statistics.query.scope.has_range();
  const std::string length = exact_text(statistics.length_ns(), frame.axis);
  std::string text;
  if (frame.thread.empty()) {
    text = range ? "Selected range of " + length + " on all threads"
                 : "Whole trace of " + length + " on all threads";
  } else {
    text = frame.thread + (range ? ", selected range of " : ", from its first call to its last ") +
           length;
  }
  if (range && statistics.query.whole_calls) text += ", calls counted whole";
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
  const float control_px = std::round(pen.px(kControlPx));
  const float control_y = std::round(middle_y(bar) - control_px / 2);
  const float buttons_px = 2 * (control_px + pen.px(4));
  float x =
      draw_scopes(pen, frame, bar.x, middle_y(bar), bar.width - buttons_px, actions) + pen.px(16);
  float end_x = right_of(bar);
  const auto button = [&](const char* id, std::string_view glyph, std::string_view help,
                          std::string_view command) {
    if (end_x - control_px < x) return;
    end_x -= control_px;
    if (icon_button(pen, id, {end_x, control_y, control_px, control_px},
                    {.icon = glyph, .help = help, .enabled = frame.statistics != nullptr})) {
      run(actions, command);
    }
    end_x -= pen.px(4);
  };
  button("save", "\uf0c7", "Save the table as CSV", "save-statistics");
  button("copy", icon::kCopy, "Copy the table", "copy-statistics");
  x = draw_whole_switch(pen, frame, x, control_y, end_x, actions) + pen.px(16);
  end_x -= pen.px(4);
  const float filter_px = std::min(std::round(pen.px(kFilterPx)), end_x - x);
  if (filter_px > pen.px(40)) {
    draw_filter(pen, frame, {end_x - filter_px, control_y, filter_px, control_px}, actions);
  }

  // Rows leave room for the scroll bar even without one, so that the heads stand above their
  // columns.
  const float table_px = std::max(bar.width, 1.0f);
  const Rect heading{bar.x, bottom_of(bar), table_px, std::round(pen.px(kRowPx))};
  draw_heading(pen, frame, heading);
  const Rect head{bar.x, bottom_of(heading), table_px, std::round(pen.px(kRowPx))};
  const std::vector<PlacedColumn> columns = place_columns(pen, head);
  draw_head(pen, frame, columns, actions);
  horizontal_line(pen.list, area.x, right_of(area), bottom_of(head), pen.colours.line);
  const float rows_y = bottom_of(head) + 1;
  const Rect rows{area.x, rows_y, area.width, bottom_of(area) - rows_y};
  if (frame.statistics != nullptr && rows.height > 0) {
    Column column(frame.theme, "rows", rows, pad - std::min(pad, pen.px(kScrollBarPx)));
    const std::size_t shown = std::min(frame.rows.size(), kMostRows);
    column.rows(shown, std::round(pen.px(kRowPx)), [&](std::size_t i, const Rect& row) {
      const NameStatistics& name = frame.statistics->names[frame.rows[i]];
      const Rect whole{area.x, row.y, area.width - pen.px(kScrollBarPx), row.height};
      const Press press = press_area(i, whole);
      draw_row(column.pen(), frame, name, columns, whole, press.hovered);
      if (press.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        list_calls(frame, name.name, actions);
      } else if (press.clicked && name.longest) {
        actions.push_back(RevealSlice{name.longest});
      }
      if (press.right_clicked) {
        menu_row_ = name;
        menu_asked_ = true;
      }
    });
    if (shown < frame.rows.size() || shown == 0) {
      const Rect note = column.row(std::round(pen.px(kRowPx)));
      const std::string text =
          shown == 0
              ? std::string(frame.statistics->names.empty() ? "No calls here"
                                                            : "No name contains the filter's text")
              : fmt::format("{} more: filter or sort to see them; a saved file has all",
                            count_text(frame.rows.size() - shown));
      draw_cut_text(column.pen().list, pen.words, bar.x, middle_y(note), bar.width, pen.colours.dim,
                    text);
    }
  }
  draw_menu(frame, actions);
  ImGui::PopID();
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
  menu_open_ = ImGui::BeginPopup("row menu");
  const bool closes = std::exchange(menu_closes_, false);
  if (menu_open_) {
    if (closes) ImGui::CloseCurrentPopup();
    const NameStatistics& name = menu_row_;
    if (ImGui::MenuItem("Show the longest call") && name.longest) {
      actions.push_back(RevealSlice{name.longest});
    }
    if (ImGui::MenuItem("List all calls in Search")) list_calls(frame, name.name, actions);
    if (ImGui::MenuItem("Copy the name")) {
      actions.push_back(CopyText{name_text(*frame.names, name.name)});
    }
    ImGui::Separator();
    if (ImGui::MenuItem("Copy the table")) run(actions, "copy-statistics");
    if (ImGui::MenuItem("Save the table as CSV")) run(actions, "save-statistics");
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace cinderscope
