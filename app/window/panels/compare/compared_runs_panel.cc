#include "app/window/panels/compare/compared_runs_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "app/window/comparison/compare_page.h"
#include "app/window/tab.h"
#include "ingest/base/saturating.h"
#include "render/tables/change_text.h"
#include "render/text/file_name.h"
#include "render/text/time_text.h"
#include "render/views/widgets/side_chip.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

namespace {

constexpr float kToolsPx = 36, kRunsPadPx = 12;
constexpr double kFarDeviations = 3;
constexpr std::size_t kFewestToDiffer = 4;  // of fewer none is said to differ from the others

struct Row {
  Side side = side_a;
  std::size_t run = 0;                    // in the source's paths
  const MeasuredRun* measured = nullptr;  // null: left out, unread or still to come
  std::string problem;
  double value = NAN;  // of the selected name
  bool differs = false;
};

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// Marks those that are further from the median than three median deviations.
void mark_far(std::vector<Row>& rows, Side side) {
  std::vector<double> values;
  for (const Row& row : rows) {
    if (row.side == side && std::isfinite(row.value)) values.push_back(row.value);
  }
  if (values.size() < kFewestToDiffer) return;
  const double median = median_of(values);
  for (double& value : values) value = std::abs(value - median);
  const double deviation = median_of(values);
  for (Row& row : rows) {
    const bool known = row.side == side && std::isfinite(row.value);
    row.differs =
        known && deviation > 0 && std::abs(row.value - median) > kFarDeviations * deviation;
  }
}

std::vector<Row> rows_of(const ComparePage& page) {
  std::vector<Row> rows;
  const CompareAnswers& answers = page.answers;
  const ComparedSides* sides = answers.sides();
  const auto name = page.selected_name();
  for (const Side side : {side_a, side_b}) {
    const CompareSource& source = answers.sources()[side];
    std::vector<double> values;
    if (sides != nullptr && name && answers.comparison() != nullptr) {
      values = run_values(*sides, *answers.comparison(), side, *name);
    }
    for (std::size_t i = 0; i < source.runs.size(); ++i) {
      const CompareRun& of = source.runs[i];
      Row row{.side = side, .run = i, .problem = of.problem};
      if (of.left_out) row.problem = "left out";
      if (sides != nullptr) {
        for (std::size_t k = 0; k < sides->runs[side].size(); ++k) {
          const MeasuredRun& run = *sides->runs[side][k].run;
          const MeasuredRun* known =
              i == 0 ? answers.shown_runs()[side].measured.get() : of.saved.get();
          const bool is_it = known != nullptr ? &run == known : run.path == of.path;
          if (!is_it) continue;
          row.measured = &run;
          if (k < values.size()) row.value = values[k];
        }
        for (const LeftOutRun& left : sides->left_out[side]) {
          if (left.path == of.path) row.problem = left.error;
        }
      }
      rows.push_back(std::move(row));
    }
    mark_far(rows, side);
  }
  return rows;
}

std::vector<TableColumn> columns_of(const ComparePage& page) {
  const auto name = page.selected_name();
  const std::string value =
      name ? page.answers.sides()->labels[*name] : std::string("Selected name");
  return {{.title = "", .kind = CellKind::text, .width_px = 22},
          {.title = "Run", .kind = CellKind::text, .width_px = 60},
          {.title = "File", .kind = CellKind::text, .width_px = 240, .grows = true, .names = true},
          {.title = "Calls", .kind = CellKind::number, .width_px = 90},
          {.title = "Self time", .kind = CellKind::duration, .width_px = 100},
          {.title = "Length", .kind = CellKind::duration, .width_px = 100},
          {.title = "Value",
           .help = "The measure of the selected name: " + value,
           .kind = CellKind::duration,
           .width_px = 100},
          {.title = "On one axis", .kind = CellKind::text, .width_px = 220},
          {.title = "", .kind = CellKind::text, .width_px = 180}};
}

}  // namespace

std::uint64_t ComparedRunsPanel::count(const Session& /*session*/) const {
  const OfSides<CompareSource>& sources = page_.answers.sources();
  return sources[side_a].runs.size() + sources[side_b].runs.size();
}

std::string ComparedRunsPanel::shown_count(const Session& /*session*/) const {
  const OfSides<CompareSource>& sources = page_.answers.sources();
  return count_text(sources[side_a].runs.size()) + " + " + count_text(sources[side_b].runs.size());
}

