#include "render/views/panels/range_details.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "ingest/base/saturating.h"
#include "render/layout/track_list.h"
#include "render/text/label.h"
#include "render/text/time_text.h"
#include "render/views/panels/details_links.h"

namespace cinderscope {
namespace {

constexpr float kPadPx = 16, kTopPx = 7, kGapPx = 8;
constexpr float kFactRowPx = 21, kLabelPx = 92;
// At scale 1. In less room there is no graph, then everything is one column.
constexpr float kThreeColumnsPx = 740, kTwoColumnsPx = 480, kFactsPx = 330;

constexpr std::string_view kHint =
    "Click a call to see its details; the arrow keys move the selection. Shift+drag selects a "
    "range.";

struct WayOn {
  std::string_view label;
  std::array<RunCommand, 2> commands;
};

TimeRange range_of(const RangeDetailsFrame& frame) {
  const Timeline& timeline = frame.timeline;
  return frame.state.range.value_or(TimeRange{timeline.begin_ns, timeline.end_ns});
}

void draw_sentence(Column& column, std::string_view text) {
  const Pen& pen = column.pen();
  // The width of a row is known once there is one.
  const Rect top = column.row(0);
  const Rect row = column.row(wrapped_height(pen.words, top.width, text) + pen.px(kGapPx));
  draw_wrapped(pen, pen.words, row.x, row.y, row.width, pen.colours.dim, text);
}

}  // namespace

void RangeDetailsView::update(const RangeDetailsFrame& frame) {
  const Timeline& timeline = frame.timeline;
  const TimeRange range = range_of(frame);
  const bool other = strings_ != timeline.strings.get() || version_ != frame.version;
  if (other) sums_.clear();
  if (!other && begin_ns_ == range.begin_ns && end_ns_ == range.end_ns) return;
  strings_ = timeline.strings.get();
  version_ = frame.version;
  begin_ns_ = range.begin_ns;
  end_ns_ = range.end_ns;
  counters_.clear();
  if (begin_ns_ > timeline.end_ns) return;
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const std::vector<CounterSeries>& all = timeline.tracks[i].series;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const bool holds = !all[k].time_ns.empty() && all[k].time_ns.front() < end_ns_;
      if (holds) counters_.push_back({TrackId{i}, k, std::nullopt});
    }
  }
}

const CounterMeasure& RangeDetailsView::measured(const RangeDetailsFrame& frame,
                                                 CounterLine& line) {
  if (!line.measure) {
    const CounterSeries& series = frame.timeline.tracks[index(line.track)].series[line.series];
    const auto sums = sums_.try_emplace(&series, series, frame.timeline.end_ns).first;
    line.measure = sums->second.over(begin_ns_, end_ns_);
  }
  return *line.measure;
}

void RangeDetailsView::draw_facts(const RangeDetailsFrame& frame, Column& column,
                                  Actions& actions) const {
  const Pen& pen = column.pen();
  const Timeline& timeline = frame.timeline;
  const TimeRange range = range_of(frame);
  const TimestampFormat format = timestamp_format(timeline, frame.state);
  const std::int64_t length_ns = saturating_difference(range.end_ns, range.begin_ns);
  const Rect title = column.row(pen.px(24));
  draw_cut_text(pen.list, pen.title, title.x, middle_y(title), title.width, pen.colours.text,
                frame.state.range ? "Selected range" : "Whole trace");
  column.gap(pen.px(3));
  std::vector<Fact> facts = {{"Length", exact_length_text(length_ns, timeline.axis)},
                             {"Begin", timestamp_text(range.begin_ns, format)},
                             {"End", timestamp_text(range.end_ns, format)}};
  if (const SliceStatistics* sums = frame.statistics) {
    facts.push_back({"Calls", fmt::format("{}, {} names", count_text(sums->call_count),
                                          count_text(sums->names.size()))});
    facts.push_back({"Threads", count_text(sums->track_count) + " with calls"});
    facts.push_back({"Busy", exact_length_text(sums->self_ns, timeline.axis)});
    if (length_ns > 0) {  // of what stands above: a trace may begin before its first call
      const double threads = static_cast<double>(sums->self_ns) / static_cast<double>(length_ns);
      facts.push_back({"On average", fmt::format("{:.2f} threads busy", threads)});
    }
  }
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const Rect row = column.row(pen.px(kFactRowPx));
    draw_text(pen.list, pen.words, row.x, middle_y(row), pen.colours.dim, facts[i].key);
    ImGui::PushID(static_cast<int>(i));
    const float label_px = pen.px(kLabelPx);
    copyable(pen, "value", {row.x + label_px, row.y, row.width - label_px, row.height}, pen.numbers,
             frame.counting && i > 2 ? pen.colours.dim : pen.colours.text, facts[i].value,
             facts[i].value, actions);
    ImGui::PopID();
  }
  if (frame.statistics == nullptr) draw_list_head(column, "Adding up calls…");
  column.gap(pen.px(kGapPx));
  const char* scope = frame.state.range ? "range" : "trace";
  const std::array ways = {
      WayOn{"Statistics", {RunCommand{"panel", "statistics"}, {"scope", scope}}},
      WayOn{"Flame graph", {RunCommand{"panel", "flame-graph"}, {"scope", scope}}},
      WayOn{"Zoom to it", {RunCommand{"zoom-range", ""}, {}}},
      WayOn{"Clear", {RunCommand{"select-range", ""}, {}}}};
  const std::size_t way_count = frame.state.range ? ways.size() : 2;
  Rect row = column.row(pen.px(32));
  float x = row.x;
  for (const WayOn& way : std::span(ways).first(way_count)) {
    const float width = text_button_width(pen, way.label);
    if (x + width > right_of(row) && x > row.x) {
      row = column.row(pen.px(32));
      x = row.x;
    }
    ImGui::PushID(way.label.data(), way.label.data() + way.label.size());
    if (text_button(pen, "way on", x, row.y, way.label)) {
      for (const RunCommand& command : way.commands) {
        if (!command.name.empty()) actions.push_back(command);
      }
    }
    ImGui::PopID();
    x += width + pen.px(6);
  }
  column.gap(pen.px(kGapPx));
  if (!frame.note.empty()) draw_sentence(column, frame.note);
  const bool has_graph = frame.area.width >= pen.px(kThreeColumnsPx);
  if (has_graph && frame.tree != nullptr && frame.tree->left_out > 0) {
    draw_sentence(column, fmt::format("In the graph {} calls of too many chains count as self time "
                                      "of their callers.",
                                      count_text(frame.tree->left_out)));
  }
  if (!frame.state.range) draw_sentence(column, kHint);
}

