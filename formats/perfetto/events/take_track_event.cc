// Typed track events, and where events go.
#include <fmt/format.h>

#include <algorithm>

#include "formats/perfetto/events/packet_decoder.h"
#include "formats/perfetto/perfetto_wire.h"
#include "ingest/base/saturating.h"

namespace cinderscope::perfetto {

void PacketDecoder::take_track_event(const Packet& packet, std::optional<std::int64_t> time,
                                     Sequence& sequence) {
  TrackEvent& event = event_;
  if (!read_track_event(packet.body, event)) return count(kBadPacket, packet.address);
  if (event.has_delta_us || event.has_absolute_us) {
    if (event.has_delta_us) {
      if (!sequence.has_base) {
        return sequence.cannot_read(packet.address);
      }
      sequence.base_us = saturating_sum(sequence.base_us, event.time_us);
      event.time_us = sequence.base_us;
    }
    constexpr std::int64_t kMostUs = INT64_MAX / 1000;
    time = shown_time(kMonotonicClock, std::clamp(event.time_us, -kMostUs, kMostUs) * 1000,
                      sequence, packet.address);
  }
  if (!time || *time < 0) {
    // That a clock is missing has been counted.
    if (packet.has_timestamp && !time) return;
    return count(kMissingTime, packet.address);
  }
  if (*time > kMaxTimeNs) {
    count(diagnostic::kClampedTime, packet.address);
    time = kMaxTimeNs;
  }
  const std::uint32_t lane = lane_of(event, packet, sequence);
  batch_.cpu_time_samples += (event.has_thread_time ? 1 : 0) + (event.has_instructions ? 1 : 0);
  const PacketDefaults& usual = sequence.defaults;
  if (usual.extra_is_cpu && event.extra_tracks.empty() &&
      event.extra_values.size() <= usual.extra_tracks.size()) {
    batch_.cpu_time_samples += event.extra_values.size();
  } else {
    put_extra(event.extra_tracks, usual.extra_tracks, event.extra_values, *time, sequence,
              packet.address);
  }
  put_extra(event.extra_real_tracks, usual.extra_real_tracks, event.extra_reals, *time, sequence,
            packet.address);
  if (event.has_legacy && event.legacy.phase != 0) {
    read_labels(packet.body, event);
    return take_legacy(event, lane, *time, sequence, packet);
  }
  switch (event.type) {
    case kSliceBegin:
      put(EventKind::begin, lane, *time, 0, name_of(event, sequence, packet.address), false,
          packet.address);
      return put_flows(event, FlowEvent::At::begin, lane, *time, packet.address);
    case kSliceEnd: {
      const StringId told = name_of(event, sequence, packet.address);
      put(EventKind::end, lane, *time, 0, told == kEmptyString ? kNoName : told, event.has_args,
          packet.address);
      return put_flows(event, FlowEvent::At::end, lane, *time, packet.address);
    }
    case kInstant:
      put(EventKind::instant, lane, *time, 0, name_of(event, sequence, packet.address), false,
          packet.address);
      return put_flows(event, FlowEvent::At::instant, lane, *time, packet.address);
    case kCounter:
      return put_counters(event, lane, *time, sequence, packet.address);
    case kState: {
      if (kind_of(lane) != LaneKind::state) {
        return count(kBadTrack, packet.address);
      }
      const StringId name = name_of(event, sequence, packet.address);
      return put_async({*time, 0, packet.address, lane, name == kEmptyString ? kNoName : name,
                        EventKind::state, false});
    }
    default:
      count(kUntypedEvent, packet.address);
  }
}

PacketDecoder::KnownLane& PacketDecoder::known(std::uint32_t lane) {
  if (lane >= known_lanes_.size()) known_lanes_.resize(std::max<std::size_t>(lane + 1, 64));
  KnownLane& known = known_lanes_[lane];
  if (!known.is_known) {
    const Lane& told = trace_->lanes->at(lane);
    known = {.is_known = true, .kind = told.kind, .thread = told.thread};
  }
  return known;
}

// For slices and instants that an event puts on a track of counters or states.
std::uint32_t PacketDecoder::lane_beside(std::uint32_t lane) {
  const Lane& of = trace_->lanes->at(lane);
  return trace_->lanes->find_or_add(fmt::format("x{}", lane), [&] {
    return Lane{.process = of.process, .above = of.above, .heading = of.heading};
  });
}

std::uint32_t PacketDecoder::lane_of_track(std::uint64_t uuid) {
  const std::uint32_t track = trace_->tracks->find(uuid);
  if (track != kNone) return track;
  key_ = fmt::format("u{}", uuid);
  return trace_->lanes->find_or_add(key_, [] { return Lane{}; });
}

std::uint32_t PacketDecoder::lane_of_thread(std::uint32_t thread) {
  key_ = fmt::format("t{}", thread);
  return trace_->lanes->find_or_add(
      key_, [&] { return Lane{.kind = LaneKind::thread, .thread = thread}; });
}

std::uint32_t PacketDecoder::lane_of(const TrackEvent& event, const Packet& packet,
                                     Sequence& sequence) {
  const std::uint32_t lane = find_lane(event, packet, sequence);
  if (lane != sequence.last_lane) sequence.lanes.insert(lane);
  return lane;
}

std::uint32_t PacketDecoder::find_lane(const TrackEvent& event, const Packet& packet,
                                       Sequence& sequence) {
  const bool has_uuid = event.has_uuid || sequence.defaults.has_uuid;
  const std::uint64_t uuid = event.has_uuid ? event.uuid : sequence.defaults.uuid;
  if (uuid != 0) {
    if (sequence.last_lane == kNone || sequence.last_uuid != uuid) {
      sequence.last_lane = lane_of_track(uuid);
      sequence.last_uuid = uuid;
      sequence.lanes.insert(sequence.last_lane);
    }
    return sequence.last_lane;
  }
  Owners& owners = *trace_->owners;
  if (event.has_legacy && (event.legacy.has_pid || event.legacy.has_tid)) {
    const LegacyEvent& legacy = event.legacy;
    std::int64_t pid = legacy.pid;
    bool known = legacy.has_pid;
    if (!known && sequence.thread != kNone) {
      pid = owners.pid_of_thread(sequence.thread);
      known = true;
    }
    if (!known) known = owners.pid_of(packet.machine, legacy.tid, pid);
    if (!legacy.has_tid) {
      const std::uint32_t process = owners.process_at(packet.machine, pid, packet.address);
      return lane_of_thread(owners.thread_without_id(process, packet.address));
    }
    if (known) {
      return lane_of_thread(owners.thread_at(packet.machine, pid, legacy.tid, packet.address));
    }
    return lane_of_thread(owners.thread_of_unknown(packet.machine, legacy.tid, packet.address));
  }
  if ((!has_uuid || event.type == kNoType) && sequence.thread != kNone) {
    return lane_of_thread(sequence.thread);
  }
  return lane_of_track(0);
}

StringId PacketDecoder::name_of(const TrackEvent& event, Sequence& sequence,
                                std::uint64_t address) {
  std::uint64_t iid = event.name_iid;
  if (iid == 0) {
    if (event.has_name) return trace_->strings->intern(event.name);
    if (!event.has_legacy || event.legacy.name_iid == 0) return kEmptyString;
    iid = event.legacy.name_iid;
  }
  const StringId name = sequence.names.find(iid);
  if (name != kNoName) return name;
  count(kMissingInterned, address);
  return kEmptyString;
}

const std::string& PacketDecoder::categories_of(const TrackEvent& event, Sequence& sequence) {
  categories_.clear();
  for (const std::uint64_t iid : event.category_iids) {
    const StringId name = sequence.categories.find(iid);
    if (!categories_.empty()) categories_ += ',';
    if (name != kNoName) categories_ += trace_->strings->text(name);
  }
  for (const std::string_view text : event.categories) {
    if (!categories_.empty()) categories_ += ',';
    categories_ += text;
  }
  return categories_;
}

void PacketDecoder::put(EventKind kind, std::uint32_t lane, std::int64_t time_ns,
                        std::int64_t duration_ns, StringId name, bool has_args,
                        std::uint64_t address) {
  KnownLane& on = known(lane);
  if (on.kind == LaneKind::thread) {
    batch_.end_ns = std::max(batch_.end_ns, saturating_sum(time_ns, duration_ns));
    if (!on.has_slices && kind != EventKind::instant) {
      on.has_slices = true;
      batch_.lanes_with_slices.push_back(lane);
    }
    return batch_.slices[on.thread % batch_.slices.size()].push_back(
        {time_ns, duration_ns, address, lane, name, kind, has_args});
  }
  if (on.kind == LaneKind::counter || on.kind == LaneKind::state) lane = lane_beside(lane);
  put_async({time_ns, duration_ns, address, lane, name, kind, has_args});
}

void PacketDecoder::put_counters(const TrackEvent& event, std::uint32_t lane, std::int64_t time_ns,
                                 Sequence& sequence, std::uint64_t address) {
  if (!event.has_value || lane >= trace_->tracks->size()) return count(kBadCounter, address);
  put_value((*trace_->tracks)[lane].uuid, event.value, time_ns, sequence, address);
}

void PacketDecoder::put_value(std::uint64_t uuid, CounterNumber value, std::int64_t time_ns,
                              Sequence& sequence, std::uint64_t address) {
  if (sequence.last_counter == kNone || sequence.last_counter_uuid != uuid) {
    sequence.last_counter = trace_->tracks->find(uuid);
    sequence.last_counter_uuid = uuid;
  }
  const std::uint32_t track = sequence.last_counter;
  if (track == kNone || (*trace_->tracks)[track].use != TrackUse::counter) {
    return count(kBadCounter, address);
  }
  const DescribedTrack& counter = (*trace_->tracks)[track];
  if (counter.is_cpu) {
    batch_.cpu_time_samples += 1;
    return;
  }
  const std::int64_t unit = counter.unit_multiplier;
  value.integer = static_cast<std::int64_t>(static_cast<std::uint64_t>(value.integer) *
                                            static_cast<std::uint64_t>(unit));
  value.real *= static_cast<double>(unit);
  if (counter.incremental) {
    Sequence::Sum& sum = sequence.sums[uuid];
    sum.integer = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum.integer) +
                                            static_cast<std::uint64_t>(value.integer));
    sum.real += value.is_real ? value.real : 0;
    batch_.counters.push_back(
        {time_ns, address, static_cast<double>(sum.integer) + sum.real, track});
    return;
  }
  batch_.counters.push_back(
      {time_ns, address, value.is_real ? value.real : static_cast<double>(value.integer), track});
}

