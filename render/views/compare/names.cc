#include "render/views/compare/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/base/change_colours.h"
#include "render/base/palette.h"
#include "render/tables/change_text.h"
#include "render/text/time_text.h"
#include "render/views/widgets/choice.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

namespace {

constexpr float kToolsPx = 36, kPadPx = 12, kControlPx = 26, kFilterPx = 150, kLeastFilterPx = 70;
constexpr float kNumberGapPx = 16;  // between the longest number and the column before

struct MeasureChoice {
  Measure measure;
  std::string_view label, help;
};
constexpr std::array<MeasureChoice, 7> kMeasures = {{
    {Measure::self, "Self", "Time in its calls that no call below covers"},
    {Measure::total, "Total", "Time during which at least one call of it went on"},
    {Measure::mean, "Mean", "Mean duration of its calls"},
    {Measure::median, "Median", "Half of its calls take no longer"},
    {Measure::p90, "p90", "90 % of its calls take no longer"},
    {Measure::p99, "p99", "99 % of its calls take no longer"},
    {Measure::count, "Calls", "How many calls there are"},
}};

// Where rows will be once the numbers are there.
void draw_placeholders(const Pen& pen, const Rect& area) {
  constexpr float kRowPx = 22, kBarPx = 9;
  constexpr std::array<float, 6> kShares = {0.9F, 0.55F, 0.75F, 0.4F, 0.65F, 0.5F};
  const float pad = pen.px(kPadPx) + pen.px(4), width = std::max(area.width - 2 * pad, 1.0F);
  std::size_t row = 0;
  for (float y = area.y; y + pen.px(kRowPx) <= bottom_of(area); y += std::round(pen.px(kRowPx))) {
    const float share = kShares.at(row++ % kShares.size());
    const float top = std::round(y + pen.px(kRowPx - kBarPx) / 2),
                height = std::round(pen.px(kBarPx));
    fill(pen.list, {area.x + pad, top, std::round(width * 0.4F * share), height}, pen.colours.line);
    for (const float column : {0.55F, 0.7F, 0.85F}) {
      fill(pen.list,
           {std::round(area.x + pad + width * column), top, std::round(width * 0.1F * share),
            height},
           pen.colours.line);
    }
  }
}

}  // namespace

int direction_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::more:
    case Verdict::added:
      return 1;
    case Verdict::less:
    case Verdict::gone:
      return -1;
    default:
      return 0;
  }
}

void ComparedNamesView::draw_tools(const ComparedNamesFrame& frame, const Rect& bar,
                                   Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  const Comparison& comparison = *frame.comparison;
  const float y = middle_y(bar);
  float x = bar.x, end = right_of(bar);

  std::vector<Choice> measures;
  std::size_t measured = 0;
  const bool only_calls = frame.sides->warnings.time_against_events;
  for (std::size_t i = 0; i < kMeasures.size(); ++i) {
    if (kMeasures.at(i).measure == comparison.options.measure) measured = i;
    measures.push_back({kMeasures.at(i).label, kMeasures.at(i).help,
                        !only_calls || kMeasures.at(i).measure == Measure::count});
  }
  // The percentiles go first where there is little room.
  std::vector<std::string> filter_labels = {
      "All", fmt::format("More {}", count_text(comparison.count(Verdict::more))),
      fmt::format("Less {}", count_text(comparison.count(Verdict::less))),
      fmt::format("New, gone {}",
                  count_text(comparison.count(Verdict::added) + comparison.count(Verdict::gone)))};
  constexpr std::array<std::string_view, 4> kFilters = {"all", "more", "less", "new-gone"};
  const std::array<std::uint32_t, 4> bits = {0U, bit_of(Verdict::more), bit_of(Verdict::less),
                                             bit_of(Verdict::added) | bit_of(Verdict::gone)};
  std::vector<Choice> filters;
  for (const std::string& label : filter_labels) filters.push_back({label, ""});
  const float filters_px = choices_width(pen, filters);
  std::vector<std::size_t> shown(kMeasures.size());
  for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = i;
  const auto choices_of = [&](const std::vector<std::size_t>& which) {
    std::vector<Choice> out;
    for (const std::size_t i : which) out.push_back(measures[i]);
    return out;
  };
  const float needed = filters_px + pen.px(2 * 8 + kFilterPx);
  for (const std::size_t droppable : {std::size_t{4}, std::size_t{5}}) {
    if (choices_width(pen, choices_of(shown)) + needed <= bar.width) break;
    if (droppable != measured) std::erase(shown, droppable);
  }
  const std::vector<Choice> offered = choices_of(shown);
  const auto at = static_cast<std::size_t>(std::ranges::find(shown, measured) - shown.begin());
  if (const auto asked = draw_choices(pen, "measure", x, y, offered, at)) {
    run_command(actions, "compare-measure",
                std::string(word_of(kMeasures.at(shown[*asked]).measure)));
  }
  x += choices_width(pen, offered) + pen.px(8);

  const float control = std::round(pen.px(kControlPx));
  if (x + filters_px + pen.px(8 + kLeastFilterPx) <= end) {
    const auto found = std::ranges::find(bits, frame.order.wanted);
    const auto chosen =
        found == bits.end() ? filters.size() : static_cast<std::size_t>(found - bits.begin());
    if (const auto asked = draw_choices(pen, "verdicts", x, y, filters, chosen)) {
      run_command(actions, "compare-filter", std::string(kFilters.at(*asked)));
    }
    x += filters_px + pen.px(8);
  }
  const float filter_px = std::min(pen.px(kFilterPx), end - x);
  if (filter_px >= pen.px(kLeastFilterPx)) {
    const Rect field{end - filter_px, std::round(y - control / 2), filter_px, control};
    if (const auto typed =
            filter_field(pen, "##filter compared", "filter names", field, frame.order.filter)) {
      run_command(actions, "compare-text", quoted_argument(*typed));
    }
    end = field.x - pen.px(8);
  }
  const std::string least =
      value_text(comparison.min.value, value_unit(comparison, frame.sides->axis()));
  const float label_px = text_width(pen.words, "at least") + pen.px(6);
  const float least_px = label_px + text_width(pen.numbers, least) + pen.px(18);
  const Rect box{end - least_px, std::round(y - control / 2), least_px, control};
  if (box.x < x) return;
  const Press press = press_area("least", box);
  pen.list.AddRectFilled({box.x, box.y}, {right_of(box), bottom_of(box)},
                         press.hovered ? pen.colours.raised : pen.colours.background, pen.px(6));
  pen.list.AddRect({box.x, box.y}, {right_of(box), bottom_of(box)}, pen.colours.line, pen.px(6));
  draw_text(pen.list, pen.words, box.x + pen.px(9), y, pen.colours.dim, "at least");
  draw_text(pen.list, pen.numbers, box.x + pen.px(9) + label_px, y, pen.colours.text, least);
  if (press.hovered) {
    hint(pen, fmt::format("Names below that on both sides are neither tested nor shown: {} here",
                          count_text(comparison.count(Verdict::small))));
  }
  if (press.clicked) run_command(actions, "compare-min");
}