void ComparedRunsPanel::draw(const PanelFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  fill(pen.list, frame.area, pen.colours.panel);
  ImGui::PushID("runs");
  const Rect bar{frame.area.x + pen.px(kRunsPadPx), frame.area.y,
                 std::max(frame.area.width - pen.px(2 * kRunsPadPx), 1.0F),
                 std::round(pen.px(kToolsPx))};
  float x = bar.x;
  const float button_y = std::round(bar.y + pen.px(5));
  constexpr std::string_view kAdd = "Add runs…";
  if (text_button(pen, "add runs", x, button_y, kAdd)) run_command(actions, "add-runs");
  x += text_button_width(pen, kAdd) + pen.px(8);
  const CompareAnswers& answers = page_.answers;
  if (answers.comparison() != nullptr) {
    draw_cut_text(pen.list, pen.words, x + pen.px(8), middle_y(bar), right_of(bar) - x - pen.px(8),
                  pen.colours.dim, tested_sentence(*answers.sides(), *answers.comparison()));
  }
  const std::vector<Row> rows = rows_of(page_);
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  double least = kInfinite, most = -kInfinite;
  for (const Row& row : rows) {
    if (!std::isfinite(row.value)) continue;
    least = std::min(least, row.value);
    most = std::max(most, row.value);
  }
  const std::vector<TableColumn> columns = columns_of(page_);
  TableFrame table{.theme = frame.theme,
                   .area = {frame.area.x, bottom_of(bar), frame.area.width,
                            bottom_of(frame.area) - bottom_of(bar)}};
  for (const TableColumn& column : columns) table.columns.push_back(&column);
  table.row_count = rows.size();
  const TimeAxis axis = page_.axis();
  table.cell = [&](std::uint64_t at, std::size_t column) {
    const Row& row = rows[at];
    TableCell cell;
    cell.dim = row.measured == nullptr;
    const CompareRun& of = answers.sources()[row.side].runs[row.run];
    const auto number = [&](std::uint64_t value) {
      return row.measured == nullptr ? std::string("–") : count_text(value);
    };
    const auto time = [&](std::int64_t value) {
      return row.measured == nullptr ? std::string("–") : duration_text(value, axis);
    };
    const MeasuredRun* run = row.measured;
    if (column == 0) cell.check = !of.left_out;
    if (column == 1) cell.text = fmt::format("{} {}", row.side == side_a ? "A" : "B", row.run + 1);
    if (column == 2) cell.text = telling_name(of.path);
    if (column == 2 && of.saved != nullptr && of.saved->path != of.path) {
      cell.text += ": " + telling_name(of.saved->path);  // one file has several
    }
    if (column == 3) cell.text = number(run == nullptr ? 0 : run->calls);
    if (column == 4) cell.text = time(run == nullptr ? 0 : run->self_ns);
    if (column == 5) {
      cell.text = time(run == nullptr ? 0 : saturating_difference(run->end_ns, run->begin_ns));
    }
    if (column == 6 && answers.comparison() != nullptr) {
      cell.text = std::isfinite(row.value)
                      ? value_text(row.value, value_unit(*answers.comparison(), axis))
                      : "–";
    }
    if (column == 7 && std::isfinite(row.value)) {
      cell.dot = most > least ? static_cast<float>((row.value - least) / (most - least)) : 0.5F;
      cell.hollow_dot = row.side == side_a;
    }
    if (column == 8) {
      cell.text = row.problem;
      if (cell.text.empty() && of.saved != nullptr) cell.text = "saved numbers";
      if (cell.text.empty() && row.run == 0) cell.text = "shown";
      if (cell.text.empty() && run == nullptr) cell.text = "to be read";
      if (row.differs) cell.text = "differs from the others";
    }
    return cell;
  };
  const TableEvents events = table_.draw(table);
  const auto ask = [&](const char* command, const Row& row) {
    run_command(actions, command,
                fmt::format("{} {}", row.side == side_a ? "a" : "b", row.run + 1));
  };
  const bool on_box = events.pointed_column == 0;
  if (events.clicked && on_box) ask("use-run", rows[*events.clicked]);
  if (events.checked) ask("use-run", rows[*events.checked]);
  const auto opened = on_box ? events.entered : events.opened();
  if (opened && rows[*opened].run > 0) ask("show-run", rows[*opened]);
  if (events.hovered) {
    const Row& row = rows[*events.hovered];
    hint(pen, answers.sources()[row.side].runs[row.run].path +
                  (row.run > 0 ? "\nDouble click: show it in its lane" : ""));
  }
  if (events.right_clicked) {
    const Row& row = rows[*events.right_clicked];
    run_command(actions, "context-menu",
                fmt::format("compare-run {} {}", row.side == side_a ? "a" : "b", row.run + 1));
  }
  ImGui::PopID();
}

Result<TakenTable> ComparedRunsPanel::take_table(Session& /*session*/, TableText /*form*/) {
  const CompareAnswers& answers = page_.answers;
  if (answers.comparison() == nullptr) return refused("The traces are still being compared.");
  TakenTable table{.word = std::string(table_word()),
                   .columns = {{.key = "side", .title = "Side"},
                               {.key = "run", .title = "Run", .numbers = true},
                               {.key = "file", .title = "File"},
                               {.key = "calls", .title = "Calls", .numbers = true},
                               {.key = "self", .title = "Self time", .numbers = true},
                               {.key = "length", .title = "Length", .numbers = true},
                               {.key = "value", .title = "Value", .numbers = true},
                               {.key = "note", .title = "Note"}}};
  std::vector<Row> rows = rows_of(page_);
  table.row_count = rows.size();
  const TimeAxis axis = page_.axis();
  // The runs that the rows point to are the sides'.
  table.write_row =
      [rows = std::move(rows), sides = answers.shared_sides(), sources = answers.sources(), axis,
       unit = value_unit(*answers.comparison(), axis)](std::uint64_t at, TableWriter& out) {
        const Row& row = rows[at];
        const std::string& path = sources[row.side].runs[row.run].path;
        out.text(row.side == side_a ? "A" : "B");
        out.count(row.run + 1);
        out.text(out.for_people() ? telling_name(path) : path);
        const MeasuredRun* run = row.measured;
        if (run == nullptr) {
          for (int i = 0; i < 3; ++i) out.null();
        } else {
          const std::int64_t length_ns = saturating_difference(run->end_ns, run->begin_ns);
          out.for_people() ? out.shown(count_text(run->calls)) : out.count(run->calls);
          for (const std::int64_t ns : {run->self_ns, length_ns}) {
            out.for_people() ? out.shown(duration_text(ns, axis)) : out.number(ns);
          }
        }
        if (!std::isfinite(row.value)) {
          out.null();
        } else {
          out.for_people() ? out.shown(value_text(row.value, unit))
                           : out.decimal(fmt::format("{:.6g}", row.value));
        }
        out.text(row.differs ? "differs from the others" : row.problem);
      };
  return table;
}

}  // namespace cinderscope
