#include "render/views/timeline/overview.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "render/layout/activity.h"
#include "render/layout/match_columns.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr std::size_t kRowsAFrame = 100;  // of tracks that are read closely
constexpr float kPadPx = 6;
constexpr float kMinLinePx = 4;
constexpr float kMaxLinePx = 14;
constexpr float kMinFramePx = 6;
constexpr float kMatchPx = 5;
constexpr float kFlagPx = 4;  // half of a bookmark's width

}  // namespace

void Overview::update(const Timeline& timeline, const TrackList& pinned, const TrackList& tracks,
                      float width_px, std::size_t max_lines, bool changed) {
  due_ = due_ || changed || width_px != width_px_ || max_lines != max_lines_;
  width_px_ = width_px;
  max_lines_ = max_lines;
  // Half of one trace and half of another would lie.
  if (std::exchange(strings_, timeline.strings.get()) != timeline.strings.get()) begun_.reset();
  if (!begun_ && !due_) return;
  if (!begun_) begin(timeline, pinned, tracks);
  const std::size_t lines = begun_->line_count;
  const std::size_t rows_of_line =
      std::min(kReadClosely, begun_->order.size()) / std::max<std::size_t>(lines, 1);
  for (std::size_t rows = 0; begun_->lines.size() < lines && rows < kRowsAFrame;) {
    add_line(timeline);
    rows += std::max<std::size_t>(rows_of_line, 1);
  }
  if (begun_->lines.size() < lines) return;
  lines_ = std::move(begun_->lines);
  view_ = begun_->view;
  begun_.reset();
}

void Overview::begin(const Timeline& timeline, const TrackList& pinned, const TrackList& tracks) {
  due_ = false;
  Begun& begun = begun_.emplace();
  begun.view = showing(timeline.begin_ns, timeline.end_ns, width_px_);
  if (lines_.empty()) view_ = begun.view;
  struct Candidate {
    double y_px;
    std::uint32_t track;
  };
  std::vector<Candidate> found;
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    if (activity_row(track) == nullptr) continue;
    const TrackRow* above = pinned.row_of(TrackId(i));
    const TrackRow* row = tracks.row_of(TrackId(i));
    const double y_px = row == nullptr ? 1e300 : row->y_px;
    found.push_back({above != nullptr ? above->y_px - 1e15 : y_px, i});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Candidate& a, const Candidate& b) { return a.y_px < b.y_px; });
  begun.order.resize(found.size());
  std::ranges::transform(found, begun.order.begin(), &Candidate::track);
  begun.line_count = std::min(begun.order.size(), std::max<std::size_t>(max_lines_, 1));
}

void Overview::add_line(const Timeline& timeline) {
  Begun& begun = *begun_;
  const std::size_t i = begun.lines.size(), count = begun.line_count;
  const std::size_t first = begun.order.size() * i / count;
  const std::size_t end = begun.order.size() * (i + 1) / count;
  std::vector<std::uint32_t> tracks(begun.order.begin() + static_cast<std::ptrdiff_t>(first),
                                    begun.order.begin() + static_cast<std::ptrdiff_t>(end));
  std::erase_if(tracks, [&](std::uint32_t track) { return track >= timeline.tracks.size(); });
  covered_.assign(static_cast<std::size_t>(std::max(begun.view.width_px, 0.0f)), 0.0f);
  std::atomic<bool> missing{false};  // what sums it up is as good here
  add_activity(timeline, tracks, std::max<std::size_t>(kReadClosely / count, 1), begun.view,
               covered_, &missing);
  const auto busiest = std::ranges::max_element(
      tracks, {}, [&](std::uint32_t track) { return busy_ns_of(timeline.tracks[track]); });
  begun.lines.push_back(
      {busiest == tracks.end() ? kNoTrack : TrackId(*busiest), busy_bytes(covered_)});
}

void Overview::update_matches(const MatchSet* matches, std::uint64_t version) {
  const Marked wanted{matches, matches == nullptr ? 0 : matches->count(), version, view_};
  if (wanted == marked_) return;
  marked_ = wanted;
  matched_.clear();
  if (matches != nullptr && matches->count() > 0) {
    matched_ = cinderscope::match_columns(*matches, view_);
  }
}

void draw_busy(RectBatch& rects, float x, float y0, float y1, std::span<const std::uint8_t> busy,
               Rgba colour) {
  for (std::size_t c = 0; c < busy.size();) {
    // Equal neighbours are one rectangle.
    const std::uint32_t level = (busy[c] + 16u) / 17;
    std::size_t end = c + 1;
    while (end < busy.size() && (busy[end] + 16u) / 17 == level) ++end;
    if (level > 0) {
      rects.add(x + static_cast<float>(c), y0, x + static_cast<float>(end), y1,
                with_alpha(colour, 46 + level * 209 / 15));
    }
    c = end;
  }
}

std::size_t overview_line_limit(const Canvas& canvas) {
  const float room = canvas.overview.height - 2 * canvas.px(kPadPx);
  return static_cast<std::size_t>(std::max(room / canvas.px(kMinLinePx), 1.0f));
}

