#include "formats/google_json/event_batch.h"

namespace cinderscope::google_json {

void EventBatch::clear() {
  begin = end = 0;
  stop = WindowEnd::border;
  slices.clear();
  keyed.clear();
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