void ComparedNamesView::draw_table(const ComparedNamesFrame& frame, const Rect& area,
                                   Actions& actions) {
  const Comparison& comparison = *frame.comparison;
  const ComparedSides& sides = *frame.sides;
  const ChangeColours& change = change_colours(frame.theme.kind);
  const Palette& palette = palette_of(frame.theme.kind, frame.theme.colour_blind);
  std::vector<TableColumn> heads;
  heads.reserve(frame.fields.size());
  for (const ComparedField field : frame.fields)
    heads.push_back(compared_column(field, comparison));
  TableFrame shown{.theme = frame.theme, .area = area, .descending = frame.order.descending};
  const Pen pen = pen_of(frame.theme);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    if (frame.fields[i] == ComparedField::calls) {
      const float text_px = text_width(pen.numbers, frame.longest_calls) / frame.theme.scale;
      heads[i].width_px = std::max(heads[i].width_px, std::ceil(text_px) + kNumberGapPx);
    }
    shown.columns.push_back(&heads[i]);
    if (frame.fields[i] == frame.order.field) shown.sorted_column = i;
  }
  double largest = 0;
  for (const std::uint32_t row : frame.rows) {
    largest = std::max(largest, std::abs(comparison.rows[row].difference.value));
  }
  shown.row_count = frame.rows.size();
  shown.dim = frame.working;
  shown.note = frame.note;
  shown.cell = [&](std::uint64_t at, std::size_t column) {
    const ComparedRow& row = comparison.rows[frame.rows[at]];
    const ComparedField field = frame.fields[column];
    TableCell cell{.text = compared_cell(sides, comparison, row, field)};
    const int direction = direction_of(row.verdict);
    const bool dim = row.verdict == Verdict::unclear || row.verdict == Verdict::small;
    switch (field) {
      case ComparedField::name:
        cell.chip = palette.box(frame.hash_of ? frame.hash_of(row.name) : 0);
        break;
      case ComparedField::difference: {
        const double value = row.difference.value;
        cell.split_bar = largest > 0 ? static_cast<float>(value / largest) : 0.0F;
        cell.split_colour = frame.theme.colours.line;
        if (direction != 0) cell.split_colour = direction > 0 ? change.more[2] : change.less[2];
        break;
      }
      case ComparedField::change:
        if (direction != 0 && cell.text != "–") {
          cell.colour = change.text(direction > 0);
        } else {
          cell.dim = true;
        }
        break;
      case ComparedField::verdict:
        cell.dim = direction == 0;
        if (direction != 0) cell.colour = change.text(direction > 0);
        if (row.verdict == Verdict::more) cell.text += " ▲";
        if (row.verdict == Verdict::less) cell.text += " ▼";
        break;
      case ComparedField::interval:
        cell.dim = true;
        break;
      default:
        cell.dim = cell.text == "–";
        break;
    }
    if (dim && field != ComparedField::difference) cell.dim = true;
    return cell;
  };
  const auto name_of = [&](std::uint64_t at) -> const std::string& {
    return sides.names.names[comparison.rows[frame.rows[at]].name].text;
  };
  shown.is_current = [&](std::uint64_t at) {
    return !frame.selected.empty() && name_of(at) == frame.selected;
  };
  const TableEvents events = table_.draw(shown);
  if (events.sort) {
    run_command(actions, "compare-sort", std::string(key_of(frame.fields[*events.sort])));
  }
  if (events.head_menu) columns_asked_ = true;
  if (events.hovered) {
    const std::string help = compared_row_help(sides, comparison.rows[frame.rows[*events.hovered]]);
    if (!help.empty()) hint(pen_of(frame.theme), help);
  }
  if (const auto opened = events.opened()) {
    run_command(actions, "compare-select", name_of(*opened));
    run_command(actions, "compare-go", "longest");
  } else if (const auto chosen = events.chosen()) {
    run_command(actions, "compare-select", name_of(*chosen));
  }
  if (events.right_clicked) {
    menu_name_ = name_of(*events.right_clicked);
    menu_asked_ = true;
    run_command(actions, "compare-select", menu_name_);
  }
}

