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

bool is_looked_at_again(const Packet& packet) {
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
  Packet packet;
  std::uint32_t last_sequence = 0;
  std::uint64_t* bytes_of_last = nullptr;
  while (reader.next()) {
    packet.address = reader.address();
    if (!read_packet(reader.body(), packet)) {
      out.bad_at.push_back(packet.address);
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
      runs.add(packet.address, reader.end_address(), packet.sequence);
    }
    if (packet.kind != kTrackEvent) ++out.kinds[packet.kind];
    if (is_looked_at_again(packet)) {
      out.found.push_back({packet.address, packet.sequence, packet.kind, packet.cleared,
                           packet.loss != 0, (packet.flags & kNeedsState) != 0});
    }
  }
  runs.close();
  return out;
}

}  // namespace cinderscope::perfetto
