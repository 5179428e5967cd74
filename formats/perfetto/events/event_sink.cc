#include "formats/perfetto/events/event_sink.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/perfetto/perfetto_wire.h"
#include "ingest/base/parallel.h"
#include "ingest/base/saturating.h"
#include "ingest/build/open_slices.h"
#include "ingest/build/passing_memory.h"

namespace cinderscope::perfetto {
namespace {

// Calls `take(event)` for those of all batches in the order of the file.
template <class Events, class Take>
void each_in_order(std::span<EventBatch* const> batches, Events events, Take take) {
  if (batches.size() == 1) {
    for (const auto& event : events(*batches[0])) take(event);
    return;
  }
  using Event = std::remove_cvref_t<decltype(events(*batches[0])[0])>;
  std::vector<std::span<const Event>> left;
  for (EventBatch* batch : batches) left.emplace_back(events(*batch));
  while (true) {
    // One batch has many events before the next one of another: packets of a sequence lie together.
    std::size_t first = 0;
    RecordOffset first_record = kNoRecord, next_record = kNoRecord;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (left[i].empty()) continue;
      const RecordOffset record = left[i].front().record;
      if (record < first_record) {
        next_record = first_record;
        first_record = record;
        first = i;
      } else {
        next_record = std::min(next_record, record);
      }
    }
    if (first_record == kNoRecord) return;
    std::span<const Event>& events_of_first = left[first];
    std::size_t taken = 0;
    do {
      take(events_of_first[taken++]);
    } while (taken < events_of_first.size() && events_of_first[taken].record < next_record);
    events_of_first = events_of_first.subspan(taken);
  }
}

template <class Rows>
void append(Rows& to, Rows& from) {
  to.insert(to.end(), from.begin(), from.end());
  from.clear();
}

}  // namespace

void EventSink::consume(std::span<EventBatch* const> batches) {
  owners_->add_to(*out_);
  threads_.resize(owners_->thread_count());
  while (lane_thread_.size() < lanes_->size()) {
    const Lane& lane = lanes_->at(static_cast<std::uint32_t>(lane_thread_.size()));
    lane_thread_.push_back(lane.kind == LaneKind::thread ? lane.thread : kNone);
  }
  for (EventBatch* batch : batches) {
    for (const std::uint32_t lane : batch->lanes_with_slices) {
      ThreadFeed& thread = threads_[lane_thread_[lane]];
      if (thread.slices == nullptr) {
        thread.slices = &out_->slices(owners_->thread_id(lane_thread_[lane]));
        if (times_restart_ && thread.slices->empty()) thread.slices->keep_events();
      }
    }
    batch->lanes_with_slices.clear();
  }
  const std::size_t feeders = batches.empty() ? 0 : batches.front()->slices.size();
  parallel_for(feeders, static_cast<unsigned>(feeders),
               [&](std::size_t feeder) { feed_threads(batches, feeder); });
  feed_counters(batches);
  for (EventBatch* batch : batches) {
    end_ns_ = std::max(end_ns_, batch->end_ns);
    for (std::vector<SliceEvent>& slices : batch->slices) slices.clear();
    batch->counters.clear();
    append(async_, batch->async);
    if (!batch->flows.empty()) {
      flows_.push_back(std::move(batch->flows));
      batch->flows = {};
      batch->flows.reserve(flows_.back().size());
    }
    append(switches_, batch->switches);
    append(wakings_, batch->wakings);
    out_->diagnostics().merge(batch->diagnostics);
    batch->diagnostics = {};
    out_->count_records(batch->packet_count);
    batch->packet_count = 0;
  }
}

void EventSink::feed_threads(std::span<EventBatch* const> batches, std::size_t feeder) {
  const auto slices = [&](EventBatch & batch) -> auto& {
    return batch.slices[feeder];
  };
  const auto is_paired = [](const SliceEvent& event) {
    return event.kind == EventKind::begin || event.kind == EventKind::end;
  };
  std::vector<std::uint32_t> stepping_back;
  each_in_order(batches, slices, [&](const SliceEvent& event) {
    if (!is_paired(event)) return;
    ThreadFeed& thread = threads_[lane_thread_[event.lane]];
    if (thread.first_lane == kNone) thread.first_lane = event.lane;
    if (thread.first_lane != event.lane || thread.slices->keeps_events()) return;
    if (event.time_ns >= thread.latest_ns) {
      thread.latest_ns = event.time_ns;
    } else if (!thread.steps_back) {
      thread.steps_back = true;
      thread.slices->was_unsorted(event.record);
      stepping_back.push_back(lane_thread_[event.lane]);
    }
  });
  each_in_order(batches, slices, [&](const SliceEvent& event) {
    const std::uint32_t id = lane_thread_[event.lane];
    ThreadFeed& thread = threads_[id];
    if (thread.steps_back && is_paired(event) && event.lane == thread.first_lane) {
      thread.held.push_back(event);
    } else {
      feed(event, thread, owners_->thread_id(id));
    }
  });
  for (const std::uint32_t id : stepping_back) {
    ThreadFeed& thread = threads_[id];
    std::stable_sort(
        thread.held.begin(), thread.held.end(),
        [](const SliceEvent& a, const SliceEvent& b) { return a.time_ns < b.time_ns; });
    for (const SliceEvent& event : thread.held) feed(event, thread, owners_->thread_id(id));
    release(thread.held);
    thread.steps_back = false;
  }
}