void PacketDecoder::put_extra(const std::vector<std::uint64_t>& tracks,
                              const std::vector<std::uint64_t>& usual_tracks,
                              const std::vector<CounterNumber>& values, std::int64_t time_ns,
                              Sequence& sequence, std::uint64_t address) {
  if (values.empty()) return;
  const std::vector<std::uint64_t>& uuids = tracks.empty() ? usual_tracks : tracks;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i < uuids.size()) {
      put_value(uuids[i], values[i], time_ns, sequence, address);
    } else {
      count(kBadCounter, address);
    }
  }
}

void PacketDecoder::put_flows(const TrackEvent& event, FlowEvent::At at, std::uint32_t lane,
                              std::int64_t time_ns, std::uint64_t address) {
  FlowEvent flow{.time_ns = time_ns, .lane = lane};
  flow.record = address & FlowEvent::kRecordMask;
  flow.at = at;
  for (const std::uint64_t id : event.flows) {
    flow.id = id;
    batch_.flows.push_back(flow);
  }
  flow.ends = 1;
  for (const std::uint64_t id : event.ending_flows) {
    flow.id = id;
    batch_.flows.push_back(flow);
  }
  if (!event.has_legacy || !event.legacy.has_bind_id || event.legacy.flow_direction == 0) return;
  flow.kind = FlowEvent::Kind::bound;
  flow.id = event.legacy.bind_id;
  flow.starts = (event.legacy.flow_direction & 2) != 0 ? 1 : 0;
  flow.ends = (event.legacy.flow_direction & 1) != 0 ? 1 : 0;
  batch_.flows.push_back(flow);
}

}  // namespace cinderscope::perfetto
