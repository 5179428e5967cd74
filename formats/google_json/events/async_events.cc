#include "formats/google_json/events/async_events.h"

#include <algorithm>
#include <utility>

#include "formats/google_json/events/keyed_runs.h"
#include "ingest/base/saturating.h"
#include "ingest/build/passing_memory.h"

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
  if (group == processes_.size()) processes_.push_back(process);
  if (step != name || process != processes_[group]) {
    waiting_beside_.push_back({event.record, step, process});
  }
  events_.push_back({.time_ns = event.time_ns,
                     .phase_byte = static_cast<unsigned char>(event.phase),
                     .has_args = has_args,
                     .record = event.record & ((RecordOffset{1} << Event::kRecordBits) - 1),
                     .group = group,
                     .name = name});
}

// Events come in the order of their records.
const AsyncEvents::Beside* AsyncEvents::beside(const Event& event) const {
  const auto found =
      std::ranges::lower_bound(beside_, RecordOffset{event.record}, {}, &Beside::record);
  return found != beside_.end() && found->record == event.record ? &*found : nullptr;
}

void AsyncEvents::finish(std::int64_t end_ns, unsigned jobs) {
  // Records grow in file order, so this keeps the order of events of equal time.
  const auto before = [](const Event& a, const Event& b) {
    if (a.group != b.group) return a.group < b.group;
    return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.record < b.record;
  };
  beside_ = waiting_beside_.take();
  std::vector<Event> events = events_.take();
  const auto group_of = [](const Event& event) { return event.group; };
  sort_by_operation(std::span(events), jobs, group_of, before);
  for_each_run(std::span<const Event>(events), group_of,
               [this](std::span<const Event> group) { announce(group); });
  take_each_run(std::move(events), group_of,
                [&](std::span<const Event> group) { pair_group(group, end_ns); });
  release(open_);
  release(depths_);
  release(processes_);
  release(beside_);
  release(cuts_);
}

std::uint8_t AsyncEvents::cut_flags(const Event& begin, std::int64_t end_ns, bool ended) const {
  if (cuts_.empty()) return 0;
  const auto cut = cuts_.find(begin.record);
  if (cut == cuts_.end()) return 0;
  const bool at_begin = cut->second.begin_ns < begin.time_ns;
  const bool at_end = ended && cut->second.end_ns > end_ns;
  return static_cast<std::uint8_t>((at_begin ? kCutBegin : 0) | (at_end ? kCutEnd : 0));
}

// That of its outermost slice, which is the first to begin; without any, of the first of its steps,
// whose begin was not recorded.
AsyncTrackId AsyncEvents::track_of(std::span<const Event> group) const {
  const auto outer =
      std::ranges::find_if(group, [](const Event& event) { return is_begin(event.phase()); });
  const Beside* const other = beside(group.front());
  const ProcessId process = other != nullptr ? other->process : processes_[group.front().group];
  return out_->async_track(process, outer == group.end() ? group.front().name : outer->name);
}

void AsyncEvents::announce(std::span<const Event> group) {
  const auto count = [group](bool (*is_wanted)(char)) {
    return static_cast<std::size_t>(std::ranges::count_if(
        group, [is_wanted](const Event& event) { return is_wanted(event.phase()); }));
  };
  const std::size_t slices = count(is_begin), steps = count(is_step);
  if (slices + steps > 0) out_->expect_async_group(track_of(group), slices, steps);
}

// Pairs as the thread slices do: an end closes the innermost open slice of its name, else the
// innermost one. A step lies on the innermost open slice.
void AsyncEvents::pair_group(std::span<const Event> group, std::int64_t end_ns) {
  open_.clear();
  depths_.assign(group.size(), 0);
  const bool has_any = std::ranges::any_of(
      group, [](const Event& event) { return is_begin(event.phase()) || is_step(event.phase()); });
  const AsyncTrackId track = has_any ? track_of(group) : AsyncTrackId{};
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Event& event = group[i];
    if (is_begin(event.phase())) {
      depths_[i] = open_.count();
      open_.push({event.time_ns, event.name, i});
      continue;
    }
    if (is_step(event.phase())) {
      const RecordOffset on_slice =
          open_.count() == 0 ? kNoRecord : group[open_.innermost().record].record;
      const Beside* const other = beside(event);
      const StringId step = other != nullptr ? other->step : event.name;
      out_->async_mark(track, {{event.time_ns, 0, step, event.record, kNoRecord, 0}, on_slice});
      continue;
    }
    OpenSlices::Closed closed;
    if (!open_.close(event.name == kEmptyString ? kNoName : event.name, closed)) {
      out_->diagnostics().count(diagnostic::kStrayAsyncEnd,
                                static_cast<std::int64_t>(event.record));
      continue;
    }
    const Event& begin = group[closed.slice.record];
    out_->async_slice(track, {{begin.time_ns, saturating_difference(event.time_ns, begin.time_ns),
                               begin.name, begin.record, event.has_args ? event.record : kNoRecord,
                               cut_flags(begin, event.time_ns, true)},
                              depths_[closed.slice.record]});
  }
  for (const OpenSlice& still : open_.all()) {
    const Event& begin = group[still.record];
    const std::int64_t end = is_old(begin.phase()) ? end_ns : group.back().time_ns;
    out_->async_slice(
        track,
        {{begin.time_ns, std::max<std::int64_t>(0, saturating_difference(end, begin.time_ns)),
          begin.name, begin.record, kNoRecord,
          static_cast<std::uint8_t>(kUnfinished | cut_flags(begin, end, false))},
         depths_[still.record]});
  }
  if (has_any) out_->end_async_group(track);
}

}  // namespace cinderscope::google_json
