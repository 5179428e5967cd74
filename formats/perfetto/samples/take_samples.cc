// Packets with samples of stacks.
#include <vector>

#include "formats/perfetto/events/packet_decoder.h"
#include "formats/perfetto/perfetto_wire.h"
#include "formats/perfetto/text/epoch_texts.h"
#include "formats/perfetto/wire/fields.h"
#include "ingest/base/saturating.h"

namespace cinderscope::perfetto {
namespace {

// Whose sample it is, as far as it tells.
struct SampledTask {
  bool has_pid = false, has_tid = false;
  std::int64_t pid = 0, tid = 0;

  void set_pid(std::uint64_t number) {
    has_pid = true;
    pid = static_cast<std::int32_t>(number);
  }
  void set_tid(std::uint64_t number) {
    has_tid = true;
    tid = static_cast<std::int32_t>(number);
  }
};

// {1 pid, 2 tid}, or with an id to intern it by: {1 iid, 2 pid, 3 tid}.
SampledTask read_task(std::string_view body, bool is_interned) {
  std::optional<std::uint64_t> numbers[3];
  FieldReader field(body);
  while (field.next()) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      if (field.key() == number_field(i + 1)) numbers[i] = field.number();
    }
  }
  const std::size_t first = is_interned || numbers[2] ? 1 : 0;
  SampledTask task;
  if (numbers[first]) task.set_pid(*numbers[first]);
  if (numbers[first + 1]) task.set_tid(*numbers[first + 1]);
  return task;
}

// The frames of a stack that is written out, outermost first; `take(function)`.
template <class Take>
void each_inline_frame(std::string_view stack, Take take) {
  FieldReader field(stack);
  while (field.next()) {
    if (field.key() != bytes_field(1)) continue;
    std::string_view function, file;
    FieldReader part(field.bytes());
    while (part.next()) {
      if (part.key() == bytes_field(1)) function = part.bytes();
      if (part.key() == bytes_field(2)) file = part.bytes();
    }
    take(function.empty() ? file : function);
  }
}

}  // namespace

std::uint32_t PacketDecoder::stack_number(std::vector<StringId> functions) {
  const auto next = static_cast<std::uint32_t>(batch_.stacks.size());
  const auto [known, fresh] = stack_numbers_.try_emplace(std::move(functions), next);
  if (fresh) batch_.stacks.push_back(&known->first);
  return known->second;
}

// False, which is told, where the sequence has no room left.
bool PacketDecoder::may_take(std::uint64_t cost, Sequence& sequence, std::uint64_t address) {
  if (cost > sequence.stack_room) {
    sequence.stack_room = 0;
    count(kLongStacks, address);
    return false;
  }
  sequence.stack_room -= cost;
  return true;
}

// Frames are read once in each epoch.
std::uint32_t PacketDecoder::stack_of_frames(const std::vector<std::uint64_t>& frames,
                                             const EpochTexts& texts, Sequence& sequence,
                                             std::uint64_t address) {
  std::vector<StringId> functions;
  for (const std::uint64_t frame : frames) {
    const auto [known, fresh] = sequence.frames.try_emplace(frame);
    if (fresh) {
      const std::vector<std::string> names = texts.frame(frame);
      std::uint64_t cost = names.size();
      for (const std::string& name : names) cost += name.size() / 8;
      if (may_take(cost, sequence, address)) {
        for (const std::string& name : names) {
          known->second.push_back(trace_->strings->intern(name));
        }
      }
    }
    if (!may_take(known->second.size(), sequence, address)) break;
    functions.insert(functions.end(), known->second.begin(), known->second.end());
  }
  return stack_number(std::move(functions));
}

// A stack is read once in each epoch; its number stays good, whatever comes later.
std::uint32_t PacketDecoder::stack_of(std::uint64_t iid, const EpochTexts& texts,
                                      Sequence& sequence, std::uint64_t address) {
  const auto [known, fresh] = sequence.stacks.try_emplace(iid, 0u);
  if (fresh) known->second = stack_of_frames(texts.frame_ids(iid), texts, sequence, address);
  return known->second;
}

