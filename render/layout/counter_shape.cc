#include "render/layout/counter_shape.h"

#include <algorithm>
#include <cmath>

#include "render/layout/counter_lod.h"

namespace cinderscope {

CounterShape counter_shape(const Track& track) {
  // Stacked areas make sense only without negative values.
  const bool stacked =
      track.series.size() > 1 &&
      std::ranges::all_of(track.series, [](const CounterSeries& s) { return s.min >= 0; });
  // The range always includes zero, so that areas can be compared.
  CounterShape shape{stacked, 0, stacked ? highest_sum(track) : 0};
  for (const CounterSeries& series : track.series) {
    if (std::isfinite(series.min)) shape.low = std::min(shape.low, series.min);
    if (std::isfinite(series.max)) shape.high = std::max(shape.high, series.max);
  }
  if (!(shape.high > shape.low)) shape.high = shape.low + 1;
  return shape;
}

}  // namespace cinderscope
