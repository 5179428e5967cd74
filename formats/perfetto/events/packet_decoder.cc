#include "formats/perfetto/events/packet_decoder.h"

#include <algorithm>

#include "formats/perfetto/perfetto_wire.h"
#include "formats/perfetto/system/ftrace_decoder.h"
#include "formats/perfetto/text/epoch_texts.h"
#include "formats/perfetto/wire/fields.h"
#include "ingest/base/saturating.h"

namespace cinderscope::perfetto {
namespace {

// Sampled stacks take a function or less for each byte of what recorders write. A sequence has room
// by its own bytes, so that it does not depend on who decodes which.
constexpr std::uint64_t kStackRoomPerByte = 8;

}  // namespace

void PacketDecoder::count(const DiagnosticKind& kind, std::uint64_t address) {
  batch_.diagnostics.count(kind, static_cast<std::int64_t>(trace_->bytes->file_offset(address)));
}

Sequence& PacketDecoder::sequence_of_packet(const Packet& packet) {
  if (last_sequence_ != nullptr && last_sequence_->id == packet.sequence) return *last_sequence_;
  const auto [found, fresh] = sequences_.try_emplace(packet.sequence);
  Sequence& sequence = found->second;
  if (fresh) {
    sequence.id = packet.sequence;
    const auto size = trace_->sequence_bytes->find(packet.sequence);
    const std::uint64_t bytes = size == trace_->sequence_bytes->end() ? 0 : size->second;
    sequence.stack_room = kStackRoomPerByte * bytes;
  }
  last_sequence_ = &sequence;
  return sequence;
}

// The offset of a clock that was not the last one, or not at such a time; false if there is none.
bool PacketDecoder::find_offset(std::uint64_t clock, std::int64_t ns, Sequence& sequence,
                                std::uint64_t address) {
  const ClockKey key = clock_key(clock, sequence.id);
  if (!trace_->clocks->has_way(key)) {
    count(kClockMissing, address);
    return false;
  }
  sequence.last_clock = key;
  sequence.last_offset = trace_->clocks->offset(key, ns);
  return true;
}

// Of packets that are like the one before them, in line.
[[gnu::always_inline]] inline std::optional<std::int64_t> PacketDecoder::usual_time(
    std::uint64_t clock, std::int64_t ns, Sequence& sequence, std::uint64_t address) {
  const Clocks& clocks = *trace_->clocks;
  if (!clocks.any()) return ns;
  const ClockKey key = clock_key(clock, sequence.id);
  if (key == clocks.shown()) return ns;
  const bool is_known = sequence.last_clock == key && sequence.last_offset.holds(ns);
  if (!is_known && !find_offset(clock, ns, sequence, address)) {
    return is_sequence_clock(clock) ? std::nullopt : std::optional(ns);
  }
  return saturating_sum(ns, sequence.last_offset.add_ns);
}

std::optional<std::int64_t> PacketDecoder::shown_time(std::uint64_t clock, std::int64_t ns,
                                                      Sequence& sequence, std::uint64_t address) {
  return usual_time(clock, ns, sequence, address);
}

[[gnu::always_inline]] inline std::optional<std::int64_t> PacketDecoder::packet_time(
    const Packet& packet, Sequence& sequence) {
  if (!packet.has_timestamp) return std::nullopt;
  const std::uint64_t clock = packet.clock != 0 ? packet.clock : sequence.defaults.clock;
  std::int64_t ns = packet.timestamp;
  if (clock == 0) return ns;
  if (is_sequence_clock(clock)) {
    const auto own =
        std::find_if(sequence.clocks.begin(), sequence.clocks.end(),
                     [&](const Sequence::OwnClock& known) { return known.clock == clock; });
    if (own != sequence.clocks.end()) {
      const std::uint64_t scaled = static_cast<std::uint64_t>(ns) * own->unit_ns;
      ns = static_cast<std::int64_t>(scaled);
      if (own->incremental) {
        ns = static_cast<std::int64_t>(static_cast<std::uint64_t>(own->running_ns) + scaled);
        own->running_ns = ns;
      }
    }
  } else if (!trace_->clock_units.empty()) {
    const auto unit = trace_->clock_units.find(clock);
    if (unit != trace_->clock_units.end()) {
      ns = static_cast<std::int64_t>(static_cast<std::uint64_t>(ns) * unit->second);
    }
  }
  return usual_time(clock, ns, sequence, packet.address);
}

void PacketDecoder::decode(const Packet& packet) {
  ++batch_.packet_count;
  Sequence& sequence = sequence_of_packet(packet);
  ++sequence.packet_count;
  if (!update_state(packet, sequence)) return;
  const std::optional<std::int64_t> time = packet_time(packet, sequence);
  switch (packet.kind) {
    case kTrackEvent:
      return take_track_event(packet, time, sequence);
    case kTrackDescriptor:
    case kThreadDescriptor:
      return take_descriptor(packet, sequence);
    case kFtraceEvents:
      return FtraceDecoder(*this).take(packet, sequence);
    case kProcessStats:
      if (time) take_process_stats(packet, *time);
      return;
    case kStreamingProfile:
    case kPerfSample:
    case kStackSample:
      return take_samples(packet, time, sequence);
    default:
      return;
  }
}

// The rules of section 3, in their order; false if the packet is not to be used any further.
bool PacketDecoder::update_state(const Packet& packet, Sequence& sequence) {
  const bool is_first = !sequence.seen || packet.is_first;
  sequence.seen = true;
  if (packet.loss != 0 && !is_first) count(kPacketLoss, packet.address);
  if (packet.cleared) {
    sequence.begin_epoch(packet.address);
  } else if (packet.loss != 0) {
    sequence.lose();
  }
  if (packet.has_defaults && sequence.use_defaults(packet.defaults, packet.address)) {
    sequence.defaults.extra_is_cpu =
        std::ranges::all_of(sequence.defaults.extra_tracks, [&](std::uint64_t uuid) {
          const std::uint32_t track = trace_->tracks->find(uuid);
          return track != kNone && (*trace_->tracks)[track].is_cpu;
        });
  }
  if (!packet.interned.empty() && sequence.valid) intern(packet, sequence);
  if (packet.kind == kClockSnapshot) {
    sequence.set_clocks(read_clock_snapshot(packet.body));
    return false;
  }
  const bool needs_state = (packet.flags & kNeedsState) != 0;
  if (needs_state && !(sequence.valid && sequence.id != 0)) {
    sequence.cannot_read(packet.address);
    return false;
  }
  return true;
}

void PacketDecoder::intern(const Packet& packet, Sequence& sequence) {
  InternedPlaces& places = sequence.epochs.back().places;
  FieldReader field(packet.interned);
  while (field.next()) {
    if (!field.is_bytes()) continue;
    const std::uint32_t number = field.number_of_field();
    const InternedEntry entry = read_interned(number, field.bytes());
    if (entry.iid == 0) continue;
    if (number <= kAnnotationNames) {
      InternedNames& names = number == kEventNames        ? sequence.names
                             : number == kEventCategories ? sequence.categories
                                                          : sequence.annotation_names;
      const StringId name = trace_->strings->intern(entry.text);
      if (!names.add(entry.iid, name)) {
        if (names.find(entry.iid) != name) count(kInternedRedefined, packet.address);
        continue;
      }
    }
    const bool fresh = places.add(number, entry.iid, packet.address_of(field.begin()));
    if (fresh || number <= kAnnotationNames) continue;
    const EpochTexts known(*trace_->bytes, &sequence.epochs.back(), UINT64_MAX);
    if (!known.is_entry(number, entry.iid, field.bytes())) {
      count(kInternedRedefined, packet.address);
    }
  }
  if (field.damaged()) count(kBadPacket, packet.address);
}

void PacketDecoder::take_descriptor(const Packet& packet, Sequence& sequence) {
  if (packet.kind == kThreadDescriptor) {
    const ThreadDescription told = read_thread_description(packet.body);
    if (!told.has_pid || !told.has_tid) return count(kBadTrack, packet.address);
    return use_thread(packet,
                      trace_->owners->thread_at(packet.machine, told.pid, told.tid, packet.address),
                      told.reference_us, sequence);
  }
  TrackDescriptor descriptor;
  if (!read_descriptor(packet.body, descriptor)) return count(kBadPacket, packet.address);
  if (!descriptor.thread || !sequence.valid) return;
  const std::uint32_t track = trace_->tracks->find(descriptor.uuid);
  if (track == kNone || (*trace_->tracks)[track].use != TrackUse::thread) return;
  use_thread(packet, (*trace_->tracks)[track].thread, descriptor.thread->reference_us, sequence);
}

void PacketDecoder::use_thread(const Packet&, std::uint32_t thread,
                               std::optional<std::int64_t> base_us, Sequence& sequence) {
  sequence.thread = thread;
  sequence.last_lane = kNone;
  if (!base_us) return;
  sequence.has_base = true;
  sequence.base_us = *base_us;
}

}  // namespace cinderscope::perfetto
