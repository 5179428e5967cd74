// Takes the batches in file order and drives the timeline builder with them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/google_json/event_batch.h"
#include "formats/google_json/events/async_events.h"
#include "formats/google_json/events/flow_events.h"
#include "formats/google_json/events/metadata_events.h"
#include "formats/google_json/events/object_events.h"
#include "formats/google_json/events/sample_tracks.h"
#include "formats/google_json/events/stack_frames.h"
#include "formats/google_json/text/container_note.h"

namespace cinderscope::google_json {

using PhaseCounts = std::array<std::uint64_t, 256>;

// Loader thread. `frames` gets the stackFrames that come in metadata events.
class EventSink {
 public:
  EventSink(TimelineBuilder& out, const Input& input, StackFrames& frames);

  // In a replay of the builder: the slices alone.
  void consume(EventBatch& batch);

  // Before the events: how a trace that this program wrote counts time.
  void use_note(const ContainerNote& note);
  // The ends of all slices are to be known, not only of those with arguments.
  void keep_ends() {
    keeps_ends_ = true;
    samples_.keep_times();
  }
  std::vector<ProfileSamples> take_profiles() { return samples_.take_profiles(); }
  bool has_profiles() const { return samples_.had_profiles(); }
  void use_clock(const EventClock& clock) { clock_ = clock; }
  const EventClock& clock() const { return clock_; }
  // The elements of the container's `samples` (raw), once all events have been seen.
  void add_samples(std::string_view samples, std::uint64_t offset);
  // After everything else: async groups, flows, samples, what is known only at the end.
  void finish(unsigned jobs);  // so many threads sort

  const PhaseCounts& phase_counts() const { return phase_counts_; }
  std::uint64_t element_count() const { return element_count_; }
  std::uint64_t phased_count() const { return phased_count_; }

 private:
  void map_tables(const EventBatch& batch);
  void feed_slices(const EventBatch& batch);
  void feed_counters(const EventBatch& batch);
  void feed_keyed(const EventBatch& batch);
  void add_side(const SideEvent& event, const EventBatch& batch);
  void add_sample(const SideEvent& event, ThreadId thread, std::string_view name,
                  std::string_view pid);
  void count_phases();
  void mark_gaps();
  StringId name_of(std::uint32_t local) const {
    return local == kNone ? kEmptyString : names_[local];
  }

  TimelineBuilder* out_;
  GrowingText text_;
  StackFrames* frames_;
  AsyncEvents async_;
  ObjectEvents objects_;
  FlowEvents flows_;
  SampleTracks samples_;
  MetadataEvents metadata_;
  std::vector<StringId> names_;       // of the current batch
  std::vector<ThreadId> threads_;     // of the current batch
  std::vector<TrackWriter*> tracks_;  // of the current batch's threads; null until needed
  std::unordered_map<std::string, ThreadId> thread_by_tid_;  // the first one of each tid
  PhaseCounts phase_counts_{};
  std::uint64_t element_count_ = 0, phased_count_ = 0;
  EventClock clock_;
  bool keeps_ends_ = false;
  std::optional<std::int64_t> tolerance_ns_;  // as the file says, else by its decimals
  int decimals_ = 0;
  std::int64_t end_ns_ = INT64_MIN;
  std::vector<TimeSpan> spans_ = {{}};  // of all batches, see EventBatch::spans
};

}  // namespace cinderscope::google_json