std::uint32_t PacketDecoder::written_stack(std::string_view stack, const EpochTexts& texts,
                                           Sequence& sequence, std::uint64_t address) {
  const std::vector<std::uint64_t> frames = EpochTexts::frame_ids_in(stack);
  if (!frames.empty()) return stack_of_frames(frames, texts, sequence, address);
  std::vector<StringId> functions;
  each_inline_frame(stack, [&](std::string_view function) {
    functions.push_back(trace_->strings->intern(function));
  });
  return stack_number(std::move(functions));
}

void PacketDecoder::take_samples(const Packet& packet, std::optional<std::int64_t> time,
                                 Sequence& sequence) {
  const Epoch* epoch = sequence.epochs.empty() ? nullptr : &sequence.epochs.back();
  // Entries of the packet itself count.
  const EpochTexts texts(*trace_->bytes, epoch, packet.address + UINT32_MAX, trace_->symbols);
  if (packet.kind == kStreamingProfile) return take_streamed_samples(packet, texts, sequence);
  if (!time) return count(kMissingTime, packet.address);
  SampledTask task;
  std::uint64_t stack = 0;
  std::string_view written;
  FieldReader field(packet.body);
  while (field.next()) {
    if (packet.kind == kPerfSample) {
      if (field.key() == number_field(2)) task.set_pid(field.number());
      if (field.key() == number_field(3)) task.set_tid(field.number());
      if (field.key() == number_field(4)) stack = field.number();
      continue;
    }
    if (field.key() == bytes_field(1)) task = read_task(field.bytes(), false);
    if (field.key() == number_field(2)) {
      task = read_task(texts.entry(kTaskContexts, field.number()), true);
    }
    if (field.key() == bytes_field(5)) written = field.bytes();
    if (field.key() == number_field(6)) stack = field.number();
  }
  if (!task.has_tid) return count(kBadTrack, packet.address);
  Owners& owners = *trace_->owners;
  const bool known = task.has_pid || owners.pid_of(packet.machine, task.tid, task.pid);
  const std::uint32_t thread =
      known ? owners.thread_at(packet.machine, task.pid, task.tid, packet.address)
            : owners.thread_of_unknown(packet.machine, task.tid, packet.address);
  put_sample(packet, *time, thread,
             written.empty() ? stack_of(stack, texts, sequence, packet.address)
                             : written_stack(written, texts, sequence, packet.address));
}

void PacketDecoder::put_sample(const Packet& packet, std::int64_t time_ns, std::uint32_t thread,
                               std::uint32_t stack) {
  if (time_ns < 0 || time_ns > kMaxTimeNs) return count(kMissingTime, packet.address);
  batch_.samples.push_back({time_ns, packet.address, thread, stack});
}

// Of the sequence's thread; each tells how long after the one before it was taken.
void PacketDecoder::take_streamed_samples(const Packet& packet, const EpochTexts& texts,
                                          Sequence& sequence) {
  if (!sequence.has_base || sequence.thread == kNone) return sequence.cannot_read(packet.address);
  std::vector<std::uint64_t> stacks, deltas_us;
  FieldReader field(packet.body);
  while (field.next()) {
    if (field.key() == number_field(1) || field.key() == bytes_field(1)) {
      each_number(field, [&](std::uint64_t iid) { stacks.push_back(iid); });
    } else if (field.key() == number_field(2) || field.key() == bytes_field(2)) {
      each_number(field, [&](std::uint64_t us) { deltas_us.push_back(us); });
    }
  }
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    const std::int64_t delta = i < deltas_us.size() ? static_cast<std::int64_t>(deltas_us[i]) : 0;
    sequence.base_us = saturating_sum(sequence.base_us, delta);
    constexpr std::int64_t kMostUs = kMaxTimeNs / 1000;
    const auto shown =
        shown_time(kMonotonicClock, std::clamp(sequence.base_us, -kMostUs, kMostUs) * 1000,
                   sequence, packet.address);
    if (!shown) continue;
    put_sample(packet, *shown, sequence.thread,
               stack_of(stacks[i], texts, sequence, packet.address));
  }
}

}  // namespace cinderscope::perfetto