OverviewFrame overview_frame(const Canvas& canvas, const Overview& overview) {
  const Viewport& view = canvas.frame.state.view;
  const auto width = static_cast<double>(canvas.overview.width);
  const double x0 = std::clamp(overview.view().px_from_ns(view.begin_ns), 0.0, width);
  const double x1 = std::clamp(overview.view().px_from_ns(view.end_ns()), 0.0, width);
  const double missing = std::max(static_cast<double>(canvas.px(kMinFramePx)) - (x1 - x0), 0.0);
  const float left = canvas.overview.x;
  return {left + static_cast<float>(x0 - missing / 2), left + static_cast<float>(x1 + missing / 2)};
}

namespace {

// The selected range, matches of the search and bookmarks.
void draw_marks(const Canvas& canvas, const Overview& overview) {
  const ThemeColours& colours = canvas.colours;
  const TimelineState& state = canvas.frame.state;
  const Rect& area = canvas.overview;
  const auto x_of = [&](std::int64_t time_ns) {
    const double x_px = overview.view().px_from_ns(time_ns);
    return area.x + static_cast<float>(std::clamp(x_px, -1.0, static_cast<double>(area.width) + 1));
  };
  if (state.range) {
    const float x0 = std::round(x_of(state.range->begin_ns));
    const float x1 = std::max(std::round(x_of(state.range->end_ns)), x0 + 1);
    fill(canvas.list, {x0, area.y, x1 - x0, area.height}, with_alpha(colours.text, 38));
    fill(canvas.list, {x0, area.y, 1, area.height}, with_alpha(colours.text, 150));
    fill(canvas.list, {x1 - 1, area.y, 1, area.height}, with_alpha(colours.text, 150));
  }
  const std::span<const std::uint8_t> matched = overview.match_columns();
  if (!matched.empty()) {
    RectBatch rects(canvas.list);
    const float y1 = bottom_of(area) - 1, y0 = y1 - canvas.px(kMatchPx);
    for (std::size_t c = 0; c < matched.size(); ++c) {
      const float x = area.x + static_cast<float>(c);
      if (matched[c] != 0) rects.add(x, y0, x + 1, y1, colours.text);
    }
  }
  const float side = canvas.px(kFlagPx);
  float drawn_x = -2;  // thousands of bookmarks in one column are one flag
  for (const Bookmark& mark : state.bookmarks) {
    const float x = std::floor(x_of(mark.time_ns));
    if (x == drawn_x) continue;
    drawn_x = x;
    canvas.list.AddTriangleFilled({x - side, area.y}, {x + side, area.y}, {x, area.y + 1.5f * side},
                                  colours.text);
  }
}

}  // namespace

void draw_overview(const Canvas& canvas, const Overview& overview) {
  const Timeline& timeline = canvas.frame.timeline;
  const ThemeColours& colours = canvas.colours;
  const Rect& area = canvas.overview;
  fill(canvas.list, canvas.overview_head, colours.panel);
  fill(canvas.list, area, colours.panel);
  const float text_x = canvas.overview_head.x + canvas.px(14);
  draw_text(canvas.list, font_or_default(canvas.theme.words), text_x, area.y + canvas.px(19),
            colours.dim, "Whole trace");
  std::int64_t length_ns = 0;
  if (!__builtin_sub_overflow(timeline.end_ns, timeline.begin_ns, &length_ns)) {
    draw_text(canvas.list, font_or_default(canvas.theme.numbers), text_x, area.y + canvas.px(37),
              colours.dim, exact_length_text(length_ns, timeline.axis));
  }

  canvas.list.PushClipRect({area.x, area.y}, {right_of(area), bottom_of(area)}, true);
  if (!overview.lines().empty()) {
    RectBatch rects(canvas.list);
    const auto lines = static_cast<float>(overview.lines().size());
    const float room = area.height - 2 * canvas.px(kPadPx);
    const float step = std::min(room / lines, canvas.px(kMaxLinePx));
    float y = area.y + canvas.px(kPadPx) + (room - step * lines) / 2;
    for (const Overview::Line& line : overview.lines()) {
      if (index(line.track) >= timeline.tracks.size()) continue;
      const std::string name = track_label(timeline, timeline.tracks[index(line.track)]);
      const Rgba colour = canvas.palette.box(stable_hash(name));
      const float y0 = std::round(y);
      const float y1 = std::max(std::round(y + step) - 1, y0 + 1);
      draw_busy(rects, area.x, y0, y1, line.busy, colour);
      y += step;
    }
  }

  draw_marks(canvas, overview);
  const OverviewFrame frame = overview_frame(canvas, overview);
  const bool dark = canvas.theme.kind == ThemeKind::dark;
  const Rgba shade = dark ? rgb(0x0a0b0d, 140) : rgb(0xffffff, 158);
  fill(canvas.list, {area.x, area.y, frame.x0 - area.x, area.height}, shade);
  fill(canvas.list, {frame.x1, area.y, right_of(area) - frame.x1, area.height}, shade);
  const float line = canvas.px(1.5f);
  canvas.list.AddRect({frame.x0, area.y + line / 2}, {frame.x1, bottom_of(area) - line / 2},
                      colours.accent, 0, 0, line);
  for (const float at : {frame.x0, frame.x1}) {
    const float x = std::clamp(at - canvas.px(2), area.x, right_of(area) - canvas.px(4));
    fill(canvas.list, {x, area.y + canvas.px(18), canvas.px(4), canvas.px(18)}, colours.accent);
  }
  canvas.list.PopClipRect();
}

}  // namespace cinderscope
