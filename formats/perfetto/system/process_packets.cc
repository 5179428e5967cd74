#include "formats/perfetto/system/process_packets.h"

#include <fmt/format.h>

#include <optional>

#include "formats/perfetto/events/packet_decoder.h"
#include "formats/perfetto/perfetto_wire.h"
#include "formats/perfetto/wire/fields.h"

namespace cinderscope::perfetto {
namespace {

struct StatColumn {
  std::uint32_t field;
  std::string_view name;
  std::int64_t factor;
  std::string_view unit;
};
constexpr std::int64_t kKiB = 1024;
constexpr StatColumn kStatColumns[] = {
    {2, "virtual size", kKiB, "bytes"},
    {3, "rss", kKiB, "bytes"},
    {4, "rss anonymous", kKiB, "bytes"},
    {5, "rss file", kKiB, "bytes"},
    {6, "rss shared", kKiB, "bytes"},
    {7, "swap", kKiB, "bytes"},
    {8, "locked", kKiB, "bytes"},
    {9, "rss peak", kKiB, "bytes"},
    {10, "oom score adj", 1, ""},
    {13, "private footprint", kKiB, "bytes"},
    {14, "peak resident set", kKiB, "bytes"},
    {16, "smaps rss", kKiB, "bytes"},
    {17, "smaps pss", kKiB, "bytes"},
    {18, "smaps pss anonymous", kKiB, "bytes"},
    {19, "smaps pss file", kKiB, "bytes"},
    {20, "smaps pss shared", kKiB, "bytes"},
    {21, "user time", 1, "ns"},
    {22, "kernel time", 1, "ns"},
    {23, "smaps swap pss", kKiB, "bytes"},
    {24, "dmabuf rss", kKiB, "bytes"},
};

}  // namespace

void take_process_tree(std::string_view body, std::uint64_t machine, std::uint64_t place,
                       Owners& owners) {
  FieldReader field(body);
  while (field.next()) {
    if (field.key() == bytes_field(1)) {
      std::int64_t pid = 0;
      std::string_view first;
      std::size_t arguments = 0;
      FieldReader part(field.bytes());
      while (part.next()) {
        if (part.key() == number_field(1)) pid = static_cast<std::int32_t>(part.number());
        if (part.key() == bytes_field(3) && ++arguments == 1) first = part.bytes();
      }
      // A single one is the whole command line.
      if (arguments == 1) first = first.substr(0, first.find(' '));
      owners.put_thread(pid, pid, machine);
      owners.name_process(owners.process_at(machine, pid, place), kTreeProcessName, place, first);
    } else if (field.key() == bytes_field(2)) {
      std::int64_t tid = 0, pid = 0;
      std::string_view name;
      FieldReader part(field.bytes());
      while (part.next()) {
        if (part.key() == number_field(1)) tid = static_cast<std::int32_t>(part.number());
        if (part.key() == number_field(3)) pid = static_cast<std::int32_t>(part.number());
        if (part.key() == bytes_field(2)) name = part.bytes();
      }
      owners.put_thread(tid, pid, machine);
      owners.name_thread(owners.thread_at(machine, pid, tid, place), kTreeThreadName, place, name);
    }
  }
}

void PacketDecoder::take_process_stats(const Packet& packet, std::int64_t time_ns) {
  if (time_ns < 0 || time_ns > kMaxTimeNs) return count(kMissingTime, packet.address);
  FieldReader field(packet.body);
  while (field.next()) {
    if (field.key() != bytes_field(1)) continue;
    std::optional<std::uint32_t> process;
    for (const bool pid_only : {true, false}) {
      FieldReader part(field.bytes());
      while (part.next()) {
        if (part.key() == number_field(1) && pid_only) {
          process = trace_->owners->process_at(
              packet.machine, static_cast<std::int32_t>(part.number()), packet.address);
        }
        if (pid_only || !process || (part.key() & 7) != 0) continue;
        for (const StatColumn& column : kStatColumns) {
          if (part.key() != number_field(column.field)) continue;
          const std::uint32_t lane =
              trace_->lanes->find_or_add(fmt::format("m{}:{}", *process, column.field), [&] {
                return Lane{.kind = LaneKind::counter,
                            .process = *process,
                            .heading = std::string(column.name),
                            .unit = std::string(column.unit)};
              });
          batch_.counters.push_back(
              {time_ns, packet.address,
               static_cast<double>(part.signed_number()) * static_cast<double>(column.factor),
               lane});
        }
      }
    }
  }
}

}  // namespace cinderscope::perfetto
