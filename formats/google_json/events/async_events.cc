#include "formats/google_json/events/async_events.h"

#include <algorithm>

#include "ingest/base/saturating.h"
#include "ingest/build/open_slices.h"

namespace cinderscope::google_json {
namespace {

constexpr bool is_begin(char phase) {
  return phase == 'b' || phase == 'S';
}
constexpr bool is_step(char phase) {
  return phase == 'n' || phase == 'T' || phase == 'p';
}
constexpr bool is_old(char phase) {
  return phase == 'S' || phase == 'T' || phase == 'p' || phase == 'F';
}

}  // namespace

void AsyncEvents::add(const KeyedEvent& event, std::string_view key, StringId name, StringId step,
                      ProcessId process) {
  const std::uint32_t group =
      groups_.number_of(key, event.key_hash, is_old(event.phase) ? index(name) : 0);
  const bool has_args = !is_begin(event.phase) && event.has_args;
  if (step == kEmptyString) step = name;
  events_.push_back(
      {event.time_ns, event.record, group, name, step, process, event.phase, has_args});
}

void AsyncEvents::finish(std::int64_t end_ns) {
  groups_ = {};
  // Records grow in file order, so this keeps the order of events of equal time.
  const auto before = [](const Event& a, const Event& b) {
    if (a.group != b.group) return a.group < b.group;
    return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.record < b.record;
  };
  if (!std::is_sorted(events_.begin(), events_.end(), before)) {
    std::sort(events_.begin(), events_.end(), before);
  }
  const std::span<const Event> events = events_;
  for (std::size_t first = 0; first < events.size();) {
    std::size_t last = first;
    while (last < events.size() && events[last].group == events[first].group) ++last;
    pair_group(events.subspan(first, last - first), end_ns);
    first = last;
  }
  events_ = {};
  slices_ = {};
  steps_ = {};
  depths_ = {};
  cuts_ = {};
}

std::uint8_t AsyncEvents::cut_flags(const Event& begin, std::int64_t end_ns, bool ended) const {
  if (cuts_.empty()) return 0;
  const auto cut = cuts_.find(begin.record);
  if (cut == cuts_.end()) return 0;
  const bool at_begin = cut->second.begin_ns < begin.time_ns;
  const bool at_end = ended && cut->second.end_ns > end_ns;
  return static_cast<std::uint8_t>((at_begin ? kCutBegin : 0) | (at_end ? kCutEnd : 0));
}

// Pairs as the thread slices do: an end closes the innermost open slice of its name, else the
// innermost one. A step lies on the innermost open slice.
void AsyncEvents::pair_group(std::span<const Event> group, std::int64_t end_ns) {
  OpenSlices open;  // its records are indices into the group
  depths_.assign(group.size(), 0);
  slices_.clear();
  steps_.clear();
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Event& event = group[i];
    if (is_begin(event.phase)) {
      depths_[i] = open.count();
      open.push({event.time_ns, event.name, i});
      continue;
    }
    if (is_step(event.phase)) {
      const RecordOffset on_slice =
          open.count() == 0 ? kNoRecord : group[open.innermost().record].record;
      steps_.push_back({{event.time_ns, 0, event.step, event.record, kNoRecord, 0}, on_slice});
      continue;
    }
    OpenSlices::Closed closed;
    if (!open.close(event.name == kEmptyString ? kNoName : event.name, closed)) {
      out_->diagnostics().count(diagnostic::kStrayAsyncEnd,
                                static_cast<std::int64_t>(event.record));
      continue;
    }
    const Event& begin = group[closed.slice.record];
    slices_.push_back({{begin.time_ns, saturating_difference(event.time_ns, begin.time_ns),
                        begin.name, begin.record, event.has_args ? event.record : kNoRecord,
                        cut_flags(begin, event.time_ns, true)},
                       depths_[closed.slice.record]});
  }
  for (const OpenSlice& still : open.all()) {
    const Event& begin = group[still.record];
    const std::int64_t end = is_old(begin.phase) ? end_ns : group.back().time_ns;
    slices_.push_back(
        {{begin.time_ns, std::max<std::int64_t>(0, saturating_difference(end, begin.time_ns)),
          begin.name, begin.record, kNoRecord,
          static_cast<std::uint8_t>(kUnfinished | cut_flags(begin, end, false))},
         depths_[still.record]});
  }
  if (slices_.empty()) {
    // Steps of an operation whose begin is not recorded.
    if (steps_.empty()) return;
    const AsyncTrackId track = out_->async_track(group.front().process, group.front().name);
    out_->async_group(track, slices_, steps_);
    return;
  }
  const auto outer = std::min_element(
      slices_.begin(), slices_.end(), [](const AsyncSlice& a, const AsyncSlice& b) {
        return a.slice.begin_ns != b.slice.begin_ns ? a.slice.begin_ns < b.slice.begin_ns
                                                    : a.depth < b.depth;
      });
  const AsyncTrackId track = out_->async_track(group.front().process, outer->slice.name);
  out_->async_group(track, slices_, steps_);
}

}  // namespace cinderscope::google_json
