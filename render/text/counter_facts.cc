#include "render/text/counter_facts.h"

#include <algorithm>

#include "render/text/counter_text.h"

namespace cinderscope {

std::optional<CounterFacts> CounterFactsMaker::facts(const Timeline& timeline,
                                                     const TimelineState& state,
                                                     std::uint64_t version) {
  const CounterRef& selected = state.selected_counter;
  if (index(selected.track) >= timeline.tracks.size()) return std::nullopt;
  const Track& track = timeline.tracks[index(selected.track)];
  if (track_ != selected.track || version_ != version || of_ != &track) {
    sums_.clear();
    for (const CounterSeries& series : track.series) sums_.emplace_back(series, timeline.end_ns);
    track_ = selected.track;
    version_ = version;
    of_ = &track;
  }
  CounterFacts out;
  out.name = display_name(timeline, track.name);
  out.name_hash = timeline.strings->hash(track.name);
  out.time_ns = selected.time_ns;
  out.of_range = state.range.has_value();
  out.begin_ns = std::clamp(state.view.begin_ns, timeline.begin_ns, timeline.end_ns);
  out.end_ns = std::clamp(state.view.end_ns(), timeline.begin_ns, timeline.end_ns);
  if (state.range) {
    out.begin_ns = state.range->begin_ns;
    out.end_ns = state.range->end_ns;
  }
  for (std::size_t i = 0; i < track.series.size(); ++i) {
    const CounterSeries& series = track.series[i];
    SeriesFacts& facts = out.series.emplace_back();
    facts.name = series_label(timeline, track, series);
    facts.unit = unit_of(timeline, track, series);
    const StringId named = series.name == kEmptyString ? track.name : series.name;
    facts.hash = timeline.strings->hash(named);
    const std::size_t point = point_at(series, selected.time_ns);
    if (point < series.value.size() && selected.time_ns <= timeline.end_ns) {
      facts.value = series.value[point];
    }
    // A view may end with the trace, at the time of the last value.
    const bool to_end = !state.range && out.end_ns == timeline.end_ns;
    facts.measure = sums_[i].over(out.begin_ns, to_end ? out.end_ns + 1 : out.end_ns);
  }
  return out;
}

}  // namespace cinderscope
