// Asynchronous slices and states, put together once all of their events have come.
#include <algorithm>

#include "formats/perfetto/events/event_sink.h"
#include "formats/perfetto/perfetto_wire.h"
#include "ingest/base/saturating.h"
#include "ingest/build/open_slices.h"
#include "ingest/build/passing_memory.h"

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
  for (const std::size_t i : shown_order(lanes)) finish_lane(lanes[i], end_ns_);
  release(async_);
  for (const auto& [name, count] : async_counts_) {
    facts_.async_names.emplace(out_->strings()->text(StringId{name}), count);
  }
}

// Lanes come where the first event of theirs lies in the file, those below a track that orders its
// children together with the first of them.
std::vector<std::size_t> EventSink::shown_order(
    std::span<const std::span<const AsyncEvent>> lanes) const {
  struct Place {
    RecordOffset first = 0;  // record
    RecordOffset at = 0;     // the same of the first of its siblings
    const Lane* lane = nullptr;
    std::int64_t begin_ns = 0;
    std::size_t index = 0;
  };
  std::vector<Place> places;
  std::unordered_map<std::uint32_t, RecordOffset> first_child;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const auto first = std::min_element(
        lanes[i].begin(), lanes[i].end(),
        [](const AsyncEvent& a, const AsyncEvent& b) { return a.record < b.record; });
    const Lane& lane = lanes_->at(first->lane);
    places.push_back({first->record, first->record, &lane, lanes[i].front().time_ns, i});
    if (lane.parent == kNone) continue;
    RecordOffset& of_siblings = first_child.try_emplace(lane.parent, first->record).first->second;
    of_siblings = std::min(of_siblings, first->record);
  }
  for (Place& place : places) {
    if (place.lane->parent != kNone) place.at = first_child[place.lane->parent];
  }
  const auto key = [](const Place& place) {
    const Lane& lane = *place.lane;
    return std::tuple(place.at, lane.parent,
                      lane.ordering == kOrderByName ? std::string_view(lane.heading) : "",
                      lane.ordering == kOrderByTime ? place.begin_ns : 0,
                      lane.ordering == kOrderByRank ? lane.rank : 0, place.first, place.index);
  };
  std::sort(places.begin(), places.end(),
            [&](const Place& a, const Place& b) { return key(a) < key(b); });
  std::vector<std::size_t> order;
  for (const Place& place : places) order.push_back(place.index);
  return order;
}

void EventSink::count_async(const Slice& slice) {
  NameCount& of = async_counts_[index(slice.name)];
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
  std::string heading = lane.heading;
  if (heading.empty()) {
    StringId name = events.front().name == kNoName ? kEmptyString : events.front().name;
    const auto outer = std::min_element(
        slices.begin(), slices.end(), [](const AsyncSlice& a, const AsyncSlice& b) {
          return a.slice.begin_ns != b.slice.begin_ns ? a.slice.begin_ns < b.slice.begin_ns
                                                      : a.depth < b.depth;
        });
    if (outer != slices.end()) name = outer->slice.name;
    heading = out_->strings()->text(name);
  }
  const AsyncTrackId track = track_of(lane, TrackKind::async, heading);
  async_tracks_.emplace(events.front().lane, track);
  for (const AsyncSlice& slice : slices) count_async(slice.slice);
  out_->async_group(track, slices, marks);
}

AsyncTrackId EventSink::track_of(const Lane& lane, TrackKind kind, std::string_view name) {
  const auto known = track_of_siblings_.find(lane.siblings);
  if (known != track_of_siblings_.end()) return known->second;
  const StringId heading = out_->intern(heading_of(lane.above, name));
  const ProcessId process = process_of(lane);
  if (lane.siblings == kNone) {
    return kind == TrackKind::async ? out_->async_track(process, heading)
                                    : out_->lifetime_track(process, heading);
  }
  const AsyncTrackId track = out_->another_async_track(kind, process, heading);
  track_of_siblings_.emplace(lane.siblings, track);
  return track;
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
  const AsyncTrackId track =
      track_of(lane, TrackKind::lifetimes, lane.heading.empty() ? "state" : lane.heading);
  out_->async_group(track, slices);
}

}  // namespace cinderscope::perfetto
