// From packets to events: what a share of the sequences says, each in the order of the file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/perfetto/events/event_batch.h"
#include "formats/perfetto/events/lanes.h"
#include "formats/perfetto/events/track_event.h"
#include "formats/perfetto/state/sequence.h"
#include "formats/perfetto/text/epoch_texts.h"
#include "formats/perfetto/wire/packet_bytes.h"

namespace cinderscope::perfetto {

// What all decoders of a load share.
struct DecodedTrace {
  const PacketBytes* bytes = nullptr;
  const Clocks* clocks = nullptr;
  const TrackTable* tracks = nullptr;
  Owners* owners = nullptr;
  Lanes* lanes = nullptr;
  StringPool* strings = nullptr;
  const ModuleSymbols* symbols = nullptr;
  std::unordered_map<std::uint64_t, std::uint64_t> clock_units;  // of global clocks that have one
  const std::unordered_map<std::uint32_t, std::uint64_t>* sequence_bytes = nullptr;
};

class PacketDecoder {
 public:
  // Its slices are for `feeders` threads.
  PacketDecoder(const DecodedTrace& trace, unsigned feeders) : trace_(&trace) {
    batch_.slices.resize(feeders);
  }

  // The packets of a sequence come to one decoder, in order.
  void decode(const Packet& packet);
  EventBatch& batch() { return batch_; }
  std::unordered_map<std::uint32_t, Sequence>& sequences() { return sequences_; }

 private:
  friend class FtraceDecoder;

  Sequence& sequence_of_packet(const Packet& packet);
  bool update_state(const Packet& packet, Sequence& sequence);
  void intern(const Packet& packet, Sequence& sequence);
  void count(const DiagnosticKind& kind, std::uint64_t address);

  // -- times; none if it is unknown, which is counted
  std::optional<std::int64_t> packet_time(const Packet& packet, Sequence& sequence);
  std::optional<std::int64_t> shown_time(std::uint64_t clock, std::int64_t ns, Sequence& sequence,
                                         std::uint64_t address);
  std::optional<std::int64_t> usual_time(std::uint64_t clock, std::int64_t ns, Sequence& sequence,
                                         std::uint64_t address);
  bool find_offset(std::uint64_t clock, std::int64_t ns, Sequence& sequence, std::uint64_t address);

  void take_descriptor(const Packet& packet, Sequence& sequence);
  void use_thread(const Packet& packet, std::uint32_t thread, std::optional<std::int64_t> base_us,
                  Sequence& sequence);
  void take_samples(const Packet& packet, std::optional<std::int64_t> time, Sequence& sequence);
  void take_streamed_samples(const Packet& packet, const EpochTexts& texts, Sequence& sequence);
  void put_sample(const Packet& packet, std::int64_t time_ns, std::uint32_t thread,
                  std::uint32_t stack);
  // Numbers of stacks in the batch: of an interned one, of one that the sample itself tells.
  std::uint32_t stack_of(std::uint64_t iid, const EpochTexts& texts, Sequence& sequence,
                         std::uint64_t address);
  std::uint32_t written_stack(std::string_view stack, const EpochTexts& texts, Sequence& sequence,
                              std::uint64_t address);
  std::uint32_t stack_of_frames(const std::vector<std::uint64_t>& frames, const EpochTexts& texts,
                                Sequence& sequence, std::uint64_t address);
  bool may_take(std::uint64_t cost, Sequence& sequence, std::uint64_t address);
  std::uint32_t stack_number(std::vector<StringId> functions);
  void take_process_stats(const Packet& packet, std::int64_t time_ns);

  // -- track events
  void take_track_event(const Packet& packet, std::optional<std::int64_t> time, Sequence& sequence);
  std::uint32_t lane_of(const TrackEvent& event, const Packet& packet, Sequence& sequence);
  std::uint32_t find_lane(const TrackEvent& event, const Packet& packet, Sequence& sequence);
  // Lanes never change, so each is asked for once.
  struct KnownLane {
    bool is_known = false, has_slices = false;
    LaneKind kind = LaneKind::async;
    std::uint32_t thread = kNone;
  };
  KnownLane& known(std::uint32_t lane);
  LaneKind kind_of(std::uint32_t lane) { return known(lane).kind; }
  std::uint32_t lane_beside(std::uint32_t lane);
  std::uint32_t lane_of_track(std::uint64_t uuid);
  std::uint32_t lane_of_thread(std::uint32_t thread);
  std::uint32_t lane_of_scope(std::uint64_t scope, std::uint32_t lane);
  std::uint32_t thread_of_lane(std::uint32_t lane, std::uint64_t address);
  std::uint32_t process_of_lane(std::uint32_t lane) const;
  StringId name_of(const TrackEvent& event, Sequence& sequence, std::uint64_t address);
  const std::string& categories_of(const TrackEvent& event, Sequence& sequence);
  void put(EventKind kind, std::uint32_t lane, std::int64_t time_ns, std::int64_t duration_ns,
           StringId name, bool has_args, std::uint64_t address);
  void put_async(const AsyncEvent& event) {
    batch_.end_ns = std::max(batch_.end_ns, event.time_ns);
    batch_.async.push_back(event);
  }
  void put_counters(const TrackEvent& event, std::uint32_t lane, std::int64_t time_ns,
                    Sequence& sequence, std::uint64_t address);
  void put_value(std::uint64_t uuid, CounterNumber value, std::int64_t time_ns, Sequence& sequence,
                 std::uint64_t address);
  void put_extra(const std::vector<std::uint64_t>& tracks,
                 const std::vector<std::uint64_t>& usual_tracks,
                 const std::vector<CounterNumber>& values, std::int64_t time_ns, Sequence& sequence,
                 std::uint64_t address);
  void put_flows(const TrackEvent& event, FlowEvent::At at, std::uint32_t lane,
                 std::int64_t time_ns, std::uint64_t address);

  // -- legacy phases
  void take_legacy(const TrackEvent& event, std::uint32_t lane, std::int64_t time_ns,
                   Sequence& sequence, const Packet& packet);
  void put_group_event(const TrackEvent& event, std::uint32_t lane, std::int64_t time_ns,
                       Sequence& sequence, std::uint64_t address);
  void put_legacy_flow(const TrackEvent& event, std::uint32_t lane, std::int64_t time_ns,
                       Sequence& sequence, std::uint64_t address);
  void put_legacy_counter(const TrackEvent& event, std::uint32_t lane, std::int64_t time_ns,
                          Sequence& sequence, std::uint64_t address);
  void take_metadata(const TrackEvent& event, std::uint32_t lane, Sequence& sequence,
                     std::uint64_t address);
  void put_profile(const TrackEvent& event, std::uint32_t lane, std::int64_t time_ns,
                   Sequence& sequence, std::uint64_t address);
  std::string annotation_name(std::string_view annotation, const Sequence& sequence) const;

  const DecodedTrace* trace_;
  EventBatch batch_;
  std::unordered_map<std::uint32_t, Sequence> sequences_;
  Sequence* last_sequence_ = nullptr;
  std::vector<KnownLane> known_lanes_;
  std::unordered_map<std::int64_t, StringId> comms_;  // of threads, by tid
  std::map<std::vector<StringId>, std::uint32_t> stack_numbers_;
  TrackEvent event_;
  std::string categories_, key_;
};

}  // namespace cinderscope::perfetto
