#include "formats/perfetto/system/ftrace_decoder.h"

#include <fmt/format.h>

#include <optional>

#include "formats/perfetto/perfetto_wire.h"
#include "formats/perfetto/system/atrace_text.h"
#include "formats/perfetto/wire/fields.h"

namespace cinderscope::perfetto {
namespace {

// Fields of an ftrace event.
enum : std::uint32_t {
  kPrint = 3,
  kSchedSwitch = 4,
  kSchedWaking = 20,
  kNewTask = 235,
  kTaskRename = 236,
};

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
  packet_address_ = packet.address;
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
  if (field.damaged()) return decoder_.count(kBadPacket, packet_address_);
  const bool known = kind == kPrint || kind == kSchedSwitch || kind == kSchedWaking;
  if (kind == kNewTask) return take_name(content, 2, address);
  if (kind == kTaskRename) return take_name(content, 3, address);
  if (!known) {
    ++batch_.other_ftrace;
    return;
  }
  const std::optional<std::int64_t> time =
      decoder_.shown_time(clock_, ns, *sequence_, packet_address_);
  if (!time) return;
  if (*time < 0 || *time > kMaxTimeNs) return decoder_.count(kMissingTime, packet_address_);
  if (kind == kPrint) return take_print(content, *time, tid, address);
  if (kind == kSchedWaking) return take_waking(content, *time, address);
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
  if (!mark) return decoder_.count(kBadPrint, packet_address_);
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

void FtraceDecoder::take_waking(std::string_view body, std::int64_t time_ns,
                                std::uint64_t address) {
  std::string_view comm;
  std::int64_t tid = 0;
  std::uint32_t cpu = cpu_;
  FieldReader field(body);
  while (field.next()) {
    if (field.key() == bytes_field(1)) comm = field.bytes();
    if (field.key() == number_field(2)) tid = static_cast<std::int32_t>(field.number());
    if (field.key() == number_field(5)) cpu = static_cast<std::uint32_t>(field.number());
  }
  batch_.wakings.push_back({time_ns, address, cpu, tid, trace_.strings->intern(comm)});
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

// Columns of numbers, and a table of names: of switches, and of wakings.
void FtraceDecoder::take_compact(std::string_view body, std::uint64_t address) {
  struct Columns {
    std::vector<std::uint64_t> times, tids, comms, cpus;
  };
  std::vector<StringId> names;
  Columns switches, wakings;
  FieldReader field(body);
  while (field.next()) {
    if (field.key() == bytes_field(5)) names.push_back(trace_.strings->intern(field.bytes()));
    std::vector<std::uint64_t>* column = nullptr;
    switch (field.number_of_field()) {
      case 1:
        column = &switches.times;
        break;
      case 3:
        column = &switches.tids;
        break;
      case 6:
        column = &switches.comms;
        break;
      case 7:
        column = &wakings.times;
        break;
      case 8:
        column = &wakings.tids;
        break;
      case 9:
        column = &wakings.cpus;
        break;
      case 11:
        column = &wakings.comms;
        break;
      default:
        break;
    }
    const bool is_number = (field.key() & 7) == 0 || field.is_bytes();
    if (column == nullptr || !is_number) continue;
    each_number(field, [&](std::uint64_t number) { column->push_back(number); });
  }
  // The first time is a time, the others tell how much later they are.
  const auto each_row = [&](const Columns& columns, auto take) {
    std::uint64_t ns = 0;
    for (std::size_t i = 0; i < columns.times.size() && i < columns.tids.size(); ++i) {
      ns += columns.times[i];
      const std::optional<std::int64_t> time =
          decoder_.shown_time(clock_, static_cast<std::int64_t>(ns), *sequence_, packet_address_);
      if (!time) return;
      if (*time < 0 || *time > kMaxTimeNs) {
        decoder_.count(kMissingTime, packet_address_);
        continue;
      }
      const std::uint64_t comm = i < columns.comms.size() ? columns.comms[i] : UINT64_MAX;
      take(i, *time, static_cast<std::int32_t>(columns.tids[i]),
           comm < names.size() ? names[comm] : kEmptyString);
    }
  };
  each_row(switches, [&](std::size_t, std::int64_t time, std::int64_t tid, StringId comm) {
    put_switch(time, tid, comm, address);
  });
  each_row(wakings, [&](std::size_t i, std::int64_t time, std::int64_t tid, StringId comm) {
    const std::uint64_t cpu = i < wakings.cpus.size() ? wakings.cpus[i] : cpu_;
    batch_.wakings.push_back({time, address, static_cast<std::uint32_t>(cpu), tid, comm});
  });
}

}  // namespace cinderscope::perfetto