void EventSink::feed(const SliceEvent& event, ThreadFeed& thread, ThreadId id) {
  if (event.kind == EventKind::instant) {
    return out_->instant(id, event.time_ns, event.name, event.record);
  }
  TrackWriter& slices = *thread.slices;
  if (event.kind == EventKind::complete) {
    return slices.complete(event.time_ns, event.duration_ns, event.name, event.record);
  }
  if (event.kind == EventKind::unfinished) {
    return slices.complete_unfinished(event.time_ns, event.name, event.record);
  }
  if (event.lane != thread.first_lane) {
    thread.aside[event.lane].push_back(event);
    return;
  }
  if (event.kind == EventKind::begin) {
    ++thread.open_count;
    return slices.begin(event.time_ns, event.name, event.record);
  }
  if (thread.open_count == 0) {
    thread.stray_ends.push_back(event.record);
  } else {
    --thread.open_count;
  }
  slices.end(event.time_ns, event.name, event.record, event.has_args ? event.record : kNoRecord);
}

void EventSink::feed_counters(std::span<EventBatch* const> batches) {
  each_in_order(
      batches, [](EventBatch & batch) -> auto& { return batch.counters; },
      [&](const CounterEvent& event) {
        const SinkCounter& counter = counter_of(event.lane);
        out_->counter_value(counter.id, counter.series, event.time_ns, event.value);
      });
}

// Its series is called by its unit.
const EventSink::SinkCounter& EventSink::counter_of(std::uint32_t lane) {
  const auto known = counters_.find(lane);
  if (known != counters_.end()) return known->second;
  const Lane& on = lanes_->at(lane);
  const ProcessId process = process_of(on);
  const std::string heading = heading_of(on.above, on.heading.empty() ? "counter" : on.heading);
  // Another one may be called "heading (2)" by itself.
  std::string name = heading;
  int& number = counter_names_[{index(process), heading}];
  while (number++ > 0) {
    name = fmt::format("{} ({})", heading, number);
    if (counter_names_.try_emplace({index(process), name}, 1).second) break;
  }
  const CounterId id = out_->counter(process, out_->intern(name));
  const StringId series = out_->intern(on.unit.empty() ? "value" : on.unit);
  return counters_.emplace(lane, SinkCounter{id, series}).first->second;
}

ProcessId EventSink::process_of(const Lane& lane) {
  std::uint32_t process = lane.process;
  if (process == kNone) {
    if (global_process_ == kNone) {
      global_process_ = owners_->global_process(0);
      owners_->add_to(*out_);
    }
    process = global_process_;
  }
  return owners_->process_id(process);
}

// A lane whose events do not go straight to its thread's writer gives it whole slices.
void EventSink::pair_aside() {
  for (ThreadFeed& thread : threads_) {
    for (auto& [lane, events] : thread.aside) {
      std::stable_sort(events.begin(), events.end(), [](const SliceEvent& a, const SliceEvent& b) {
        return a.time_ns < b.time_ns;
      });
      OpenSlices open;
      OpenSlices::Closed closed;
      for (const SliceEvent& event : events) {
        if (event.kind == EventKind::begin) {
          open.push({event.time_ns, event.name, event.record});
        } else if (open.close(event.name, closed)) {
          thread.slices->complete(closed.slice.begin, event.time_ns - closed.slice.begin,
                                  closed.slice.name, closed.slice.record, 0,
                                  event.has_args ? event.record : kNoRecord);
        } else {
          out_->diagnostics().count(diagnostic::kStrayEnd, static_cast<std::int64_t>(event.record));
          thread.stray_ends.push_back(event.record);
        }
      }
      for (const OpenSlice& still : open.all()) {
        thread.slices->complete_unfinished(still.begin, still.name, still.record);
      }
    }
    thread.aside.clear();
    append(stray_ends_, thread.stray_ends);
  }
}

void EventSink::finish() {
  pair_aside();
  if (out_->replaying()) return;
  finish_async();
  finish_cpus();
  profiles_.finish(budget_);
  samples_.finish(budget_, *owners_, *out_);
  sort_strays();
}

bool EventSink::needs_replay(std::uint32_t lane) const {
  if (lane >= lane_thread_.size() || lane_thread_[lane] == kNone) return false;
  const TrackWriter* slices = threads_[lane_thread_[lane]].slices;
  return slices != nullptr && slices->needs_replay();
}

void EventSink::sort_strays() {
  std::sort(stray_ends_.begin(), stray_ends_.end());
}

bool EventSink::is_stray(RecordOffset end) const {
  return std::binary_search(stray_ends_.begin(), stray_ends_.end(), end);
}

void EventSink::flow_owner(std::uint32_t lane, FlowOwner& owner) const {
  if (lane < lane_thread_.size() && lane_thread_[lane] != kNone) {
    owner = owners_->thread_id(lane_thread_[lane]);
    return;
  }
  const auto found = async_tracks_.find(lane);
  if (found != async_tracks_.end()) owner = found->second;
}

}  // namespace cinderscope::perfetto
