#include "render/views/timeline/counters.h"

#include <algorithm>
#include <cmath>

#include "render/layout/counter_shape.h"
#include "render/text/counter_text.h"
#include "render/text/label.h"

namespace cinderscope {
namespace {

// Collects columns of one series; neighbours that look the same become one rectangle.
class SeriesPainter {
 public:
  SeriesPainter(ImDrawList& list, Rgba colour) : rects_(list), colour_(colour) {}
  ~SeriesPainter() { flush(); }
  SeriesPainter(const SeriesPainter&) = delete;
  SeriesPainter& operator=(const SeriesPainter&) = delete;

  // Edges on screen, from upper to lower; an area of no height is none.
  struct Column {
    float area_top, area_bottom, line_top, line_bottom;
    bool operator==(const Column&) const = default;
  };
  void add(float x, const Column& column) {
    if (x != x1_ || column != column_) {
      flush();
      x0_ = x;
      column_ = column;
    }
    x1_ = x + 1;
  }

 private:
  void flush() {
    if (x1_ <= x0_) return;
    if (column_.area_bottom > column_.area_top) {
      rects_.add(x0_, column_.area_top, x1_, column_.area_bottom, with_alpha(colour_, 100));
    }
    rects_.add(x0_, column_.line_top, x1_, column_.line_bottom, colour_);
  }

  RectBatch rects_;
  Rgba colour_;
  Column column_{};
  float x0_ = 0, x1_ = 0;
};

// The values at the upper and the lower edge; legible over the areas.
void draw_scale(const Canvas& canvas, const Track& track, const CounterCache::Shape& shape,
                float top, float bottom) {
  const Timeline& timeline = canvas.frame.timeline;
  const ImFont& numbers = font_or_default(canvas.theme.numbers);
  const std::string_view unit = unit_of(timeline, track, track.series.front());
  const float x = canvas.tracks.x + canvas.px(4), pad = canvas.px(2);
  const float half = std::round(canvas.px(7));
  const auto mark = [&](double value, float y) {
    const std::string text = drawable(short_counter_text(value, unit));
    const float width = text_width(numbers, text);
    fill(canvas.list, {x - pad, y - half, width + 2 * pad, 2 * half},
         with_alpha(canvas.colours.background, 170));
    draw_text(canvas.list, numbers, x, y, canvas.colours.dim, text);
  };
  mark(shape.high, top + half);
  mark(shape.low, bottom - half);
}

void draw_counter(const Canvas& canvas, const TrackRow& row, const VisibleRow& visible,
                  CounterCache& cache) {
  const Timeline& timeline = canvas.frame.timeline;
  const Track& track = timeline.tracks[index(row.track)];
  const double top_px = static_cast<double>(visible.y_px) + kTrackPadPx;
  const float top = canvas.y_of(top_px);
  const float bottom = canvas.y_of(top_px + row.height_px - 2 * kTrackPadPx);
  const CounterCache::Shape& shape = cache.shape_of(row.track, track);
  const auto height = static_cast<double>(bottom - top);
  const double per_value = height / (shape.high - shape.low);
  const auto y_of = [&](double value) {
    const double above = std::clamp((value - shape.low) * per_value, 0.0, height);
    return bottom - static_cast<float>(static_cast<int>(above + 0.5));  // to the nearest pixel
  };
  const bool filled = shape.stacked || track.series.size() == 1;
  const auto columns = static_cast<std::size_t>(std::max(canvas.tracks.width, 0.0f)) + 1;
  cache.below.assign(shape.stacked ? columns : 0, ValueSpan{});
  for (std::size_t i = 0; i < track.series.size(); ++i) {
    const CounterSeries& series = track.series[i];
    const StringId named = series.name == kEmptyString ? track.name : series.name;
    const Rgba colour = canvas.palette.box(timeline.strings->hash(named));
    counter_columns(series, cache.of(row.track, i, series), canvas.frame.state.view,
                    timeline.end_ns, cache.columns);
    SeriesPainter painter(canvas.list, colour);
    for (const CounterColumn& column : cache.columns) {
      ValueSpan values = column.values;
      // The value of the area's lower edge: the sum of the series below it, else zero.
      double base = 0;
      if (shape.stacked) {
        ValueSpan& below = cache.below[static_cast<std::size_t>(column.x_px)];
        base = static_cast<double>(below.min);
        values = {values.min + below.min, values.max + below.max};
        below = values;
      }
      // The area reaches to the value nearest to its base; values passed through within the column
      // are a line. The line includes the value at the column's begin, so that lines join.
      const double inner =
          std::clamp(base, static_cast<double>(values.min), static_cast<double>(values.max));
      const float edge = y_of(inner), floor = y_of(base);
      SeriesPainter::Column drawn{std::min(edge, floor), std::max(edge, floor),
                                  y_of(static_cast<double>(values.max)),
                                  y_of(static_cast<double>(values.min)) + 1};
      if (!filled) drawn.area_top = drawn.area_bottom = 0;
      painter.add(canvas.tracks.x + column.x_px, drawn);
    }
  }
  if (!row.collapsed) draw_scale(canvas, track, shape, top, bottom);
  const CounterRef& selected = canvas.frame.state.selected_counter;
  if (selected.track != row.track) return;
  vertical_line(canvas.list, canvas.x_of(selected.time_ns), top, bottom, canvas.colours.accent);
}

}  // namespace

const CounterLod& CounterCache::of(TrackId track, std::size_t series, const CounterSeries& values) {
  const std::pair key(track, series);
  auto found = lods_.find(key);
  if (found != lods_.end() && found->second.points() != values.value.size()) {
    lods_.erase(found);
    found = lods_.end();
  }
  if (found == lods_.end()) found = lods_.emplace(key, CounterLod(values)).first;
  return found->second;
}

const CounterCache::Shape& CounterCache::shape_of(TrackId track, const Track& facts) {
  std::size_t points = 0;
  for (const CounterSeries& series : facts.series) points += series.value.size();
  Shape& shape = shapes_[track];
  if (shape.points == points && shape.series == facts.series.size()) return shape;
  const CounterShape made = counter_shape(facts);
  shape = {points, facts.series.size(), made.stacked, made.low, made.high};
  return shape;
}

void draw_counters(const Canvas& canvas, const TrackList& tracks, const Layout& layout,
                   CounterCache& cache) {
  for (const VisibleRow& visible : layout.visible) {
    const TrackRow& row = tracks.rows()[visible.index];
    if (row.kind == TrackRow::Kind::counter) draw_counter(canvas, row, visible, cache);
  }
}

}  // namespace cinderscope
