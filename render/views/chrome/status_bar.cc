#include "render/views/chrome/status_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ingest/base/saturating.h"
#include "ingest/model/measure/sample_runs.h"
#include "render/base/palette.h"
#include "render/text/size_text.h"
#include "render/text/time_text.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

constexpr float kPadPx = 12;
constexpr float kGapPx = 22;

// Digits below a pixel would only flicker while panning.
std::int64_t rounded_to_pixel(std::int64_t time_ns, double ns_per_px) {
  std::int64_t step = 1;
  while (static_cast<double>(step) * 10 <= ns_per_px && step < 1'000'000'000'000'000) step *= 10;
  return time_ns - time_ns % step;
}

std::string span_text(const Timeline& timeline, const TimelineState& state) {
  // Only the part of the view that holds the trace, without the margins around it.
  const bool is_range = state.range.has_value();
  TimeRange span{std::clamp(state.view.begin_ns, timeline.begin_ns, timeline.end_ns),
                 std::clamp(state.view.end_ns(), timeline.begin_ns, timeline.end_ns)};
  if (is_range) span = *state.range;
  // Rounded relative to the trace's begin, so that the begin itself stays exact.
  const auto shown_ns = [&](std::int64_t time_ns) {
    if (is_range || time_ns == timeline.end_ns) return time_ns;
    const std::int64_t since_ns = saturating_difference(time_ns, timeline.begin_ns);
    return saturating_sum(timeline.begin_ns, rounded_to_pixel(since_ns, state.view.ns_per_px));
  };
  const std::int64_t begin_ns = shown_ns(span.begin_ns), end_ns = shown_ns(span.end_ns);
  const TimestampFormat format = timestamp_format(timeline, state);
  return fmt::format("{}{} – {}  ({})", is_range ? "selected " : "",
                     timestamp_text(begin_ns, format), timestamp_text(end_ns, format),
                     exact_length_text(saturating_difference(end_ns, begin_ns), timeline.axis));
}

std::string counted(std::uint64_t count, std::string_view one) {
  return fmt::format("{} {}{}", count_text(count), one, count == 1 ? "" : "s");
}

std::vector<std::string> left_texts(const StatusFrame& frame) {
  std::vector<std::string> texts;
  if (!frame.facts.empty()) {
    if (!frame.message.empty()) return {frame.message};
    return frame.facts;
  }
  if (frame.timeline != nullptr && frame.state != nullptr && !frame.timeline->empty()) {
    texts.push_back(span_text(*frame.timeline, *frame.state));
  }
  if (!frame.message.empty()) {
    texts.push_back(frame.message);
    return texts;
  }
  if (frame.timeline == nullptr) return texts;
  if (frame.range_calls && frame.state != nullptr && frame.state->range) {
    const bool runs = counts_runs(*frame.timeline);
    texts.push_back(counted(*frame.range_calls, runs ? "run" : "call") + " in it");
  }
  const Timeline& timeline = *frame.timeline;
  // What there is none of is only said where there is nothing else.
  const bool only_async = timeline.slice_count == 0 && timeline.async_slice_count > 0;
  if (!only_async) texts.push_back(counted(timeline.slice_count, "slice"));
  if (only_async) texts.push_back(counted(timeline.async_slice_count, "async slice"));
  if (!only_async || frame.thread_count > 0) {
    texts.push_back(counted(frame.thread_count, "thread"));
  }
  if (frame.kept_bytes > 0) texts.push_back(size_text(frame.kept_bytes) + " kept");
  return texts;
}

std::string right_text(const StatusFrame& frame) {
  if (!frame.loading) {
    if (!frame.right.empty()) return frame.right;
    if (!frame.work.empty()) return frame.work;
    if (frame.growing) return "growing";
    if (frame.timeline == nullptr || !(frame.load_seconds > 0)) return {};
    const double ns = std::min(frame.load_seconds, 1e9) * 1e9;
    return "loaded in " + duration_text(ns);
  }
  std::string text = "loading";
  if (frame.load_fraction > 0) {
    text += fmt::format("  {:.0f} %", std::floor(std::min(frame.load_fraction, 1.0) * 100));
  }
  if (frame.bytes_per_second > 0) text += "  " + rate_text(frame.bytes_per_second);
  if (frame.unpacked_bytes > 0) text += "  " + size_text(frame.unpacked_bytes) + " unpacked";
  return text;
}

// The legend of colours, left of the texts at the right end, which it moves. A click searches for
// everything of one colour.
void draw_legend(const StatusFrame& frame, const Pen& pen, float y, float& end_x,
                 Actions& actions) {
  const Palette& palette = palette_of(frame.theme.kind, frame.theme.colour_blind);
  const float side = std::round(pen.px(9)), gap = pen.px(6);
  const std::vector<LegendEntry>& legend = frame.timeline->legend;
  if (!legend.empty()) end_x -= pen.px(kGapPx);
  for (std::size_t i = legend.size(); i-- > 0;) {
    const LegendEntry& entry = legend[i];
    const float width = side + gap + text_width(pen.words, entry.text);
    const Rect place{end_x - width, frame.area.y + 1, width, frame.area.height - 1};
    if (place.x < frame.area.x + frame.area.width / 2) return;  // the counts come first
    const Press press = press_area(i, place);
    fill(pen.list, {place.x, std::round(y - side / 2), side, side}, palette.box(entry.colour));
    const bool leads = !entry.search.empty();
    draw_text(pen.list, pen.words, place.x + side + gap, y,
              press.hovered && leads ? pen.colours.text : pen.colours.dim, entry.text);
    if (press.clicked && leads) actions.push_back(RunCommand{"search", entry.search});
    end_x = place.x - pen.px(14);
  }
}

}  // namespace

std::uint64_t count_threads(const Timeline& timeline) {
  const auto owns = [](const Thread& thread) { return thread.track != kNoTrack; };
  return static_cast<std::uint64_t>(std::ranges::count_if(timeline.threads, owns));
}

void draw_status(const StatusFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  fill(pen.list, area, pen.colours.panel);
  horizontal_line(pen.list, area.x, right_of(area), area.y, pen.colours.line);
  const float y = middle_y(area);
  float end_x = right_of(area) - pen.px(kPadPx);
  const bool ends_work = !frame.loading && !frame.end_work.empty();
  if (frame.loading || ends_work) {
    const Rect cross{end_x - pen.px(16), area.y + 1, pen.px(20), area.height - 1};
    const Press press = press_area("cancel", cross);
    draw_text(pen.list, pen.words, cross.x + pen.px(6), y,
              press.hovered ? pen.colours.text : pen.colours.dim, "×");
    if (press.hovered) hint(pen, ends_work ? "End it" : "Stop loading");
    if (press.clicked) actions.push_back(RunCommand{ends_work ? frame.end_work : "cancel", {}});
    end_x = cross.x - pen.px(4);
  }
  const std::string right = right_text(frame);
  end_x -= draw_text(pen.list, pen.numbers, end_x, y, pen.colours.dim, right, Align::right);
  if (frame.timeline != nullptr) draw_legend(frame, pen, y, end_x, actions);
  float x = area.x + pen.px(kPadPx);
  for (const std::string& text : left_texts(frame)) {
    const float room = end_x - pen.px(kGapPx) - x;
    if (room <= 0) break;
    draw_cut_text(pen.list, pen.numbers, x, y, room, pen.colours.dim, text);
    x += text_width(pen.numbers, text) + pen.px(kGapPx);
  }
}

}  // namespace cinderscope
