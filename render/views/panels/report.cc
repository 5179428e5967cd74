#include "render/views/panels/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "render/text/label.h"
#include "render/text/report_text.h"
#include "render/text/time_text.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

constexpr float kPadPx = 16;
constexpr float kRowPx = 22;
constexpr float kLabelPx = 92;
constexpr float kFactsPx = 430;

// Positions of the table's columns in a row: kind, count (right-aligned), sentence, offset.
struct TableColumns {
  Rect kind, count, sentence, offset;
};
TableColumns table_columns(const Pen& pen, const Rect& row) {
  const float gap = pen.px(16);
  const float offset_px = pen.px(132), count_px = pen.px(84);
  const float kind_px = std::min(pen.px(150), row.width * 0.25f);
  TableColumns columns;
  columns.kind = {row.x, row.y, kind_px, row.height};
  columns.count = {right_of(columns.kind), row.y, count_px, row.height};
  columns.offset = {right_of(row) - offset_px, row.y, offset_px, row.height};
  const float x = right_of(columns.count) + gap;
  columns.sentence = {x, row.y, std::max(columns.offset.x - gap - x, 0.0f), row.height};
  return columns;
}

void draw_table_head(Column& column) {
  const Pen& pen = column.pen();
  const Rect row = column.row(pen.px(kRowPx));
  const TableColumns at = table_columns(pen, row);
  const float y = middle_y(row);
  draw_text(pen.list, pen.words, at.kind.x, y, pen.colours.dim, "Kind");
  draw_text(pen.list, pen.words, right_of(at.count), y, pen.colours.dim, "Count", Align::right);
  draw_cut_text(pen.list, pen.words, at.sentence.x, y, at.sentence.width, pen.colours.dim,
                "What it means");
  draw_text(pen.list, pen.words, right_of(at.offset), y, pen.colours.dim, "First at byte",
            Align::right);
  horizontal_line(pen.list, row.x, right_of(row), bottom_of(row) - 1, pen.colours.line);
}

void draw_diagnostic(const Pen& pen, const Rect& row, std::string_view code,
                     const Diagnostic& diagnostic, Actions& actions) {
  const TableColumns at = table_columns(pen, row);
  const float y = middle_y(row);
  draw_cut_text(pen.list, pen.words, at.kind.x, y, at.kind.width, pen.colours.text,
                kind_text(code));
  draw_text(pen.list, pen.numbers, right_of(at.count), y, pen.colours.text,
            count_text(diagnostic.count), Align::right);
  ImGui::PushID(code.data(), code.data() + code.size());
  std::string sentence = diagnostic.text;
  if (!diagnostic.advice.empty()) sentence.append(" ").append(diagnostic.advice);
  copyable(pen, "sentence", at.sentence, pen.words, pen.colours.dim, sentence, sentence, actions);
  if (diagnostic.first_offset >= 0) {
    const std::string text = count_text(static_cast<std::uint64_t>(diagnostic.first_offset));
    const float width = std::min(std::ceil(text_width(pen.numbers, text)), at.offset.width);
    copyable(pen, "offset", {right_of(at.offset) - width, row.y, width, row.height}, pen.numbers,
             pen.colours.text, text, fmt::format("{}", diagnostic.first_offset), actions);
  }
  ImGui::PopID();
}

void draw_fact(const Pen& pen, std::size_t id, const Rect& row, std::string_view key,
               std::string_view value, Actions& actions) {
  const float label_px = pen.px(kLabelPx);
  draw_cut_text(pen.list, pen.words, row.x, middle_y(row), label_px - pen.px(8), pen.colours.dim,
                key);
  ImGui::PushID(static_cast<int>(id));
  copyable(pen, "value", {row.x + label_px, row.y, row.width - label_px, row.height}, pen.numbers,
           pen.colours.text, value, value, actions);
  ImGui::PopID();
}

