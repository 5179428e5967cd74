#include "formats/google_json/event_batch.h"

namespace cinderscope::google_json {

void EventBatch::move_times(const EventClock& clock) {
  if (clock.is_usual()) return;
  for (SliceEvent& slice : slices) {
    slice.begin_ns = clock.time(slice.begin_ns);
    slice.duration_ns = clock.duration(slice.duration_ns);
  }
  for (KeyedEvent& event : keyed) event.time_ns = clock.time(event.time_ns);
  for (CutAsync& cut : cut_async) {
    cut.begin_ns = clock.time(cut.begin_ns);
    cut.end_ns = clock.time(cut.end_ns);
  }
  for (CounterEvent& event : counters) event.time_ns = clock.time(event.time_ns);
  for (SideEvent& event : side) event.time_ns = clock.time(event.time_ns);
  for (TimeSpan& span : spans) {
    if (!span.empty()) span = {clock.time(span.begin_ns), clock.time(span.end_ns)};
  }
  if (end_ns != INT64_MIN) end_ns = clock.time(end_ns);
}

void EventBatch::clear() {
  begin = end = 0;
  stop = WindowEnd::border;
  slices.clear();
  keyed.clear();
  cut_async.clear();
  counters.clear();
  values.clear();
  side.clear();
  keys.clear();
  threads.clear();
  names.clear();
  phase_counts.fill(0);
  element_count = phased_count = 0;
  decimals = 0;
  end_ns = INT64_MIN;
  spans.assign(1, {});
  diagnostics = {};
}

void EventBatch::count_damage(const DiagnosticKind& kind, std::int64_t offset) {
  diagnostics.count(kind, offset);
  if (spans.size() == 1 || !spans.back().empty()) spans.emplace_back();
}

}  // namespace cinderscope::google_json
