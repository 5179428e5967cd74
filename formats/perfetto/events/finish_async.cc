// Asynchronous slices and states, put together once all of their events have come.
#include <algorithm>

#include "formats/perfetto/events/event_sink.h"
#include "formats/perfetto/perfetto_wire.h"
#include "ingest/base/saturating.h"
#include "ingest/build/open_slices.h"

namespace cinderscope::perfetto {

void EventSink::finish_async() {
  const auto before = [](const AsyncEvent& a, const AsyncEvent& b) {
    if (a.lane != b.lane) return a.lane < b.lane;
    return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.record < b.record;
  };
  std::sort(async_.begin(), async_.end(), before);
  // Lanes in the order in which they first occur, whoever numbered them.
  std::vector<std::span<const AsyncEvent>> lanes;
  const std::span<const AsyncEvent> events = async_;
  for (std::size_t first = 0; first < events.size();) {
    std::size_t last = first;
    while (last < events.size() && events[last].lane == events[first].lane) ++last;
    lanes.push_back(events.subspan(first, last - first));
    first = last;
  }
  const auto first_record = [](std::span<const AsyncEvent> of) {
    return std::min_element(of.begin(), of.end(),
                            [](const auto& a, const auto& b) { return a.record < b.record; })
        ->record;
  };
  std::vector<std::pair<RecordOffset, std::size_t>> order;
  for (std::size_t i = 0; i < lanes.size(); ++i) order.emplace_back(first_record(lanes[i]), i);
  std::sort(order.begin(), order.end());
  for (const auto& [record, i] : order) finish_lane(lanes[i], end_ns_);
  async_ = {};
}

void EventSink::count_async(const Slice& slice) {
  NameCount& of = facts_.async_names[std::string(out_->strings()->text(slice.name))];
  ++of.count;
  if ((slice.flags & kUnfinished) == 0)
    of.total_ns = saturating_sum(of.total_ns, slice.duration_ns);
}

// As the slices of threads: an end closes the innermost of its name, else the innermost.
void EventSink::finish_lane(std::span<const AsyncEvent> events, std::int64_t end_ns) {
  const Lane& lane = lanes_->at(events.front().lane);
  if (lane.kind == LaneKind::state) return finish_states(events, lane);
  OpenSlices open;  // its records are indices of events
  std::vector<std::uint32_t> depths(events.size(), 0);
  std::vector<AsyncSlice> slices;
  std::vector<AsyncMark> marks;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const AsyncEvent& event = events[i];
    OpenSlices::Closed closed;
    switch (event.kind) {
      case EventKind::begin:
        if (lane.kind == LaneKind::single && open.count() != 0) {
          out_->diagnostics().count(kDuplicateBegin, static_cast<std::int64_t>(event.record));
          break;
        }
        depths[i] = open.count();
        open.push({event.time_ns, event.name, i});
        break;
      case EventKind::end:
        if (!open.close(event.name, closed)) {
          out_->diagnostics().count(diagnostic::kStrayAsyncEnd,
                                    static_cast<std::int64_t>(event.record));
          stray_ends_.push_back(event.record);
          break;
        }
        slices.push_back(
            {{closed.slice.begin, event.time_ns - closed.slice.begin, closed.slice.name,
              events[closed.slice.record].record, event.has_args ? event.record : kNoRecord, 0},
             depths[closed.slice.record]});
        break;
      case EventKind::complete:
      case EventKind::unfinished: {
        const bool unfinished = event.kind == EventKind::unfinished;
        slices.push_back(
            {{event.time_ns, unfinished ? events.back().time_ns - event.time_ns : event.duration_ns,
              event.name, event.record, kNoRecord, unfinished ? kUnfinished : std::uint8_t{0}},
             open.count()});
        break;
      }
      default: {
        const RecordOffset on =
            open.count() == 0 ? kNoRecord : events[open.innermost().record].record;
        marks.push_back({{event.time_ns, 0, event.name, event.record, kNoRecord, 0},
                         on,
                         event.kind == EventKind::instant});
      }
    }
  }
  for (const OpenSlice& still : open.all()) {
    const std::int64_t end = lane.kind == LaneKind::old_group ? end_ns : events.back().time_ns;
    slices.push_back({{still.begin, std::max<std::int64_t>(0, end - still.begin), still.name,
                       events[still.record].record, kNoRecord, kUnfinished},
                      depths[still.record]});
  }
  if (slices.empty() && marks.empty()) return;
  StringId heading = lane.heading.empty() ? kEmptyString : out_->intern(lane.heading);
  if (heading == kEmptyString) {
    heading = events.front().name == kNoName ? kEmptyString : events.front().name;
    const auto outer = std::min_element(
        slices.begin(), slices.end(), [](const AsyncSlice& a, const AsyncSlice& b) {
          return a.slice.begin_ns != b.slice.begin_ns ? a.slice.begin_ns < b.slice.begin_ns
                                                      : a.depth < b.depth;
        });
    if (outer != slices.end()) heading = outer->slice.name;
  }
  const AsyncTrackId track = out_->async_track(process_of(lane), heading);
  async_tracks_.emplace(events.front().lane, track);
  for (const AsyncSlice& slice : slices) count_async(slice.slice);
  out_->async_group(track, slices, marks);
}

// A state lasts until the next one, or until none is told.
void EventSink::finish_states(std::span<const AsyncEvent> events, const Lane& lane) {
  std::vector<AsyncSlice> slices;
  const auto end_last = [&](std::int64_t at, std::uint8_t flags) {
    Slice& last = slices.back().slice;
    last.duration_ns = std::max<std::int64_t>(0, at - last.begin_ns);
    last.flags = flags;
  };
  bool open = false;
  for (const AsyncEvent& event : events) {
    if (open && event.name == slices.back().slice.name) continue;
    if (open) end_last(event.time_ns, 0);
    open = event.name != kNoName;
    if (!open) continue;
    slices.push_back({{event.time_ns, 0, event.name, event.record, kNoRecord, 0}, 0});
    ++facts_.states;
  }
  if (open) end_last(std::max(end_ns_, events.back().time_ns), kUnfinished);
  if (slices.empty()) return;
  const StringId heading = out_->intern(lane.heading.empty() ? "state" : lane.heading);
  out_->async_group(out_->lifetime_track(process_of(lane), heading), slices);
}

}  // namespace cinderscope::perfetto