void draw_diagnostics(const ReportFrame& frame, const Rect& area, Actions& actions) {
  Column column(frame.theme, "diagnostics", area, frame.theme.px(kPadPx));
  const Pen& pen = column.pen();
  column.gap(pen.px(8));
  const Rect line = column.row(pen.px(24));
  draw_cut_text(
      pen.list, pen.title, line.x, middle_y(line), line.width, pen.colours.text,
      report_sentence(frame.report.timeline, frame.report.read, frame.report.several_files));
  const std::vector<ReportedFile>& files = frame.report.files;
  column.rows(files.size(), pen.px(kRowPx), [&](std::size_t i, const Rect& row) {
    const ReportedFile& file = files[i];
    const float y = middle_y(row);
    const float name_px = std::min(text_width(pen.words, drawable(file.name)), row.width * 0.4f);
    draw_short_name(pen.list, pen.words, row.x, y, name_px + 1, pen.colours.text, file.name);
    const float x = row.x + name_px + pen.px(12);
    draw_cut_text(pen.list, pen.words, x, y, std::max(right_of(row) - x, 1.0f), pen.colours.dim,
                  file.problem.empty() ? file.headline : "Left out: " + file.problem);
  });
  if (!frame.report.on_disk.empty()) {
    const Rect note = column.row(pen.px(kRowPx));
    draw_cut_text(pen.list, pen.words, note.x, middle_y(note), note.width, pen.colours.dim,
                  frame.report.on_disk);
  }
  if (frame.offers_index) {
    const Rect row = column.row(pen.px(32));
    if (text_button(pen, "index", row.x, row.y + pen.px(2), "Write the index beside the trace")) {
      actions.push_back(RunCommand{"write-index", {}});
    }
  }
  const auto& by_code = frame.report.timeline.diagnostics.by_code();
  if (by_code.empty()) return;
  column.gap(pen.px(4));
  draw_table_head(column);
  // The worst first.
  std::vector<const Diagnostics::ByCode::value_type*> rows;
  rows.reserve(by_code.size());
  for (const auto& entry : by_code) rows.push_back(&entry);
  std::ranges::stable_sort(rows, std::ranges::greater{},
                           [](const auto* entry) { return entry->second.severity; });
  column.rows(rows.size(), pen.px(kRowPx), [&](std::size_t i, const Rect& row) {
    draw_diagnostic(pen, row, rows[i]->first, rows[i]->second, actions);
  });
  column.gap(pen.px(10));
}

void draw_facts(const ReportFrame& frame, const Rect& area, Actions& actions) {
  Column column(frame.theme, "facts", area, frame.theme.px(kPadPx));
  const Pen& pen = column.pen();
  const float row_px = pen.px(kRowPx);
  column.gap(pen.px(9));
  const std::vector<ReportFact> facts = report_facts(frame.report);
  column.rows(facts.size(), row_px, [&](std::size_t i, const Rect& row) {
    draw_fact(pen, i, row, facts[i].key, facts[i].value, actions);
  });
  const std::vector<TraceNote>& notes = frame.report.timeline.notes;
  if (!notes.empty()) {
    column.gap(pen.px(8));
    const Rect head = column.row(row_px);
    draw_text(pen.list, pen.words, head.x, middle_y(head), pen.colours.dim, "What the file says");
    ImGui::PushID("notes");
    column.rows(notes.size(), row_px, [&](std::size_t i, const Rect& row) {
      draw_fact(pen, i, row, notes[i].key, notes[i].text, actions);
    });
    ImGui::PopID();
  }
  column.gap(pen.px(10));
}

}  // namespace

void draw_report(const ReportFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  fill(pen.list, area, pen.colours.panel);
  const float facts_px = std::round(std::min(pen.px(kFactsPx), area.width * 0.45f));
  const float split = right_of(area) - facts_px;
  vertical_line(pen.list, split - 1, area.y, bottom_of(area), pen.colours.line);
  ImGui::PushID("report");
  draw_diagnostics(frame, {area.x, area.y, area.width - facts_px - 1, area.height}, actions);
  draw_facts(frame, {split, area.y, facts_px, area.height}, actions);
  ImGui::PopID();
}

}  // namespace cinderscope
