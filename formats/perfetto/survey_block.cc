#include "formats/perfetto/survey_block.h"

#include "formats/perfetto/system/ftrace_decoder.h"
#include "formats/perfetto/wire/block_reader.h"
#include "formats/perfetto/wire/bundles.h"
#include "formats/perfetto/wire/packet.h"

namespace cinderscope::perfetto {
namespace {

// Shorter runs beside each other become a mixed one: keeping them costs more than walking over
// packets of other sequences.
constexpr std::uint64_t kShortRunBytes = 1024;

// What the first look needs of a packet: less than half of what read_packet() reads.
struct PacketHead {
  std::uint64_t flags = 0, loss = 0;  // as in Packet
  std::uint32_t sequence = 0, kind = 0;
  bool cleared = false;
  std::string_view body;
};

[[gnu::always_inline]] inline bool read_packet_head(std::string_view bytes, PacketHead& head) {
  head = {};
  FieldReader field(bytes);
  while (field.next()) {
    switch (field.key()) {
      case number_field(10):
        head.sequence = static_cast<std::uint32_t>(field.number());
        break;
      case number_field(13):
        head.flags = field.number();
        break;
      case number_field(41):
        head.cleared = field.number() != 0;
        break;
      case number_field(42):
        head.loss = field.number();
        break;
      case bytes_field(12):
      case bytes_field(59):
        break;
      default:
        if (!field.is_bytes() || !tells_kind(head.kind, field.number_of_field())) break;
        head.kind = field.number_of_field();
        head.body = field.bytes();
    }
  }
  head.cleared = head.cleared || (head.flags & kStateCleared) != 0;
  return !field.damaged();
}

bool is_looked_at_again(const PacketHead& packet) {
  switch (packet.kind) {
    case kProcessTree:
    case kClockSnapshot:
    case kChromeEvents:
    case kTraceConfig:
    case kTraceStats:
    case kProcessDescriptor:
    case kThreadDescriptor:
    case kSystemInfo:
    case kDeflatedPackets:
    case kChromeMetadata:
    case kTrackDescriptor:
    case kModuleSymbols:
    case kExtensionDescriptor:
    case kTraceUuid:
    case kZstdPackets:
      return true;
    case kFtraceEvents:
      return ftrace_clock_of(packet.body).clock != 0;
    default:
      return packet.cleared || packet.loss != 0;
  }
}

// The runs of a block as its packets come.
class RunWriter {
 public:
  explicit RunWriter(std::vector<PacketRun>& runs) : runs_(runs) {}

  void add(std::uint64_t begin, std::uint64_t end, std::uint32_t sequence) {
    if (run_.sequence == sequence && run_.end != 0) {
      run_.end = end;
      return;
    }
    close();
    run_ = {begin, end, sequence, false};
  }
  void close() {
    if (run_.end == 0) return;
    PacketRun* last = runs_.empty() || behind_gap_ ? nullptr : &runs_.back();
    const auto is_short = [](const PacketRun& run) { return run.size_bytes() < kShortRunBytes; };
    if (last != nullptr && is_short(run_) && (last->mixed || is_short(*last))) {
      last->end = run_.end;
      last->sequence = 0;
      last->mixed = true;
    } else {
      runs_.push_back(run_);
    }
    behind_gap_ = false;
    run_ = {};
  }
  // What comes next does not join what came.
  void gap() {
    close();
    behind_gap_ = true;
  }

 private:
  std::vector<PacketRun>& runs_;
  PacketRun run_;
  bool behind_gap_ = false;
};

}  // namespace

SurveyedBlock survey_block(std::string_view bytes, std::uint64_t begin) {
  SurveyedBlock out;
  RunWriter runs(out.runs);
  BlockReader reader(bytes, begin);
  PacketHead packet;
  std::uint32_t last_sequence = 0;
  std::uint64_t* bytes_of_last = nullptr;
  while (reader.next()) {
    const std::uint64_t address = reader.address();
    if (!read_packet_head(reader.body(), packet)) {
      out.bad_at.push_back(address);
      continue;
    }
    ++out.packet_count;
    if (bytes_of_last == nullptr || packet.sequence != last_sequence) {
      bytes_of_last = &out.sequence_bytes[packet.sequence];
      last_sequence = packet.sequence;
    }
    *bytes_of_last += reader.body().size();
    if (is_bundle(packet.kind)) {
      runs.gap();
    } else {
      runs.add(address, reader.end_address(), packet.sequence);
    }
    if (packet.kind == kTrackEvent && !packet.cleared && packet.loss == 0) continue;  // most are so
    if (packet.kind != kTrackEvent) ++out.kinds[packet.kind];
    if (is_looked_at_again(packet)) {
      out.found.push_back({address, packet.sequence, packet.kind, packet.cleared, packet.loss != 0,
                           (packet.flags & kNeedsState) != 0});
    }
  }
  runs.close();
  return out;
}

}  // namespace cinderscope::perfetto
