#include "render/views/timeline/overview.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr float kPadPx = 6;
constexpr float kMinLinePx = 4;
constexpr float kMaxLinePx = 14;
constexpr float kMinFramePx = 6;

double busy_ns(const LodSummary& summary, double length_ns) {
  return length_ns * summary.busy / 255;
}

// How busy the outermost slices are, by the coarsest summaries.
double busy_ns_of(const Track& track) {
  if (track.busy_row() == nullptr) return 0;
  const SliceRow& row = *track.busy_row();
  double sum_ns = 0;
  if (!row.upper.empty()) {
    for (const LodSpan& span : row.upper.back()) {
      sum_ns += busy_ns(span.summary, static_cast<double>(span.length_ns));
    }
  } else {
    for (const auto& chunk : row.chunks) {
      sum_ns += busy_ns(chunk->whole(), static_cast<double>(chunk->last_end_ns()) -
                                            static_cast<double>(chunk->first_begin_ns()));
    }
  }
  return sum_ns;
}

// What stands for the track: its outermost slices, or its instants where it has nothing else.
const SliceRow* overview_row(const Track& track) {
  if (track.busy_row() != nullptr) return track.busy_row();
  return track.instants.chunks.empty() ? nullptr : &track.instants;
}

void fill_columns(const std::vector<DrawBox>& boxes, std::vector<std::uint8_t>& busy) {
  std::vector<float> covered(busy.size(), 0);
  for (const DrawBox& box : boxes) {
    if (box.thin()) {
      const auto column = static_cast<std::size_t>(box.x_px);
      if (column < covered.size()) covered[column] += static_cast<float>(box.tint.busy) / 255;
      continue;
    }
    const float end = box.x_px + box.width_px;
    for (auto c = static_cast<std::size_t>(std::max(box.x_px, 0.0f)); c < covered.size(); ++c) {
      const auto left = static_cast<float>(c);
      if (left >= end) break;
      covered[c] += std::min(end, left + 1) - std::max(box.x_px, left);
    }
  }
  for (std::size_t c = 0; c < busy.size(); ++c) {
    // Any activity is visible.
    const float share = std::min(covered[c], 1.0f) * 255;
    busy[c] = covered[c] > 0 ? static_cast<std::uint8_t>(std::max(share, 1.0f)) : 0;
  }
}

}  // namespace

void Overview::update(const Timeline& timeline, const TrackList& pinned, const TrackList& tracks,
                      float width_px, std::size_t max_lines, bool changed) {
  if (!changed && width_px == view_.width_px && max_lines == max_lines_) return;
  max_lines_ = max_lines;
  view_ = showing(timeline.begin_ns, timeline.end_ns, width_px);
  struct Candidate {
    bool of_calls;  // these have the first claim on a line
    double busy_ns;
    TrackId track;
    double y_px;
  };
  std::vector<Candidate> found;
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    if (overview_row(track) == nullptr) continue;
    const double busy = busy_ns_of(track);
    const TrackRow* above = pinned.row_of(TrackId(i));
    const TrackRow* row = tracks.row_of(TrackId(i));
    const double y_px = row == nullptr ? 1e300 : row->y_px;
    const bool of_calls = track.kind != TrackKind::async && track.kind != TrackKind::lifetimes &&
                          track.kind != TrackKind::marks;
    found.push_back(
        {of_calls && busy > 0, busy, TrackId(i), above != nullptr ? above->y_px - 1e15 : y_px});
  }
  const auto kept = std::min(found.size(), max_lines);
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept), found.end(),
                    [](const Candidate& a, const Candidate& b) {
                      return std::tie(a.of_calls, a.busy_ns) > std::tie(b.of_calls, b.busy_ns);
                    });
  found.resize(kept);
  // The busiest threads, but in the order of the tracks.
  std::sort(found.begin(), found.end(),
            [](const Candidate& a, const Candidate& b) { return a.y_px < b.y_px; });
  lines_.clear();
  std::vector<DrawBox> boxes;
  for (const Candidate& candidate : found) {
    boxes.clear();
    const Track& track = timeline.tracks[index(candidate.track)];
    lay_out_row(*overview_row(track), view_, *timeline.strings, boxes);
    Line& line = lines_.emplace_back();
    line.track = candidate.track;
    line.busy.resize(static_cast<std::size_t>(view_.width_px));
    fill_columns(boxes, line.busy);
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
              colours.dim, exact_text(length_ns, timeline.axis));
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
      for (std::size_t c = 0; c < line.busy.size();) {
        // Equal neighbours, in sixteen steps of opacity, are one rectangle.
        const std::uint32_t level = (line.busy[c] + 16u) / 17;
        std::size_t end = c + 1;
        while (end < line.busy.size() && (line.busy[end] + 16u) / 17 == level) ++end;
        if (level > 0) {
          rects.add(area.x + static_cast<float>(c), y0, area.x + static_cast<float>(end), y1,
                    with_alpha(colour, 46 + level * 209 / 15));
        }
        c = end;
      }
      y += step;
    }
  }

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
