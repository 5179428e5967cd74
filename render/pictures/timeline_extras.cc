// Counters, pauses, gaps and flows, as views/timeline has them.
#include "ingest/base/saturating.h"
#include "ingest/model/flow_links.h"
#include "ingest/model/pauses.h"
#include "render/layout/counter_lod.h"
#include "render/layout/counter_shape.h"
#include "render/layout/pause_bands.h"
#include "render/pictures/timeline_canvas.h"
#include "render/text/counter_text.h"
#include "render/text/label.h"

namespace cinderscope {
namespace {

// An area as one shape, and its upper edge as one line: a rectangle for each column would be most
// of the file.
void draw_series(const PictureCanvas& canvas, const std::vector<CounterColumn>& columns,
                 const std::vector<ValueSpan>& below, const CounterShape& shape, float top,
                 float bottom, bool filled, Rgba colour) {
  const auto height = static_cast<double>(bottom - top);
  const double per_value = height / (shape.high - shape.low);
  const auto y_of = [&](double value) {
    return bottom -
           static_cast<float>(std::round(std::clamp((value - shape.low) * per_value, 0.0, height)));
  };
  std::vector<PicturePoint> edge, floor;
  const auto add = [](std::vector<PicturePoint>& points, PicturePoint point) {
    // Of points in a row the ends are enough.
    const std::size_t count = points.size();
    if (count >= 2 && points[count - 1].y == point.y && points[count - 2].y == point.y) {
      points.back() = point;
    } else {
      points.push_back(point);
    }
  };
  for (const CounterColumn& column : columns) {
    const float x = canvas.tracks.x + column.x_px;
    const auto at = static_cast<std::size_t>(column.x_px);
    const double base = below.empty() ? 0 : static_cast<double>(below[at].min);
    const double under = below.empty() ? 0 : base;
    const double low = under + static_cast<double>(column.values.min);
    const double high = under + static_cast<double>(column.values.max);
    const float y0 = y_of(low), y1 = y_of(high), y_base = y_of(base);
    for (const float each_x : {x, x + 1}) {
      add(edge, {each_x, y1});
      add(floor, {each_x, y_base});
    }
    if (y0 != y1) add(edge, {x + 1, y0});
  }
  if (edge.empty()) return;
  if (filled) {
    std::vector<PicturePoint> area = edge;
    area.insert(area.end(), floor.rbegin(), floor.rend());
    canvas.pen.polygon(std::move(area), with_alpha(colour, 100));
  }
  canvas.pen.line(std::move(edge), colour, 1);
}

void draw_scale(const PictureCanvas& canvas, const Track& track, const CounterShape& shape,
                float top, float bottom) {
  PicturePen& pen = canvas.pen;
  const std::string_view unit = unit_of(canvas.timeline, track, track.series.front());
  const float x = canvas.tracks.x + pen.px(4.0f), pad = pen.px(2.0f);
  const float half = std::round(pen.px(7.0f));
  for (const bool upper : {true, false}) {
    const std::string text = drawable(short_counter_text(upper ? shape.high : shape.low, unit));
    const float y = upper ? top + half : bottom - half;
    pen.fill({x - pad, y - half, pen.width(PictureFont::numbers, text) + 2 * pad, 2 * half},
             with_alpha(pen.paper, 170));
    pen.text(PictureFont::numbers, x, y, pen.colours.dim, text);
  }
}

bool is_on(const Timeline& timeline, const DataGap& gap, TrackId id) {
  if (gap.file == kNoFile && gap.thread == kNoThread) return true;
  if (id == kNoTrack) return false;
  const Track& track = timeline.tracks[index(id)];
  if (gap.file == kNoFile) return track.thread == gap.thread;
  const std::uint32_t process = index(track.process);
  return process < timeline.processes.size() && timeline.processes[process].file == gap.file;
}

struct FlowEnd {
  PicturePoint at;
  float width_px = 0;  // of the slice
};

std::optional<FlowEnd> flow_end(const PictureCanvas& canvas, const PictureTracks& pinned,
                                const PictureTracks& main, const FlowPoint& point) {
  if (point.track == kNoTrack) return std::nullopt;
  const bool is_pinned = pinned.tracks.row_of(point.track) != nullptr;
  const PictureTracks& part = is_pinned ? pinned : main;
  const TrackRow* row = part.tracks.row_of(point.track);
  if (row == nullptr) return std::nullopt;
  const std::uint32_t shown = std::min(point.row, std::max(row->shown_depth, 1u) - 1);
  const double y_px = row->y_px + row->first_px + kRowStepPx * shown + kRowPx / 2;
  FlowEnd end{{std::clamp(canvas.x_of(point.time_ns), canvas.tracks.x - 3000,
                          right_of(canvas.tracks) + 3000),
               part.y_of(canvas, y_px)},
              0};
  if (block_of(canvas.timeline, slice_of(point)) != nullptr) {
    const std::int64_t duration_ns = slice_at(canvas.timeline, slice_of(point)).duration_ns;
    end.width_px =
        static_cast<float>(static_cast<double>(duration_ns) / canvas.state.view.ns_per_px);
  }
  return end;
}

}  // namespace

void draw_counter(const PictureCanvas& canvas, const PictureTracks& part, const TrackRow& row,
                  const VisibleRow& visible) {
  const Timeline& timeline = canvas.timeline;
  const Track& track = timeline.tracks[index(row.track)];
  if (track.series.empty()) return;
  const double top_px = static_cast<double>(visible.y_px) + kTrackPadPx;
  const float top = part.y_of(canvas, top_px);
  const float bottom = part.y_of(canvas, top_px + row.height_px - 2 * kTrackPadPx);
  const CounterShape shape = counter_shape(track);
  const bool filled = shape.stacked || track.series.size() == 1;
  const auto columns = static_cast<std::size_t>(std::max(canvas.tracks.width, 0.0f)) + 1;
  std::vector<ValueSpan> below(shape.stacked ? columns : 0, ValueSpan{});
  std::vector<CounterColumn> found;
  for (const CounterSeries& series : track.series) {
    const StringId named = series.name == kEmptyString ? track.name : series.name;
    const Rgba colour = canvas.pen.palette.box(timeline.strings->hash(named));
    counter_columns(series, CounterLod(series), canvas.state.view, timeline.end_ns, found);
    draw_series(canvas, found, below, shape, top, bottom, filled, colour);
    if (!shape.stacked) continue;
    for (const CounterColumn& column : found) {
      ValueSpan& under = below[static_cast<std::size_t>(column.x_px)];
      under = {column.values.min + under.min, column.values.max + under.max};
    }
  }
  if (!row.collapsed) draw_scale(canvas, track, shape, top, bottom);
}

void draw_pauses_and_gaps(const PictureCanvas& canvas, const PictureTracks& part,
                          const TrackRow& row, const VisibleRow& visible) {
  PicturePen& pen = canvas.pen;
  const float y0 = part.y_of(canvas, static_cast<double>(visible.y_px));
  const float y1 = part.y_of(canvas, static_cast<double>(visible.y_px) + row.height_px);
  if (!canvas.timeline.pauses.empty()) {
    if (const ProcessPauses* pauses = pauses_of(canvas.timeline, row.track)) {
      for (const PauseBand& band : pause_bands(canvas.state.view, canvas.tracks, *pauses)) {
        pen.fill({band.x0, y0, band.x1 - band.x0, y1 - y0}, with_alpha(pen.colours.dim, 36));
      }
    }
  }
  for (const DataGap& gap : canvas.timeline.gaps) {
    if (!is_on(canvas.timeline, gap, row.track)) continue;
    const float left = canvas.tracks.x, right = right_of(canvas.tracks);
    const float x0 = std::clamp(std::floor(canvas.x_of(gap.begin_ns)), left, right);
    const bool open = gap.end_ns == DataGap::kToTheEnd;
    const float end = open ? right : std::ceil(canvas.x_of(gap.end_ns));
    if (x0 >= right || end < left) continue;
    const float x1 = std::clamp(std::max(end, x0 + 3), left, right);
    pen.hatch({x0, y0, x1 - x0, y1 - y0}, pen.px(7.0f), pen.px(1.0f),
              with_alpha(pen.colours.dim, 70));
  }
}

void draw_flows(const PictureCanvas& canvas, const PictureTracks& pinned, const PictureTracks& main,
                bool above_boxes) {
  constexpr std::size_t kMostCurves = 4000, kStrongCurves = 16;
  PicturePen& pen = canvas.pen;
  const Flows& flows = *canvas.timeline.flows;
  const SliceRef& selected = canvas.state.selected;
  const FlowChain chain = flow_chain(flows, selected, kMostCurves);
  const auto count = static_cast<float>(std::max(chain.links.size(), kStrongCurves));
  const float crowd = std::max(std::pow(static_cast<float>(kStrongCurves) / count, 0.75f), 0.06f);
  const Viewport& view = canvas.state.view;
  const auto around_ns = static_cast<std::int64_t>(pen.px(200.0f) * view.ns_per_px);
  for (const FlowLink& link : chain.links) {
    const FlowPoint begin = flow_point(canvas.timeline, link.from);
    const FlowPoint end = flow_point(canvas.timeline, link.to);
    if (std::max(begin.time_ns, end.time_ns) < saturating_difference(view.begin_ns, around_ns) ||
        std::min(begin.time_ns, end.time_ns) > saturating_sum(view.end_ns(), around_ns)) {
      continue;
    }
    auto from = flow_end(canvas, pinned, main, begin);
    const auto to_end = flow_end(canvas, pinned, main, end);
    if (!from || !to_end) continue;
    PicturePoint a = from->at;
    const PicturePoint b = to_end->at;
    const float half = pen.px(kRowPx / 2), down = b.y - a.y;
    if (std::abs(down) > half) a.y += down > 0 ? half : -half;
    const float bend = std::clamp((b.x - a.x) / 2, pen.px(16.0f), pen.px(160.0f));
    const bool direct = slice_of(begin) == selected || slice_of(end) == selected;
    const float strength = crowd * (direct ? 1.0f : 0.6f);
    const auto colour = [&](float share) {
      return with_alpha(pen.colours.accent,
                        static_cast<std::uint32_t>(std::lround(255 * strength * share)));
    };
    pen.line({a, {a.x + bend, a.y}, {b.x - bend, b.y}, b}, colour(above_boxes ? 0.4f : 1),
             pen.px(1.5f), true);
    const float head = std::min(pen.px(6.0f), to_end->width_px);
    if (!above_boxes || head < pen.px(2.0f)) continue;
    pen.polygon({b, {b.x - head, b.y - head * 0.7f}, {b.x - head, b.y + head * 0.7f}}, colour(1));
  }
}

}  // namespace cinderscope
