#include "render/views/panels/histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "ingest/search/search_query.h"
#include "render/base/palette.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr float kHeadPx = 24, kBarsPx = 96, kWidestBarPx = 36, kNumberPx = 22;

std::string calls_text(std::uint64_t count) {
  return count_text(count) + (count == 1 ? " call" : " calls");
}

std::string bar_text(const DurationBar& first, const DurationBar& last, std::uint64_t count,
                     TimeAxis axis) {
  const std::string from = duration_text(first.shortest_ns, axis);
  const std::string to = duration_text(last.longest_ns, axis);
  return fmt::format("{}{}: {}", from, from == to ? "" : " – " + to, calls_text(count));
}

// The area of the bars: the whole row, unless there are so few that they would become too wide.
struct BarPlaces {
  Rect area;
  std::size_t count = 0;

  BarPlaces(const Pen& pen, const Rect& row, std::size_t bars) : area(row), count(bars) {
    area.width = std::min(row.width, pen.px(kWidestBarPx) * static_cast<float>(bars));
  }
  float edge(std::size_t bar) const {
    return std::round(area.x + area.width * static_cast<float>(bar) / static_cast<float>(count));
  }
  std::size_t at(float x) const {
    const float share = (x - area.x) / std::max(area.width, 1.0f);
    const float bar = std::clamp(share, 0.0f, 1.0f) * static_cast<float>(count);
    return std::min(static_cast<std::size_t>(bar), count - 1);
  }
};

void draw_axis(Column& column, const HistogramFrame& frame, const std::vector<DurationBar>& bars,
               float width) {
  const Pen& pen = column.pen();
  const Rect row = column.row(pen.px(18));
  const float y = row.y + pen.px(9);
  const std::string first = duration_text(bars.front().shortest_ns, frame.axis);
  draw_text(pen.list, pen.numbers, row.x, y, pen.colours.dim, first);
  if (bars.front().shortest_ns == bars.back().longest_ns) return;
  const std::string last = duration_text(bars.back().longest_ns, frame.axis);
  const float first_px = text_width(pen.numbers, first), last_px = text_width(pen.numbers, last);
  const float gap = pen.px(14);
  const float right = std::max(row.x + width, row.x + first_px + gap + last_px);
  if (right > right_of(row)) return;
  draw_text(pen.list, pen.numbers, right, y, pen.colours.dim, last, Align::right);
  const DurationBar& middle = bars[bars.size() / 2];
  const std::string text = duration_text(middle.shortest_ns, frame.axis);
  const float x = row.x + width / 2, half = text_width(pen.numbers, text) / 2;
  if (bars.size() < 3 || x - half < row.x + first_px + gap || x + half > right - last_px - gap) {
    return;
  }
  draw_text(pen.list, pen.numbers, x - half, y, pen.colours.dim, text);
}

void draw_numbers(Column& column, const HistogramFrame& frame) {
  const DurationHistogram& durations = *frame.histogram;
  const Pen& pen = column.pen();
  const auto text = [&](std::int64_t ns) { return duration_text(ns, frame.axis); };
  const std::array<std::pair<const char*, std::string>, 5> cells = {
      {{"self", durations.has_times ? text(durations.self_ns) : "…"},
       {"median", text(durations.median_ns)},
       {"p90", text(durations.p90_ns)},
       {"p99", text(durations.p99_ns)},
       {"max", text(durations.max_ns)}}};
  // As many numbers side by side as fit by the widest of them.
  float widest = pen.px(52);
  for (const auto& [name, number] : cells) {
    widest = std::max(widest, text_width(pen.numbers, number) + pen.px(10));
  }
  const float room = column.row(0).width;
  const auto fit = static_cast<std::size_t>(std::clamp(room / widest, 1.0f, 5.0f));
  for (std::size_t first = 0; first < cells.size(); first += fit) {
    const std::size_t end = std::min(first + fit, cells.size());
    const Rect head = column.row(pen.px(20)), row = column.row(pen.px(kNumberPx));
    horizontal_line(pen.list, head.x, right_of(head), bottom_of(head), pen.colours.line);
    const float cell_px = head.width / static_cast<float>(fit);
    for (std::size_t i = first; i < end; ++i) {
      const float right = head.x + cell_px * static_cast<float>(i - first + 1);
      draw_text(pen.list, pen.words, right, middle_y(head), pen.colours.dim, cells[i].first,
                Align::right);
      draw_text(pen.list, pen.numbers, right, middle_y(row) + pen.px(2), pen.colours.text,
                cells[i].second, Align::right);
    }
  }
}

void search_for(const HistogramFrame& frame, std::int64_t shortest_ns, std::int64_t longest_ns,
                Actions& actions) {
  actions.push_back(
      RunCommand{"search", search_text_for(frame.name, shortest_ns, longest_ns, frame.axis)});
  actions.push_back(RunCommand{"panel", "search"});
  actions.push_back(RunCommand{"search-scope", "trace"});  // the scope that the bars count
}

}  // namespace

