#include "formats/qubership/recording_load.h"

#include <algorithm>
#include <utility>

#include "ingest/base/saturating.h"

namespace cinderscope::qubership {

TraceLoad& RecordingLoad::traces() {
  if (!traces_) {
    recording_.dictionary.finish(recording_.store);
    recording_.sql = recording_.dictionary.find(recording_.store, "sql");
    std::ranges::stable_sort(recording_.parameters, {}, &Parameter::name);
    calls_.sort();
    traces_.emplace(recording_, calls_, out_, process_);
  }
  return *traces_;
}

bool RecordingLoad::take(const StreamFile& file, const GoOn& go_on) {
  Diagnostics& problems = out_.diagnostics();
  switch (file.stream) {
    case Stream::dictionary:
    case Stream::pos_dictionary:
    case Stream::calls_dictionary:
      if (!recording_.dictionary.add(recording_.store, file, problems, go_on)) return false;
      break;
    case Stream::params: {
      // Each file holds all of them: the newest that can be read counts.
      std::vector<Parameter> parameters = read_parameters(recording_.store, file, problems, go_on);
      if (!parameters.empty()) recording_.parameters = std::move(parameters);
      break;
    }
    case Stream::suspend:
      take_suspensions(file, go_on);
      break;
    case Stream::calls:
    case Stream::call_ranges:
      if (!calls_.add(recording_, file, problems, go_on)) return false;
      break;
    case Stream::trace:
      return traces().trace(file, go_on);
    case Stream::sql:
    case Stream::xml:
    case Stream::gc:
      break;
  }
  return go_on();
}

void RecordingLoad::take_suspensions(const StreamFile& file, const GoOn& go_on) {
  const StringId name = out_.intern("pause");
  const std::vector<Suspension> found =
      read_suspensions(recording_.store, file, out_.diagnostics(), go_on);
  for (const Suspension& pause : found) {
    ++recording_.counts.pauses;
    recording_.counts.pause_ms += pause.amount_ms;
    const std::int64_t end_ns = ns_of_ms(pause.end_ms);
    const std::int64_t begin_ns = ns_of_ms(saturating_difference(pause.end_ms, pause.amount_ms));
    pauses_.push_back({begin_ns, end_ns});
    pause_slices_.push_back({.slice = {.begin_ns = begin_ns,
                                       .duration_ns = end_ns - begin_ns,
                                       .name = name,
                                       .record = kNoRecord}});
  }
}

void RecordingLoad::finish() {
  traces().finish();
  out_.count_records(recording_.counts.calls + recording_.counts.events);
  if (pauses_.empty()) return;
  out_.pauses(process_, std::move(pauses_));
  out_.async_group(out_.async_track(process_, out_.intern("pauses")), std::move(pause_slices_));
}

}  // namespace cinderscope::qubership
