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
  diagnostics = {};
}

}  // namespace cinderscope::google_json
