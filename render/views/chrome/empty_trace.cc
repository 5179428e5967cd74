#include "render/views/chrome/empty_trace.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

constexpr float kTextPx = 640, kLabelPx = 160, kRowPx = 22;

struct Row {
  std::string key, value;
};

std::string named(std::string_view what, std::string_view id) {
  return id.empty() ? std::string(what) : std::string(what) + " " + std::string(id);
}

// Made when it is seen: there may be a million threads.
Row row_of(const Timeline& timeline, std::size_t i) {
  if (i < timeline.processes.size()) {
    const Process& process = timeline.processes[i];
    return {named("Process", timeline.text(process.pid)), std::string(timeline.text(process.name))};
  }
  i -= timeline.processes.size();
  if (i < timeline.threads.size()) {
    const Thread& thread = timeline.threads[i];
    return {named("Thread", timeline.text(thread.tid)), std::string(timeline.text(thread.name))};
  }
  const TraceNote& note = timeline.notes[i - timeline.threads.size()];
  return {note.key, note.text};
}

}  // namespace

void draw_empty_trace(const EmptyTraceFrame& frame, Actions& actions) {
  const Timeline& timeline = frame.timeline;
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  fill(pen.list, area, pen.colours.background);
  const float width = std::max(std::min(pen.px(kTextPx), area.width - pen.px(48)), 1.0f);
  const float x = std::round(area.x + (area.width - width) / 2);
  const std::size_t rows =
      timeline.processes.size() + timeline.threads.size() + timeline.notes.size();
  Column column(frame.theme, "empty trace", {x, area.y, width, area.height}, 0);
  const Pen& inside = column.pen();
  column.gap(std::round(area.height * (rows > 0 ? 0.15f : 0.35f)));
  const Rect line = column.row(inside.px(26));
  draw_cut_text(inside.list, inside.title, line.x, middle_y(line), line.width, inside.colours.text,
                frame.sentence);
  if (rows == 0) return;
  column.gap(inside.px(8));
  const Rect head = column.row(inside.px(kRowPx));
  draw_cut_text(inside.list, inside.words, head.x, middle_y(head), head.width, inside.colours.dim,
                "What it has:");
  column.rows(rows, inside.px(kRowPx), [&](std::size_t i, const Rect& at) {
    const Row row = row_of(timeline, i);
    const float label_px = inside.px(kLabelPx);
    draw_cut_text(inside.list, inside.words, at.x, middle_y(at), label_px - inside.px(8),
                  inside.colours.dim, row.key);
    ImGui::PushID(static_cast<int>(i));
    copyable(inside, "value", {at.x + label_px, at.y, at.width - label_px, at.height},
             inside.numbers, inside.colours.text, row.value, row.value, actions);
    ImGui::PopID();
  });
}

}  // namespace cinderscope