void RangeDetailsView::draw_names(const RangeDetailsFrame& frame, Column& column,
                                  Actions& actions) {
  const SliceStatistics* sums = frame.statistics;
  if (sums == nullptr) return;
  const Pen& pen = column.pen();
  draw_list_head(column, sums->names.empty() ? "No calls in it" : "Names by total time");
  ImGui::PushID("names");
  column.rows(sums->names.size(), pen.px(kListRowPx), [&](std::size_t i, const Rect& row) {
    const NameStatistics& name = sums->names[i];
    draw_name_row(pen, frame.timeline,
                  {name.name, name.count, name.total_ns, share_percent(*sums, name) / 100,
                   name.longest, sums->names.front().total_ns},
                  i, row, actions);
  });
  ImGui::PopID();
  column.gap(pen.px(kGapPx));
}

void RangeDetailsView::draw_counters(const RangeDetailsFrame& frame, Column& column) {
  if (counters_.empty()) return;
  const Pen& pen = column.pen();
  const Rect head = column.row(pen.px(24));
  constexpr std::array<std::string_view, 3> kColumns = {"max", "mean", "min"};
  const float each_px = std::min(pen.px(92), head.width / 5);
  draw_cut_text(pen.list, pen.words, head.x, middle_y(head), head.width - 3 * each_px,
                pen.colours.dim, "Counters");
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    draw_text(pen.list, pen.words, right_of(head) - each_px * static_cast<float>(i), middle_y(head),
              pen.colours.dim, kColumns[i], Align::right);
  }
  column.rows(counters_.size(), pen.px(kListRowPx), [&](std::size_t i, const Rect& row) {
    CounterLine& line = counters_[i];
    const Track& track = frame.timeline.tracks[index(line.track)];
    const CounterSeries& series = track.series[line.series];
    std::string name(display_name(frame.timeline, track.name));
    if (track.series.size() > 1) {
      name.append(" ").append(display_name(frame.timeline, series.name));
    }
    const float y = middle_y(row), name_px = row.width - 3 * each_px;
    draw_short_name(pen.list, pen.words, row.x, y, name_px, pen.colours.text, name);
    const CounterMeasure& measure = measured(frame, line);
    const std::array values = {measure.max, measure.mean, measure.min};
    for (std::size_t k = 0; k < values.size() && measure.points > 0; ++k) {
      draw_text(pen.list, pen.numbers, right_of(row) - each_px * static_cast<float>(k), y,
                pen.colours.text, number_text(values[k]), Align::right);
    }
    ImGui::PushID("counters");
    if (press_area(i, row).hovered) {
      hint(pen,
           fmt::format("{} of {}", drawable(name), process_label(frame.timeline, track.process)));
    }
    ImGui::PopID();
  });
  column.gap(pen.px(kGapPx));
}

void RangeDetailsView::draw(const RangeDetailsFrame& frame, const std::function<void(Column&)>& top,
                            Actions& actions) {
  update(frame);
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  const float width = area.width / frame.theme.scale, pad_px = pen.px(kPadPx);
  const bool names_apart = width >= kTwoColumnsPx, has_graph = width >= kThreeColumnsPx;
  float facts_px = area.width, names_px = 0;
  if (names_apart) {
    facts_px = std::round(std::min(pen.px(kFactsPx), area.width * (has_graph ? 0.33f : 0.45f)));
    names_px = area.width - facts_px;
    if (has_graph) names_px = std::round(names_px * 0.5f);
  }
  {
    Column column(frame.theme, "range", {area.x, area.y, facts_px - 1, area.height}, pad_px);
    column.gap(pen.px(kTopPx));
    top(column);
    draw_facts(frame, column, actions);
    if (!names_apart) {
      draw_names(frame, column, actions);
      draw_counters(frame, column);
    }
  }
  float x = area.x + facts_px;
  if (names_apart) {
    vertical_line(pen.list, x - 1, area.y, bottom_of(area), pen.colours.line);
    Column column(frame.theme, "names", {x, area.y, names_px - 1, area.height}, pad_px);
    column.gap(pen.px(kTopPx));
    draw_names(frame, column, actions);
    draw_counters(frame, column);
    x += names_px;
  }
  if (!has_graph) return;
  vertical_line(pen.list, x - 1, area.y, bottom_of(area), pen.colours.line);
  const float graph_top_px = pen.px(kTopPx);
  graph_.draw({.timeline = frame.timeline,
               .theme = frame.theme,
               .area = {x, area.y + graph_top_px, right_of(area) - x,
                        std::max(area.height - graph_top_px, 0.0f)},
               .totals = frame.tree,
               .version = frame.totals_version,
               .counting = frame.counting,
               .wheel_scrolls = frame.state.wheel_scrolls,
               .head = false},
              actions);
}

}  // namespace cinderscope
