#include "render/layout/counter_lod.h"

#include <algorithm>
#include <cmath>

namespace cinderscope {
namespace {

constexpr std::size_t kFanout = 16;

// Values come from the file; what is no number is drawn as zero.
float drawable_value(double value) {
  return std::isfinite(value) ? static_cast<float>(std::clamp(value, -3e38, 3e38)) : 0;
}

void include(ValueSpan& span, const ValueSpan& other) {
  span.min = std::min(span.min, other.min);
  span.max = std::max(span.max, other.max);
}

}  // namespace

CounterLod::CounterLod(const CounterSeries& series) : points_(series.value.size()) {
  std::vector<ValueSpan> level;
  for (std::size_t i = 0; i < points_; ++i) {
    const float value = drawable_value(series.value[i]);
    if (i % kFanout == 0) level.push_back({value, value});
    include(level.back(), {value, value});
  }
  while (level.size() > 1) {
    std::vector<ValueSpan> above;
    for (std::size_t i = 0; i < level.size(); ++i) {
      if (i % kFanout == 0) above.push_back(level[i]);
      include(above.back(), level[i]);
    }
    levels_.push_back(std::move(level));
    level = std::move(above);
  }
  levels_.push_back(std::move(level));
}

ValueSpan CounterLod::over(const CounterSeries& series, std::size_t begin, std::size_t end) const {
  const float first = drawable_value(series.value[begin]);
  ValueSpan span{first, first};
  while (begin < end) {
    // The largest node that begins here and does not reach over the end.
    std::size_t level = 0, size = 1;
    while (level < levels_.size() && begin % (size * kFanout) == 0 &&
           begin + size * kFanout <= end) {
      ++level;
      size *= kFanout;
    }
    if (level == 0) {
      const float value = drawable_value(series.value[begin]);
      include(span, {value, value});
    } else {
      include(span, levels_[level - 1][begin / size]);
    }
    begin += size;
  }
  return span;
}

double highest_sum(const Track& track) {
  if (track.series.empty()) return 0;
  const CounterSeries& first = track.series.front();
  const bool shared = std::ranges::all_of(track.series, [&](const CounterSeries& series) {
    return series.time_ns == first.time_ns && series.value.size() == first.value.size();
  });
  double highest = 0;
  if (!shared) {
    for (const CounterSeries& series : track.series) {
      highest += static_cast<double>(drawable_value(series.max));
    }
    return highest;
  }
  for (std::size_t i = 0; i < first.value.size(); ++i) {
    double sum = 0;
    for (const CounterSeries& series : track.series) {
      sum += static_cast<double>(drawable_value(series.value[i]));
    }
    highest = std::max(highest, sum);
  }
  return highest;
}

namespace {

using Times = std::vector<std::int64_t>::const_iterator;

// As std::upper_bound, for a border that is near: the next column's is a few points away where a
// series may have millions.
Times first_after(Times begin, Times end, std::int64_t border_ns) {
  std::ptrdiff_t step = 1;
  while (step < end - begin && begin[step - 1] <= border_ns) {
    begin += step;
    step *= 2;
  }
  return std::upper_bound(begin, begin + std::min(step, end - begin), border_ns);
}

}  // namespace

void counter_columns(const CounterSeries& series, const CounterLod& lod, const Viewport& view,
                     std::int64_t end_ns, std::vector<CounterColumn>& out) {
  out.clear();
  const std::size_t count = std::min(series.time_ns.size(), series.value.size());
  if (count == 0) return;
  const auto times = series.time_ns.begin();
  const auto end = times + static_cast<std::ptrdiff_t>(count);
  auto next = std::upper_bound(times, end, view.begin_ns);
  const auto columns = static_cast<int>(view.width_px);
  for (int x = 0; x < columns && view.ns_from_px(static_cast<double>(x)) <= end_ns; ++x) {
    const std::int64_t border_ns = view.ns_from_px(static_cast<double>(x) + 1);
    const auto before = next;
    next = first_after(next, end, border_ns);
    if (next == times) continue;
    const auto first = static_cast<std::size_t>((before == times ? before : before - 1) - times);
    out.push_back(
        {static_cast<float>(x), lod.over(series, first, static_cast<std::size_t>(next - times))});
  }
}

}  // namespace cinderscope
