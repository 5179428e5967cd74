#include "formats/perfetto/wire/packet.h"

#include "formats/perfetto/wire/fields.h"

namespace cinderscope::perfetto {

bool is_read_kind(std::uint32_t kind) {
  switch (kind) {
    case kFtraceEvents:
    case kProcessTree:
    case kClockSnapshot:
    case kProcessStats:
    case kTrackEvent:
    case kTraceConfig:
    case kFtraceStats:
    case kTraceStats:
    case kSyncMarker:
    case kProcessDescriptor:
    case kThreadDescriptor:
    case kSystemInfo:
    case kDeflatedPackets:
    case kChromeMetadata:
    case kStreamingProfile:
    case kTrackDescriptor:
    case kModuleSymbols:
    case kPerfSample:
    case kServiceEvent:
    case kExtensionDescriptor:
    case kTraceUuid:
    case kRangeOfInterest:
    case kTraceProvenance:
    case kZstdPackets:
    case kStackSample:
      return true;
    default:
      return false;
  }
}

bool read_packet(std::string_view bytes, Packet& packet) {
  packet.timestamp = 0;
  packet.clock = packet.flags = packet.loss = packet.machine = 0;
  packet.sequence = packet.kind = 0;
  packet.has_timestamp = packet.has_sequence = packet.has_defaults = false;
  packet.cleared = packet.is_first = false;
  packet.defaults = packet.interned = packet.body = {};
  FieldReader field(bytes);
  while (field.next()) {
    switch (field.key()) {
      case number_field(8):
        packet.timestamp = field.signed_number();
        packet.has_timestamp = true;
        break;
      case number_field(10):
        packet.sequence = static_cast<std::uint32_t>(field.number());
        packet.has_sequence = true;
        break;
      case number_field(13):
        packet.flags = field.number();
        break;
      case number_field(41):
        packet.cleared = field.number() != 0;
        break;
      case number_field(42):
        packet.loss = field.number();
        break;
      case number_field(58):
        packet.clock = field.number();
        break;
      case number_field(87):
        packet.is_first = field.number() != 0;
        break;
      case number_field(98):
        packet.machine = field.number();
        break;
      case bytes_field(12):
        packet.interned = field.bytes();
        break;
      case bytes_field(59):
        packet.defaults = field.bytes();
        packet.has_defaults = true;
        break;
      default:
        if (!field.is_bytes() || !tells_kind(packet.kind, field.number_of_field())) break;
        packet.kind = field.number_of_field();
        packet.body = field.bytes();
    }
  }
  packet.cleared = packet.cleared || (packet.flags & kStateCleared) != 0;
  return !field.damaged();
}

std::uint32_t sequence_of(std::string_view bytes) {
  std::uint32_t sequence = 0;
  FieldReader field(bytes);
  while (field.next()) {
    if (field.key() == number_field(10)) sequence = static_cast<std::uint32_t>(field.number());
  }
  return field.damaged() ? 0 : sequence;
}

}  // namespace cinderscope::perfetto
