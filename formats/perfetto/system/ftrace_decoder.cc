#include "formats/perfetto/system/ftrace_decoder.h"

#include <fmt/format.h>

#include <optional>

#include "formats/perfetto/perfetto_wire.h"
#include "formats/perfetto/system/atrace_text.h"
#include "formats/perfetto/wire/fields.h"

namespace cinderscope::perfetto {
namespace {

// Fields of an ftrace event.
enum : std::uint32_t { kPrint = 3, kSchedSwitch = 4, kNewTask = 235, kTaskRename = 236 };

}  // namespace

FtraceClock ftrace_clock_of(std::string_view body) {
  std::uint64_t told = 0;
  FtraceClock out;
  FieldReader field(body);
  while (field.next()) {
    if (field.key() == number_field(5)) told = field.number();
    if (field.key() == number_field(6)) out.ftrace_ns = field.signed_number();
    if (field.key() == number_field(7)) {
      out.boot_ns = field.signed_number();
      out.has_reading = true;
    }
  }
  if (told == 2 || told == 3) out.clock = kFirstSequenceClock;
  if (told == 4) out.clock = kRawMonotonicClock;
  return out;
}

void FtraceDecoder::take(const Packet& packet, Sequence& sequence) {
  sequence_ = &sequence;
  machine_ = packet.machine;
  const FtraceClock clock = ftrace_clock_of(packet.body);
  clock_ = clock.clock == 0 ? kBootClock : clock.clock;
  FieldReader head(packet.body);
  while (head.next()) {
    if (head.key() == number_field(1)) cpu_ = static_cast<std::uint32_t>(head.number());
  }
  FieldReader field(packet.body);
  while (field.next()) {
    if (field.key() == bytes_field(2)) take_event(field.bytes(), packet.address_of(field.begin()));
    if (field.key() == number_field(3) && field.number() != 0) {
      decoder_.count(kLostEvents, packet.address);
    }
    if (field.key() == bytes_field(4)) take_compact(field.bytes(), packet.address);
  }
  if (field.damaged()) decoder_.count(kBadPacket, packet.address);
}

void FtraceDecoder::take_event(std::string_view body, std::uint64_t address) {
  std::int64_t ns = 0, tid = 0;
  std::uint32_t kind = 0;
  std::string_view content;
  FieldReader field(body);
  while (field.next()) {
    if (field.key() == number_field(1)) {
      ns = field.signed_number();
    } else if (field.key() == number_field(2)) {
      tid = static_cast<std::int32_t>(field.number());
    } else if (field.is_bytes()) {
      kind = field.number_of_field();
      content = field.bytes();
    }
  }
  if (field.damaged()) return decoder_.count(kBadPacket, address);
  const bool known = kind == kPrint || kind == kSchedSwitch;
  if (kind == kNewTask) return take_name(content, 2, address);
  if (kind == kTaskRename) return take_name(content, 3, address);
  if (!known) {
    ++batch_.other_ftrace;
    return;
  }
  const std::optional<std::int64_t> time = decoder_.shown_time(clock_, ns, *sequence_, address);
  if (!time) return;
  if (*time < 0 || *time > kMaxTimeNs) return decoder_.count(kMissingTime, address);
  if (kind == kPrint) return take_print(content, *time, tid, address);
  take_switch(content, *time, address);
}

std::uint32_t FtraceDecoder::thread_of(const AtraceMark& mark, std::int64_t tid,
                                       std::uint64_t address) {
  std::int64_t pid = mark.pid;
  if ((mark.has_pid && pid != 0) || trace_.owners->pid_of(machine_, tid, pid)) {
    return trace_.owners->thread_at(machine_, pid, tid, address);
  }
  return trace_.owners->thread_of_unknown(machine_, tid, address);
}

void FtraceDecoder::take_print(std::string_view body, std::int64_t time_ns, std::int64_t tid,
                               std::uint64_t address) {
  std::string_view text;
  FieldReader field(body);
  while (field.next()) {
    if (field.key() == bytes_field(2)) text = field.bytes();
  }
  const std::optional<AtraceMark> mark = parse_atrace(text);
  if (!mark) return decoder_.count(kBadPrint, address);
  const auto name = [&] { return trace_.strings->intern(mark->name); };
  const auto thread_lane = [&] {
    const std::uint32_t thread = thread_of(*mark, tid, address);
    const std::uint32_t lane = trace_.lanes->find_or_add(fmt::format("a{}", thread), [&] {
      return Lane{.kind = LaneKind::thread, .thread = thread};
    });
    sequence_->lanes.insert(lane);
    return lane;
  };
  const auto process = [&] {
    std::int64_t pid = mark->pid;
    if (pid == 0) trace_.owners->pid_of(machine_, tid, pid);
    return trace_.owners->process_at(machine_, pid, address);
  };
  const auto put_async = [&](LaneKind kind, const std::string& key, std::string_view heading,
                             EventKind what, StringId called) {
    const std::uint32_t of = process();
    const std::uint32_t lane = trace_.lanes->find_or_add(fmt::format("A{}:{}", of, key), [&] {
      return Lane{.kind = kind, .process = of, .heading = std::string(heading)};
    });
    decoder_.put_async({time_ns, 0, address, lane, called, what, false});
  };
  switch (mark->letter) {
    case 'B':
      return decoder_.put(EventKind::begin, thread_lane(), time_ns, 0, name(), false, address);
    case 'E':
      return decoder_.put(EventKind::end, thread_lane(), time_ns, 0, kNoName, false, address);
    case 'I':
      return decoder_.put(EventKind::instant, thread_lane(), time_ns, 0, name(), false, address);
    case 'S':
    case 'F':
      return put_async(LaneKind::single, fmt::format("S{}:{}", mark->number, mark->name),
                       mark->name, mark->letter == 'S' ? EventKind::begin : EventKind::end,
                       mark->letter == 'S' ? name() : kNoName);
    case 'G':
    case 'H':
      return put_async(LaneKind::async, fmt::format("G{}:{}", mark->number, mark->track),
                       mark->track, mark->letter == 'G' ? EventKind::begin : EventKind::end,
                       mark->letter == 'G' || !mark->name.empty() ? name() : kNoName);
    case 'N':
      return put_async(LaneKind::async, fmt::format("N:{}", mark->track), mark->track,
                       EventKind::instant, name());
    default: {
      const std::uint32_t of = process();
      const std::uint32_t lane =
          trace_.lanes->find_or_add(fmt::format("c{}:{}", of, mark->name), [&] {
            return Lane{
                .kind = LaneKind::counter, .process = of, .heading = std::string(mark->name)};
          });
      batch_.counters.push_back({time_ns, address, static_cast<double>(mark->number), lane});
    }
  }
}

void FtraceDecoder::take_switch(std::string_view body, std::int64_t time_ns,
                                std::uint64_t address) {
  std::string_view comm;
  std::int64_t next_tid = 0;
  FieldReader field(body);
  while (field.next()) {
    if (field.key() == bytes_field(5)) comm = field.bytes();
    if (field.key() == number_field(6)) next_tid = static_cast<std::int32_t>(field.number());
  }
  put_switch(time_ns, next_tid, trace_.strings->intern(comm), address);
}

void FtraceDecoder::put_switch(std::int64_t time_ns, std::int64_t next_tid, StringId comm,
                               std::uint64_t address) {
  name_tid(next_tid, comm, address);
  batch_.switches.push_back({time_ns, address, cpu_, next_tid, comm});
}

void FtraceDecoder::name_tid(std::int64_t tid, StringId comm, std::uint64_t address) {
  StringId& last = decoder_.comms_[tid];
  if (last == comm || tid == 0) return;
  last = comm;
  trace_.owners->name_tid(machine_, tid, address, trace_.strings->text(comm));
}

void FtraceDecoder::take_name(std::string_view body, std::uint32_t text_field,
                              std::uint64_t address) {
  std::int64_t tid = 0;
  std::string_view comm;
  FieldReader field(body);
  while (field.next()) {
    if (field.key() == number_field(1)) tid = static_cast<std::int32_t>(field.number());
    if (field.key() == bytes_field(text_field)) comm = field.bytes();
  }
  name_tid(tid, trace_.strings->intern(comm), address);
}

// Columns of numbers, and a table of names.
void FtraceDecoder::take_compact(std::string_view body, std::uint64_t address) {
  std::vector<StringId> comms;
  std::vector<std::uint64_t> times, tids, comm_indexes;
  FieldReader field(body);
  while (field.next()) {
    switch (field.key()) {
      case bytes_field(5):
        comms.push_back(trace_.strings->intern(field.bytes()));
        break;
      case number_field(1):
      case bytes_field(1):
        each_number(field, [&](std::uint64_t delta) { times.push_back(delta); });
        break;
      case number_field(3):
      case bytes_field(3):
        each_number(field, [&](std::uint64_t tid) { tids.push_back(tid); });
        break;
      case number_field(6):
      case bytes_field(6):
        each_number(field, [&](std::uint64_t i) { comm_indexes.push_back(i); });
        break;
      default:
        break;
    }
  }
  std::uint64_t ns = 0;
  for (std::size_t i = 0; i < times.size() && i < tids.size(); ++i) {
    ns += times[i];
    const std::optional<std::int64_t> time =
        decoder_.shown_time(clock_, static_cast<std::int64_t>(ns), *sequence_, address);
    if (!time) return;
    if (*time < 0 || *time > kMaxTimeNs) {
      decoder_.count(kMissingTime, address);
      continue;
    }
    const std::uint64_t comm = i < comm_indexes.size() ? comm_indexes[i] : UINT64_MAX;
    put_switch(*time, static_cast<std::int32_t>(tids[i]),
               comm < comms.size() ? comms[comm] : kEmptyString, address);
  }
}

}  // namespace cinderscope::perfetto
