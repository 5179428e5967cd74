// Packets with samples of stacks.
#include <vector>

#include "formats/perfetto/events/packet_decoder.h"
#include "formats/perfetto/perfetto_wire.h"
#include "formats/perfetto/text/epoch_texts.h"
#include "formats/perfetto/wire/fields.h"
#include "ingest/base/saturating.h"

namespace cinderscope::perfetto {

// A stack is read once in each epoch; its number stays good, whatever comes later.
std::uint32_t PacketDecoder::stack_of(std::uint64_t iid, Sequence& sequence, std::uint64_t before) {
  const auto [known, fresh] = sequence.stacks.try_emplace(iid, 0u);
  if (!fresh) return known->second;
  std::vector<StringId> frames;
  if (!sequence.epochs.empty()) {
    const EpochTexts texts(*trace_->bytes, &sequence.epochs.back(), before);
    for (const std::string& frame : texts.callstack(iid)) {
      frames.push_back(trace_->strings->intern(frame));
    }
  }
  known->second = static_cast<std::uint32_t>(batch_.stacks.size());
  batch_.stacks.push_back(std::move(frames));
  return known->second;
}

void PacketDecoder::take_samples(const Packet& packet, std::optional<std::int64_t> time,
                                 Sequence& sequence) {
  const std::uint64_t end = packet.address + UINT32_MAX;  // entries of the packet itself count
  const auto put = [&](std::int64_t time_ns, std::uint32_t thread, std::uint32_t stack) {
    if (time_ns < 0 || time_ns > kMaxTimeNs) return count(kMissingTime, packet.address);
    batch_.samples.push_back({time_ns, packet.address, thread, stack});
  };
  std::vector<std::uint64_t> stacks, deltas_us;
  bool has_pid = false, has_tid = false;
  std::int64_t pid = 0, tid = 0;
  const auto take_task = [&](std::string_view task) {
    FieldReader part(task);
    while (part.next()) {
      if (part.key() == number_field(1)) {
        pid = static_cast<std::int32_t>(part.number());
        has_pid = true;
      }
      if (part.key() == number_field(2)) {
        tid = static_cast<std::int32_t>(part.number());
        has_tid = true;
      }
    }
  };
  FieldReader field(packet.body);
  while (field.next()) {
    const std::uint32_t number = field.number_of_field();
    if (packet.kind == kStreamingProfile) {
      if (number == 1) each_number(field, [&](std::uint64_t iid) { stacks.push_back(iid); });
      if (number == 2) each_number(field, [&](std::uint64_t us) { deltas_us.push_back(us); });
    } else if (packet.kind == kPerfSample) {
      if (field.key() == number_field(2)) {
        pid = static_cast<std::int32_t>(field.number());
        has_pid = true;
      }
      if (field.key() == number_field(3)) {
        tid = static_cast<std::int32_t>(field.number());
        has_tid = true;
      }
      if (field.key() == number_field(4)) stacks.push_back(field.number());
    } else {
      if (field.key() == bytes_field(1)) take_task(field.bytes());
      if (field.key() == number_field(6)) stacks.push_back(field.number());
    }
  }
  if (packet.kind == kStreamingProfile) {
    if (!sequence.has_base || sequence.thread == kNone) return sequence.cannot_read(packet.address);
    for (std::size_t i = 0; i < stacks.size(); ++i) {
      const std::int64_t delta = i < deltas_us.size() ? static_cast<std::int64_t>(deltas_us[i]) : 0;
      sequence.base_us = saturating_sum(sequence.base_us, delta);
      constexpr std::int64_t kMostUs = kMaxTimeNs / 1000;
      const auto shown =
          shown_time(kMonotonicClock, std::clamp(sequence.base_us, -kMostUs, kMostUs) * 1000,
                     sequence, packet.address);
      if (shown) put(*shown, sequence.thread, stack_of(stacks[i], sequence, end));
    }
    return;
  }
  if (!time) return count(kMissingTime, packet.address);
  if (!has_tid) return count(kBadTrack, packet.address);
  Owners& owners = *trace_->owners;
  const bool known = has_pid || owners.pid_of(packet.machine, tid, pid);
  const std::uint32_t thread = known
                                   ? owners.thread_at(packet.machine, pid, tid, packet.address)
                                   : owners.thread_of_unknown(packet.machine, tid, packet.address);
  put(*time, thread,
      stacks.empty() ? stack_of(0, sequence, end) : stack_of(stacks[0], sequence, end));
}

}  // namespace cinderscope::perfetto