bool ComparedNamesView::close_menu() {
  menu_closes_ = menu_open_;
  return menu_open_;
}

void ComparedNamesView::draw_menu(const ComparedNamesFrame& frame, Actions& actions) {
  if (std::exchange(menu_asked_, false)) ImGui::OpenPopup("compared name");
  const Theme& theme = frame.theme;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(12), theme.px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {theme.px(12), theme.px(7)});
  menu_open_ = ImGui::BeginPopup("compared name");
  if (menu_open_) {
    if (std::exchange(menu_closes_, false)) ImGui::CloseCurrentPopup();
    const auto offer = [&](const char* label, const char* command, std::string argument) {
      if (ImGui::MenuItem(label)) run_command(actions, command, std::move(argument));
    };
    offer("Longest call of each side", "compare-go", "longest");
    offer("p99", "compare-go", "p99");
    offer("Median", "compare-go", "median");
    offer("Shortest", "compare-go", "shortest");
    ImGui::Separator();
    offer("Longest in A", "compare-go", "longest a");
    offer("Longest in B", "compare-go", "longest b");
    ImGui::Separator();
    offer("Line up by its calls", "line-up", "call " + quoted_argument(menu_name_));
    if (ImGui::MenuItem("Show in the flame graph")) {
      run_command(actions, "compare-select", menu_name_);
      run_command(actions, "panel", "flame-graph");
    }
    if (ImGui::MenuItem("Only its callers")) {
      run_command(actions, "panel", "flame-graph");
      run_command(actions, "flame-graph", "function " + quoted_argument(menu_name_));
    }
    offer("Ignore this name", "compare-ignore", menu_name_);
    offer("Search", "search", quoted_argument(menu_name_));
    ImGui::Separator();
    if (ImGui::MenuItem("Copy the name")) actions.push_back(CopyText{menu_name_});
    offer("Copy the row", "copy-comparison", "row");
    draw_table_items(actions);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

void ComparedNamesView::draw_columns_menu(const ComparedNamesFrame& frame, Actions& actions) {
  if (std::exchange(columns_asked_, false)) ImGui::OpenPopup("compared columns");
  const Theme& theme = frame.theme;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(12), theme.px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {theme.px(12), theme.px(5)});
  if (ImGui::BeginPopup("compared columns")) {
    for (std::size_t i = 1; i < kComparedFields; ++i) {
      const auto field = static_cast<ComparedField>(i);
      const bool on = std::ranges::find(frame.fields, field) != frame.fields.end();
      const std::string title = compared_column(field, *frame.comparison).title;
      if (ImGui::MenuItem(title.c_str(), nullptr, on)) {
        run_command(actions, "compare-column", std::string(key_of(field)));
      }
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

void ComparedNamesView::draw(const ComparedNamesFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  fill(pen.list, area, pen.colours.panel);
  ImGui::PushID("compared names");
  if (frame.comparison == nullptr || frame.sides == nullptr) {
    draw_wrapped(pen, pen.words, area.x + pen.px(16), area.y + pen.px(14),
                 std::max(area.width - pen.px(32), 1.0F), pen.colours.dim, frame.note);
    const float top = area.y + pen.px(kToolsPx);
    if (frame.working) {
      draw_placeholders(pen, {area.x, top, area.width, std::max(bottom_of(area) - top, 0.0F)});
    }
    ImGui::PopID();
    return;
  }
  const Rect bar{area.x + pen.px(kPadPx), area.y, std::max(area.width - pen.px(2 * kPadPx), 1.0F),
                 std::round(pen.px(kToolsPx))};
  draw_tools(frame, bar, actions);
  draw_table(frame, {area.x, bottom_of(bar), area.width, bottom_of(area) - bottom_of(bar)},
             actions);
  draw_menu(frame, actions);
  draw_columns_menu(frame, actions);
  ImGui::PopID();
}

}  // namespace cinderscope
