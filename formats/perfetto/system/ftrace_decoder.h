// What the kernel's tracer recorded on one CPU: marks that programs print, and who ran.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/perfetto/events/packet_decoder.h"

namespace cinderscope::perfetto {

// The clock that a packet of ftrace events counts by, and what it reads beside the boot clock; 0 is
// the boot clock itself. For the survey and for decoding alike.
struct FtraceClock {
  std::uint64_t clock = 0;
  bool has_reading = false;
  std::int64_t ftrace_ns = 0, boot_ns = 0;
};
FtraceClock ftrace_clock_of(std::string_view body);

class FtraceDecoder {
 public:
  explicit FtraceDecoder(PacketDecoder& decoder)
      : decoder_(decoder), trace_(*decoder.trace_), batch_(decoder.batch_) {}

  void take(const Packet& packet, Sequence& sequence);

 private:
  void take_event(std::string_view body, std::uint64_t address);
  void take_print(std::string_view body, std::int64_t time_ns, std::int64_t tid,
                  std::uint64_t address);
  void take_switch(std::string_view body, std::int64_t time_ns, std::uint64_t address);
  void take_waking(std::string_view body, std::int64_t time_ns, std::uint64_t address);
  void take_name(std::string_view body, std::uint32_t text_field, std::uint64_t address);
  void take_compact(std::string_view body, std::uint64_t address);
  void put_switch(std::int64_t time_ns, std::int64_t next_tid, StringId comm,
                  std::uint64_t address);
  void name_tid(std::int64_t tid, StringId comm, std::uint64_t address);
  std::uint32_t thread_of(const struct AtraceMark& mark, std::int64_t tid, std::uint64_t address);

  PacketDecoder& decoder_;
  const DecodedTrace& trace_;
  EventBatch& batch_;
  Sequence* sequence_ = nullptr;
  std::uint64_t machine_ = 0;
  std::uint64_t packet_address_ = 0;  // where diagnostics point to
  std::uint64_t clock_ = kBootClock;
  std::uint32_t cpu_ = 0;
};

}  // namespace cinderscope::perfetto
