#include "formats/qubership/recording_load.h"

#include <algorithm>
#include <utility>

#include "ingest/base/saturating.h"

namespace cinderscope::qubership {

RecordingLoad::RecordingLoad(const RecordingLoad& other, Recording& recording, TimelineBuilder& out)
    : recording_(recording),
      out_(out),
      process_(other.process_),
      calls_(other.calls_),
      words_came_(other.words_came_),
      calls_came_(other.calls_came_),
      names_stay_(other.names_stay_),
      taken_(other.taken_),
      pauses_(other.pauses_),
      pause_slices_(other.pause_slices_) {
  if (other.traces_) traces_.emplace(*other.traces_, recording_, calls_, out_);
}

std::uint64_t RecordingLoad::kept_bytes() const {
  return calls_.calls().capacity() * sizeof(ListedCall) + pauses_.capacity() * sizeof(Pause) +
         pause_slices_.capacity() * sizeof(AsyncSlice);
}

TraceLoad& RecordingLoad::traces() {
  if (traces_ && !words_came_ && !calls_came_) return *traces_;
  if (words_came_ || !traces_) {
    recording_.dictionary.finish(recording_.store);
    recording_.sql = recording_.dictionary.find(recording_.store, "sql");
  }
  calls_.sort(recording_);
  if (!traces_) {
    traces_.emplace(recording_, calls_, out_, process_);
  } else if (words_came_) {
    names_stay_ = traces_->take_words() && names_stay_;
  }
  words_came_ = calls_came_ = false;
  return *traces_;
}

bool RecordingLoad::take(const StreamFile& file, AtEnd end, const GoOn& go_on) {
  Taken& taken = taken_[static_cast<std::size_t>(file.stream)];
  if (!taken.any || taken.index != file.index) {
    const StreamFile* before =
        taken.open ? recording_.store.find(file.stream, taken.index) : nullptr;
    if (before != nullptr && !take_part(*before, taken.place, AtEnd::nothing, go_on)) return false;
    taken = {.index = file.index, .any = true};
  }
  taken.open = end == AtEnd::more;
  return take_part(file, taken.place, end, go_on);
}

bool RecordingLoad::take_part(const StreamFile& file, ReadOn& place, AtEnd end, const GoOn& go_on) {
  Diagnostics& problems = out_.diagnostics();
  const std::uint64_t from = place.at;
  switch (file.stream) {
    case Stream::dictionary:
    case Stream::pos_dictionary:
    case Stream::calls_dictionary:
      if (!recording_.dictionary.add(recording_.store, file, place, end, problems, go_on)) {
        return false;
      }
      words_came_ = words_came_ || place.at != from;
      break;
    case Stream::params: {
      // Each file holds all of them: the newest that can be read counts.
      std::vector<Parameter> parameters =
          read_parameters(recording_.store, file, end, problems, go_on);
      if (!parameters.empty()) recording_.parameters = std::move(parameters);
      std::ranges::stable_sort(recording_.parameters, {}, &Parameter::name);
      break;
    }
    case Stream::suspend:
      take_suspensions(file, place, end, go_on);
      break;
    case Stream::calls:
    case Stream::call_ranges:
      if (!calls_.add(recording_, file, place, end, problems, go_on)) return false;
      calls_came_ = calls_came_ || place.at != from;
      break;
    case Stream::trace:
      return traces().trace(file, place, end, go_on);
    case Stream::sql:
    case Stream::xml:
    case Stream::gc:
      break;
  }
  return go_on();
}

void RecordingLoad::take_suspensions(const StreamFile& file, ReadOn& place, AtEnd end,
                                     const GoOn& go_on) {
  const StringId name = out_.intern("pause");
  const std::vector<Suspension> found =
      read_suspensions(recording_.store, file, place, end, out_.diagnostics(), go_on);
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
  out_.async_group(out_.async_track(process_, out_.intern("pauses")), pause_slices_);
}

}  // namespace cinderscope::qubership
