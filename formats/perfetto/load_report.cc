#include "formats/perfetto/load_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "formats/perfetto/perfetto_wire.h"
#include "formats/perfetto/skipped_packets.h"
#include "formats/perfetto/wire/fields.h"
#include "formats/perfetto/wire/packet.h"

namespace cinderscope::perfetto {
namespace {

void report_losses(std::string_view body, std::int64_t offset, Diagnostics& diagnostics) {
  std::uint64_t overwritten = 0, discarded = 0, lost = 0, failed_patches = 0, invalid = 0;
  std::uint64_t failed_flushes = 0;
  bool unflushed = false;
  FieldReader field(body);
  while (field.next()) {
    switch (field.key()) {
      case number_field(8):
        discarded += field.number();
        break;
      case number_field(10):
        invalid += field.number();
        break;
      case number_field(14):
        failed_flushes += field.number();
        break;
      case number_field(15):
        unflushed = field.number() == 2;
        break;
      case bytes_field(1): {
        FieldReader part(field.bytes());
        while (part.next()) {
          if (part.key() == number_field(3)) overwritten += part.number();
          if (part.key() == number_field(6)) failed_patches += part.number();
          if (part.key() == number_field(18)) discarded += part.number();
          if (part.key() == number_field(19)) lost += part.number();
        }
        break;
      }
      default:
        break;
    }
  }
  const auto tell = [&](std::uint64_t count, std::string_view what) {
    if (count == 0) return;
    diagnostics.count(kDataLoss, offset, fmt::format("The recorder lost {} {}.", count, what),
                      count);
  };
  tell(overwritten, "chunks: its ring buffer was full and its start was overwritten");
  tell(discarded, "chunks: its buffer was full");
  tell(lost, "packets that its writers could not hand over");
  tell(failed_patches, "parts of packets that span chunks");
  tell(invalid, "packets that were invalid");
  if (failed_flushes != 0) {
    diagnostics.count(kDataLoss, offset,
                      fmt::format("{} flushes of the recorder failed.", failed_flushes));
  }
  if (unflushed) {
    diagnostics.count(kDataLoss, offset, "The recorder could not flush all data at the end.");
  }
}

std::string config_text(std::string_view body) {
  std::string buffers, sources;
  FieldReader field(body);
  while (field.next()) {
    if (field.key() == bytes_field(1)) {
      std::uint64_t size_kb = 0, policy = 0;
      FieldReader part(field.bytes());
      while (part.next()) {
        if (part.key() == number_field(1)) size_kb = part.number();
        if (part.key() == number_field(4)) policy = part.number();
      }
      buffers += fmt::format("{}{} KB{}", buffers.empty() ? "" : ", ", size_kb,
                             policy == 1   ? " ring"
                             : policy == 2 ? " discard"
                                           : "");
    } else if (field.key() == bytes_field(2)) {
      FieldReader part(field.bytes());
      while (part.next()) {
        if (part.key() != bytes_field(1)) continue;
        FieldReader config(part.bytes());
        while (config.next()) {
          if (config.key() != bytes_field(1)) continue;
          sources += (sources.empty() ? "" : ", ") + std::string(config.bytes());
        }
      }
    }
  }
  return fmt::format("buffers: {}; data sources: {}", buffers, sources);
}

std::string system_text(std::string_view body) {
  std::string text;
  FieldReader field(body);
  while (field.next()) {
    if (field.key() == bytes_field(4)) {
      text += (text.empty() ? "" : "; ") + std::string(field.bytes());
    }
    if (field.key() != bytes_field(1)) continue;
    FieldReader part(field.bytes());
    while (part.next()) {
      if (part.is_bytes()) text += (text.empty() ? "" : " ") + std::string(part.bytes());
    }
  }
  return text;
}

void note_chrome_metadata(std::string_view body, TimelineBuilder& out) {
  FieldReader field(body);
  while (field.next()) {
    if (field.key() != bytes_field(2)) continue;
    std::string name, text;
    FieldReader part(field.bytes());
    while (part.next()) {
      switch (part.key()) {
        case bytes_field(1):
          name = part.bytes();
          break;
        case bytes_field(2):
        case bytes_field(5):
          text = part.bytes();
          break;
        case number_field(3):
          text = part.number() != 0 ? "true" : "false";
          break;
        case number_field(4):
          text = fmt::format("{}", part.signed_number());
          break;
        default:
          break;
      }
    }
    if (!name.empty()) out.note(name, text);
  }
}

std::string uuid_text(std::string_view body) {
  std::uint64_t high = 0, low = 0;
  FieldReader field(body);
  while (field.next()) {
    if (field.key() == number_field(1)) high = field.number();
    if (field.key() == number_field(2)) low = field.number();
  }
  return fmt::format("{:016x}{:016x}", low, high);
}

}  // namespace

void MissingState::add(const Sequence& sequence, const PacketBytes& bytes) {
  ++of_sequences_;
  of_packets_ += sequence.packet_count;
  if (sequence.unreadable_count == 0) return;
  ++sequences_;
  packets_ += sequence.unreadable_count;
  first_offset_ = std::min(first_offset_, bytes.file_offset(sequence.first_unreadable));
}

void MissingState::report(Diagnostics& diagnostics) const {
  if (packets_ == 0) return;
  diagnostics.count(
      kMissingState, static_cast<std::int64_t>(first_offset_),
      fmt::format("{} of {} packets, of {} of {} sequences, build on packets that are missing, as "
                  "after a ring buffer overwrote its start; they cannot be read.",
                  packets_, of_packets_, sequences_, of_sequences_),
      packets_);
}

void report_recording(const Survey& survey, TimelineBuilder& out) {
  std::uint64_t last_statistics = UINT64_MAX;
  for (const std::uint64_t address : survey.report_packets) {
    const Pin pin = survey.bytes.packet_at(address);
    Packet packet;
    if (!read_packet(pin.text().substr(read_head(pin.text()).head_bytes), packet)) continue;
    switch (packet.kind) {
      case kTraceStats:
        last_statistics = address;  // they count from the begin of the recording
        break;
      case kTraceConfig:
        out.note("recording", config_text(packet.body));
        break;
      case kSystemInfo:
        out.note("system", system_text(packet.body));
        break;
      case kChromeEvents:
        note_chrome_metadata(packet.body, out);
        break;
      case kTraceUuid:
        out.note("trace uuid", uuid_text(packet.body));
        break;
      default:
        break;
    }
  }
  if (last_statistics != UINT64_MAX) {
    const Pin pin = survey.bytes.packet_at(last_statistics);
    Packet packet;
    if (read_packet(pin.text().substr(read_head(pin.text()).head_bytes), packet)) {
      const std::uint64_t offset = survey.bytes.file_offset(last_statistics);
      report_losses(packet.body, static_cast<std::int64_t>(offset), out.diagnostics());
    }
  }
  for (const auto& [name, count] : skipped_packets(survey)) {
    if (name == "chrome_events") continue;  // notes are made of them
    out.diagnostics().count(kNotShown, kNoOffset,
                            fmt::format("{} {} packets are not shown.", count, name), count);
  }
}

}  // namespace cinderscope::perfetto
