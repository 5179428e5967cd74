#include "app/window/panels/compare/compared_threads_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/window/comparison/compare_page.h"
#include "app/window/tab.h"
#include "render/base/change_colours.h"
#include "render/tables/change_text.h"
#include "render/text/label.h"
#include "render/text/time_text.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

namespace {

std::string name_of(const RunThread& thread) {
  std::string text = thread.name.empty() ? thread.tid : thread.name + " " + thread.tid;
  if (!thread.process.empty()) text += " of " + thread.process;
  return text;
}

const std::array<TableColumn, 7>& columns() {
  static const std::array<TableColumn, 7> kColumns = {
      {{.title = "Thread of A", .kind = CellKind::text, .width_px = 220, .grows = true},
       {.title = "Thread of B", .kind = CellKind::text, .width_px = 220, .grows = true},
       {.title = "Calls", .kind = CellKind::number, .width_px = 150},
       {.title = "Busy A", .kind = CellKind::duration, .width_px = 90},
       {.title = "Busy B", .kind = CellKind::duration, .width_px = 90},
       {.title = "Difference", .kind = CellKind::duration, .width_px = 170},
       {.title = "Change", .kind = CellKind::duration, .width_px = 80}}};
  return kColumns;
}

}  // namespace

std::uint64_t ComparedThreadsPanel::count(const Session& /*session*/) const {
  return page_.answers.thread_pairs().size();
}

void ComparedThreadsPanel::draw(const PanelFrame& frame, Actions& actions) {
  const CompareAnswers& answers = page_.answers;
  const std::vector<ThreadPair>& pairs = answers.thread_pairs();
  const OfSides<ShownRun>& runs = answers.shown_runs();
  TableFrame table{.theme = frame.theme, .area = frame.area};
  for (const TableColumn& column : columns()) table.columns.push_back(&column);
  table.row_count = pairs.size();
  table.note = answers.sides() == nullptr ? "Comparing the two traces" : "Neither side has threads";
  const auto thread = [&](Side side, const ThreadPair& pair) -> const RunThread* {
    const auto& number = side == side_a ? pair.a : pair.b;
    return number ? &runs[side].measured->threads[*number] : nullptr;
  };
  double largest = 0;
  for (const ThreadPair& pair : pairs) {
    const RunThread *a = thread(side_a, pair), *b = thread(side_b, pair);
    largest = std::max(largest, std::abs(static_cast<double>(b == nullptr ? 0 : b->busy_ns) -
                                         static_cast<double>(a == nullptr ? 0 : a->busy_ns)));
  }
  const ChangeColours& colours = change_colours(frame.theme.kind);
  const TimeAxis axis = page_.axis();
  table.cell = [&](std::uint64_t at, std::size_t column) {
    const RunThread *a = thread(side_a, pairs[at]), *b = thread(side_b, pairs[at]);
    const double busy_a = a == nullptr ? 0 : static_cast<double>(a->busy_ns),
                 busy_b = b == nullptr ? 0 : static_cast<double>(b->busy_ns);
    const double difference = busy_b - busy_a;
    TableCell cell;
    switch (column) {
      case 0:
        cell.text = a == nullptr ? "only in B" : drawable(name_of(*a));
        cell.dim = a == nullptr;
        break;
      case 1:
        cell.text = b == nullptr ? "only in A" : drawable(name_of(*b));
        cell.dim = b == nullptr;
        break;
      case 2:
        cell.text = count_text(a == nullptr ? 0 : a->calls) + " → " +
                    count_text(b == nullptr ? 0 : b->calls);
        break;
      case 3:
        cell.text = a == nullptr ? "–" : duration_text(a->busy_ns, axis);
        break;
      case 4:
        cell.text = b == nullptr ? "–" : duration_text(b->busy_ns, axis);
        break;
      case 5:
        cell.text = difference_text(difference, {.axis = axis});
        cell.split_bar = largest > 0 ? static_cast<float>(difference / largest) : 0.0F;
        cell.split_colour = difference > 0 ? colours.more[2] : colours.less[2];
        break;
      default:
        cell.text =
            a != nullptr && b != nullptr && busy_a > 0 ? change_text(difference / busy_a) : "–";
        cell.dim = cell.text == "–";
        if (!cell.dim && difference != 0) cell.colour = colours.text(difference > 0);
    }
    return cell;
  };
  table.is_current = [&](std::uint64_t at) { return dragged_ == at; };
  fill(*ImGui::GetWindowDrawList(), frame.area, frame.theme.colours.panel);
  const TableEvents events = table_.draw(table);
  // A row that is held and let go on another one: A's thread of the one with B's of the other.
  if (events.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) dragged_ = events.hovered;
  if (dragged_ && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    const std::uint64_t from = *std::exchange(dragged_, std::nullopt);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float row_px = std::round(frame.theme.px(22));
    const auto by = std::lround((mouse.y - pressed_y_) / row_px);
    const auto to = static_cast<std::int64_t>(from) + by;
    if (by != 0 && to >= 0 && to < static_cast<std::int64_t>(pairs.size()) && from < pairs.size()) {
      const ThreadPair &one = pairs[from], &two = pairs[static_cast<std::size_t>(to)];
      const auto a = one.a && two.b ? one.a : two.a, b = one.a && two.b ? two.b : one.b;
      if (a && b) run_command(actions, "pair-threads", fmt::format("{} {}", *a + 1, *b + 1));
    }
  }
  if (dragged_ && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    pressed_y_ = ImGui::GetIO().MousePos.y;
  }
  if (events.hovered && !dragged_) {
    hint(pen_of(frame.theme), "Drag a thread onto another one to pair them");
  }
}

Result<TakenTable> ComparedThreadsPanel::take_table(Session& /*session*/, TableText /*form*/) {
  const CompareAnswers& answers = page_.answers;
  if (answers.sides() == nullptr) return refused("The traces are still being compared.");
  TakenTable table{.word = std::string(table_word()),
                   .columns = {{.key = "thread_a", .title = "Thread of A"},
                               {.key = "thread_b", .title = "Thread of B"},
                               {.key = "calls_a", .title = "Calls A", .numbers = true},
                               {.key = "calls_b", .title = "Calls B", .numbers = true},
                               {.key = "busy_a", .title = "Busy A", .numbers = true},
                               {.key = "busy_b", .title = "Busy B", .numbers = true}},
                   .row_count = answers.thread_pairs().size()};
  table.write_row = [pairs = answers.thread_pairs(), runs = answers.shown_runs(),
                     axis = answers.sides()->axis()](std::uint64_t row, TableWriter& out) {
    const auto& [a, b] = pairs[row];
    const OfSides<const RunThread*> threads = {a ? &runs[side_a].measured->threads[*a] : nullptr,
                                               b ? &runs[side_b].measured->threads[*b] : nullptr};
    for (const RunThread* thread : threads) {
      thread == nullptr ? out.null() : out.text(name_of(*thread));
    }
    for (const RunThread* thread : threads) {
      if (thread == nullptr) {
        out.null();
      } else {
        out.for_people() ? out.shown(count_text(thread->calls)) : out.count(thread->calls);
      }
    }
    for (const RunThread* thread : threads) {
      if (thread == nullptr) {
        out.null();
      } else {
        out.for_people() ? out.shown(duration_text(thread->busy_ns, axis))
                         : out.number(thread->busy_ns);
      }
    }
  };
  return table;
}

}  // namespace cinderscope
