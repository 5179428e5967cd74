#include "render/counter_view.h"

#include <algorithm>
#include <cmath>

#include "render/time_text.h"

namespace cinderscope {
namespace {

struct Scale {
  double low = 0, high = 1;  // values at the lower and the upper edge
};

// Zero is always part of it, so that areas can be compared.
Scale scale_of(const Track& track) {
  Scale scale{0, 0};
  for (const CounterSeries& series : track.series) {
    if (std::isfinite(series.min)) scale.low = std::min(scale.low, series.min);
    if (std::isfinite(series.max)) scale.high = std::max(scale.high, series.max);
  }
  if (!(scale.high > scale.low)) scale.high = scale.low + 1;
  return scale;
}

void draw_counter(const Canvas& canvas, const TrackRow& row, const VisibleRow& visible,
                  CounterCache& cache) {
  const Timeline& timeline = canvas.frame.timeline;
  const Track& track = timeline.tracks[index(row.track)];
  const double top_px = static_cast<double>(visible.y_px) + kTrackPadPx;
  const float top = canvas.y_of(top_px);
  const float bottom = canvas.y_of(top_px + row.height_px - 2 * kTrackPadPx);
  const Scale scale = scale_of(track);
  const auto y_of = [&](double value) {
    const double share = (value - scale.low) / (scale.high - scale.low);
    return bottom - std::round((bottom - top) * static_cast<float>(std::clamp(share, 0.0, 1.0)));
  };
  const float zero = y_of(0);
  for (std::size_t i = 0; i < track.series.size(); ++i) {
    const CounterSeries& series = track.series[i];
    const StringId named = series.name == kEmptyString ? track.name : series.name;
    const Rgba colour = canvas.palette.box(timeline.strings->hash(named));
    const CounterLod& lod = cache.of(row.track, i, series);
    counter_columns(series, lod, canvas.frame.state.view, cache.columns);
    RectBatch rects(canvas.list);
    float last = zero;
    for (const CounterColumn& column : cache.columns) {
      const float x = canvas.tracks.x + column.x_px;
      const float high = y_of(static_cast<double>(column.values.max));
      const float low = y_of(static_cast<double>(column.values.min));
      // The area reaches to the smaller value, what is passed through within the column is a line.
      const float inner = std::clamp(zero, high, low);
      rects.add(x, std::min(inner, high), x + 1, std::max(inner, low), with_alpha(colour, 100));
      const float line_top = std::min(high, last);
      rects.add(x, line_top, x + 1, std::max(low, last) + 1, colour);
      last = std::clamp(last, high, low);
    }
  }
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

void draw_counters(const Canvas& canvas, const TrackList& tracks, const Layout& layout,
                   CounterCache& cache) {
  for (const VisibleRow& visible : layout.visible) {
    const TrackRow& row = tracks.rows()[visible.index];
    if (row.kind == TrackRow::Kind::counter) draw_counter(canvas, row, visible, cache);
  }
}

std::string counter_value_text(const Track& track, std::optional<std::int64_t> cursor_ns) {
  constexpr std::size_t kMaxSeries = 3;  // more do not fit into the gutter
  std::string text;
  for (std::size_t i = 0; i < track.series.size(); ++i) {
    const CounterSeries& series = track.series[i];
    if (i > 0) text += " / ";
    if (i == kMaxSeries) return text + "…";
    const std::size_t point = point_at(series, cursor_ns.value_or(INT64_MAX));
    text += point < series.value.size() ? number_text(series.value[point]) : "–";
  }
  return text;
}

}  // namespace cinderscope
