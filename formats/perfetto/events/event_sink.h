// Takes the batches and drives the timeline builder with them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/perfetto/events/event_batch.h"
#include "formats/perfetto/events/lanes.h"
#include "formats/perfetto/samples/stack_samples.h"
#include "formats/perfetto/samples/v8_profiles.h"
#include "formats/perfetto/tracks/owners.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope::perfetto {

struct NameCount {
  std::uint64_t count = 0;
  std::int64_t total_ns = 0;  // of those that have ended
};

// What only this format tells of a trace.
struct SinkFacts {
  std::uint64_t states = 0, switches = 0;
  std::map<std::string, NameCount> async_names;
};

class EventSink {
 public:
  // `times_restart`: one trace lies behind another one, so that nearly all threads step back.
  EventSink(TimelineBuilder& out, Owners& owners, const Lanes& lanes, bool times_restart)
      : out_(&out),
        owners_(&owners),
        lanes_(&lanes),
        times_restart_(times_restart),
        profiles_(out, owners) {}

  // Batches of the same stretch of the file; those of different sequences lie beside each other.
  // They are emptied. As many threads help as their slices are parted for.
  void consume(std::span<EventBatch* const> batches);
  // After everything: what has to be sorted first.
  void finish();
  const SinkFacts& facts() const { return facts_; }
  std::vector<std::vector<FlowEvent>> take_flows() { return std::move(flows_); }
  bool is_stray(RecordOffset end) const;
  // Where points of flows on this lane bind to, if anywhere.
  void flow_owner(std::uint32_t lane, FlowOwner& owner) const;
  void sort_strays();
  // The lane lies on a thread that has to be read again.
  bool needs_replay(std::uint32_t lane) const;
  // Loader thread, before finish(): the stacks that samples were made of.
  void take_samples(EventBatch& batch) {
    profiles_.add(std::move(batch.profiles));
    samples_.add(batch.samples, batch.stacks);
  }

 private:
  // What one thread's slices come through. The first lane that brings begins and ends goes straight
  // to the writer; others pair their events apart, as a writer has one stack.
  struct ThreadFeed {
    TrackWriter* slices = nullptr;
    std::uint32_t first_lane = kNone;
    std::uint64_t open_count = 0;
    std::map<std::uint32_t, std::vector<SliceEvent>> aside;
    std::vector<RecordOffset> stray_ends;
    // Of begins and ends of the first lane: those of a round that steps back are put in order
    // before the writer gets them, so that only what steps back farther is read again.
    std::int64_t latest_ns = INT64_MIN;
    bool steps_back = false;
    std::vector<SliceEvent> held;
  };

  struct SinkCounter {
    CounterId id{};
    StringId series = kEmptyString;
  };

  void feed_threads(std::span<EventBatch* const> batches, std::size_t feeder);
  void feed(const SliceEvent& event, ThreadFeed& thread, ThreadId id);
  void feed_counters(std::span<EventBatch* const> batches);
  const SinkCounter& counter_of(std::uint32_t lane);
  void pair_aside();
  void finish_async();
  std::vector<std::size_t> shown_order(std::span<const std::span<const AsyncEvent>> lanes) const;
  void finish_lane(std::span<const AsyncEvent> events, std::int64_t end_ns);
  AsyncTrackId track_of(const Lane& lane, TrackKind kind, std::string_view name);
  void finish_states(std::span<const AsyncEvent> events, const Lane& lane);
  void finish_cpus();
  std::vector<AsyncSlice> running(std::span<const SchedEvent> switches);
  std::vector<AsyncMark> woken(std::span<const SchedEvent> wakings,
                               const std::vector<AsyncSlice>& running);
  ProcessId process_of(const Lane& lane);
  void count_async(const Slice& slice);

  TimelineBuilder* out_;
  Owners* owners_;
  const Lanes* lanes_;
  bool times_restart_;
  std::deque<ThreadFeed> threads_;          // by thread entry
  std::vector<std::uint32_t> lane_thread_;  // entry, by lane; kNone: no thread's lane
  std::vector<AsyncEvent> async_;
  std::vector<std::vector<FlowEvent>> flows_;  // as batches brought them
  std::vector<SchedEvent> switches_, wakings_;
  V8Profiles profiles_;
  StackSamples samples_;
  SampleBudget budget_;
  std::vector<RecordOffset> stray_ends_;
  std::unordered_map<std::uint32_t, SinkCounter> counters_;  // by lane
  // How many counters of a process have that name so far.
  std::map<std::pair<std::uint32_t, std::string>, int> counter_names_;
  std::map<std::uint32_t, AsyncTrackId> async_tracks_;  // by lane
  std::unordered_map<std::uint32_t, AsyncTrackId> track_of_siblings_;
  std::int64_t end_ns_ = INT64_MIN;
  std::uint32_t global_process_ = kNone;
  std::unordered_map<std::uint32_t, NameCount> async_counts_;  // by index of the name
  SinkFacts facts_;
};

}  // namespace cinderscope::perfetto