bool HistogramView::axis_button(const Pen& pen, const char* id, float& x, float y,
                                std::string_view label, std::string_view help, bool chosen) const {
  const float width = text_width(pen.words, label);
  const Rect area{x - pen.px(5), y - pen.px(10), width + pen.px(10), pen.px(20)};
  const Press press = press_area(id, area);
  if (press.hovered) {
    pen.list.AddRectFilled({area.x, area.y}, {right_of(area), bottom_of(area)},
                           with_alpha(pen.colours.dim, 40), pen.px(3));
    hint(pen, help);
  }
  draw_text(pen.list, pen.words, x, y,
            chosen ? pen.colours.text : with_alpha(pen.colours.dim, press.hovered ? 255 : 170),
            label);
  if (chosen) {
    horizontal_line(pen.list, x, x + width, y + pen.px(8), pen.colours.dim);
  }
  x += width + pen.px(12);
  return press.clicked;
}

void HistogramView::draw_head(Column& column, const HistogramFrame& frame) {
  const Pen& pen = column.pen();
  const Rect row = column.row(pen.px(kHeadPx));
  const float y = middle_y(row);
  const std::string_view title = "All calls with this name";
  const float title_px = draw_text(pen.list, pen.words, row.x, y, pen.colours.dim, title);
  if (frame.histogram == nullptr) return;
  const DurationHistogram& durations = *frame.histogram;
  float x = row.x + title_px + pen.px(14);
  if (durations.log_bars.size() > 1) {
    if (axis_button(pen, "log", x, y, "log", "Logarithmic axis of durations", !linear_)) {
      linear_ = false;
    }
    if (axis_button(pen, "linear", x, y, "linear", "Linear axis of durations", linear_)) {
      linear_ = true;
    }
  }
  std::string text = calls_text(durations.count);
  if (durations.has_times) text += "  total " + duration_text(durations.total_ns, frame.axis);
  const bool fits = x + text_width(pen.numbers, text) <= right_of(row);
  const Rect place = fits ? row : column.row(pen.px(20));
  draw_text(pen.list, pen.numbers, fits ? right_of(place) : place.x, middle_y(place),
            pen.colours.text, text, fits ? Align::right : Align::left);
}

void HistogramView::draw_bars(Column& column, const HistogramFrame& frame, Actions& actions) {
  const Pen& pen = column.pen();
  const std::vector<DurationBar>& bars =
      linear_ ? frame.histogram->linear_bars : frame.histogram->log_bars;
  column.gap(pen.px(4));
  const Rect row = column.row(pen.px(kBarsPx));
  const BarPlaces places(pen, row, bars.size());
  const Press press = press_area("bars", places.area);
  if (press.right_clicked) run_command(actions, "context-menu", "histogram");
  const bool held = ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left);
  const std::size_t pointed = places.at(ImGui::GetIO().MousePos.x);
  if (held && !brush_from_) brush_from_ = pointed;
  std::optional<std::pair<std::size_t, std::size_t>> marked;
  if (brush_from_) {
    const std::size_t from = std::min(*brush_from_, bars.size() - 1);
    marked = std::minmax(from, pointed);
  } else if (press.hovered) {
    marked = {pointed, pointed};
  }
  std::uint64_t most = 1;
  for (const DurationBar& bar : bars) most = std::max(most, bar.count);
  const Palette& palette = palette_of(pen.theme.kind, pen.theme.colour_blind);
  const std::size_t selected = bar_of(bars, frame.selected_ns);
  const float bottom = bottom_of(row);
  std::uint64_t marked_count = 0;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const bool is_marked = marked && i >= marked->first && i <= marked->second;
    const float x0 = places.edge(i), x1 = std::max(places.edge(i + 1) - 1, x0 + 1);
    if (is_marked) {
      marked_count += bars[i].count;
      pen.list.AddRectFilled({x0, row.y}, {places.edge(i + 1), bottom},
                             with_alpha(pen.colours.dim, 36));
    }
    if (bars[i].count == 0) continue;
    const double share = static_cast<double>(bars[i].count) / static_cast<double>(most);
    const float height = std::max(std::round(row.height * static_cast<float>(share)), pen.px(2));
    Rgba colour = is_marked ? palette.hovered(frame.name_hash) : palette.box(frame.name_hash);
    if (i == selected) colour = pen.colours.accent;
    pen.list.AddRectFilled({x0, bottom - height}, {x1, bottom}, colour);
  }
  horizontal_line(pen.list, row.x, right_of(row), bottom, pen.colours.line);
  if (marked && (press.hovered || brush_from_)) {
    hint(pen, bar_text(bars[marked->first], bars[marked->second], marked_count, frame.axis));
  }
  if (brush_from_ && !held) {
    if (marked_count > 0) {
      search_for(frame, bars[marked->first].shortest_ns, bars[marked->second].longest_ns, actions);
    }
    brush_from_.reset();
  }
  draw_axis(column, frame, bars, places.area.width);
}

void HistogramView::draw(Column& column, const HistogramFrame& frame, Actions& actions) {
  const Pen& pen = column.pen();
  ImGui::PushID("histogram");
  draw_head(column, frame);
  const auto say = [&](std::string_view text) {
    const Rect row = column.row(pen.px(20));
    draw_cut_text(pen.list, pen.words, row.x, middle_y(row), row.width, pen.colours.dim, text);
  };
  if (frame.histogram == nullptr) {
    say("Counting…");
  } else if (frame.histogram->count == 1) {
    say("Only call with this name.");
  } else if (frame.histogram->count > 1) {
    draw_bars(column, frame, actions);
    column.gap(pen.px(4));
    draw_numbers(column, frame);
  }
  ImGui::PopID();
  column.gap(pen.px(8));
}

}  // namespace cinderscope
