// The outermost fields of a TracePacket.
#pragma once

#include <cstdint>
#include <string_view>

namespace cinderscope::perfetto {

// Numbers of fields that hold what a packet is about.
enum : std::uint32_t {
  kFtraceEvents = 1,
  kProcessTree = 2,
  kChromeEvents = 5,
  kClockSnapshot = 6,
  kProcessStats = 9,
  kTrackEvent = 11,
  kTraceConfig = 33,
  kFtraceStats = 34,
  kTraceStats = 35,
  kSyncMarker = 36,
  kProcessDescriptor = 43,
  kThreadDescriptor = 44,
  kSystemInfo = 45,
  kDeflatedPackets = 50,
  kChromeMetadata = 51,
  kStreamingProfile = 54,
  kTrackDescriptor = 60,
  kModuleSymbols = 61,
  kPerfSample = 66,
  kServiceEvent = 69,
  kExtensionDescriptor = 72,
  kTraceUuid = 89,
  kRangeOfInterest = 90,
  kTraceProvenance = 124,
  kZstdPackets = 133,
  kStackSample = 135,
};

// Whether packets of this kind are read, or tell of the trace; others are counted.
bool is_read_kind(std::uint32_t kind);

// Whether a field of this number says what the packet is about, where `kind` did so far (0: none).
// A clock snapshot is all that such a packet is about. Nor does a field that nobody knows hide the
// one that is read.
inline bool tells_kind(std::uint32_t kind, std::uint32_t number) {
  if (kind == 0) [[likely]]
    return true;
  return kind != kClockSnapshot && (!is_read_kind(kind) || is_read_kind(number));
}

enum : std::uint32_t { kStateCleared = 1, kNeedsState = 2 };  // sequence_flags

struct Packet {
  // Where a field that lies in the packet is.
  std::uint64_t address_of(const char* field) const {
    return address + static_cast<std::uint64_t>(field - tag);
  }

  std::uint64_t address = 0;  // of its tag
  const char* tag = nullptr;  // in memory, while its block is pinned
  std::int64_t timestamp = 0;
  std::uint64_t clock = 0;  // 0: the sequence's default
  std::uint64_t flags = 0;
  std::uint64_t loss = 0;  // previous_packet_dropped
  std::uint64_t machine = 0;
  std::uint32_t sequence = 0;
  std::uint32_t kind = 0;  // number of the field that says what it is about; 0: none
  bool has_timestamp = false;
  bool has_sequence = false;
  bool has_defaults = false;
  bool cleared = false;  // state_cleared in either form
  bool is_first = false;
  std::string_view defaults, interned, body;  // the last is that of `kind`
};

// Fills `packet`, but for where it lies; false where the bytes are no fields.
bool read_packet(std::string_view bytes, Packet& packet);

// The sequence alone; 0 where there is none, or the bytes are no fields.
std::uint32_t sequence_of(std::string_view bytes);

}  // namespace cinderscope::perfetto
