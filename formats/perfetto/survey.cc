#include "formats/perfetto/survey.h"

#include <algorithm>
#include <span>

#include "formats/perfetto/perfetto_wire.h"
#include "formats/perfetto/system/ftrace_decoder.h"
#include "formats/perfetto/system/process_packets.h"
#include "formats/perfetto/wire/bundles.h"
#include "ingest/base/parallel.h"

namespace cinderscope::perfetto {
namespace {

constexpr std::uint64_t kBundleBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kFreeBytes = 64u << 20;
constexpr std::uint64_t kMostTimes = 1000;

// Of the file, or of what was unpacked.
struct SurveyedSource {
  std::vector<PacketBlock> blocks;
  std::vector<SurveyedBlock> surveyed;
};

bool survey_source(const ByteSource& source, std::vector<PacketBlock> blocks,
                   const LoadContext& context, SurveyedSource& out) {
  out.blocks = std::move(blocks);
  out.surveyed.resize(out.blocks.size());
  parallel_for(out.blocks.size(), context.jobs(), [&](std::size_t i) {
    if (context.cancelled()) return;
    const PacketBlock& block = out.blocks[i];
    const Pin pin = source.pin(block.begin, block.end - block.begin);
    out.surveyed[i] = survey_block(pin.text(), block.begin);
  });
  return !context.cancelled();
}

class Surveyor {
 public:
  Surveyor(const Input& input, LoadContext& context, Survey& out)
      : input_(input), context_(context), out_(out) {}

  bool run() {
    const ByteSource file(input_);
    const std::uint64_t block_bytes = context_.window_bytes();
    const auto go_on = [&](std::uint64_t) { return !context_.cancelled(); };
    Hop hop = hop_packets(file, block_bytes, go_on);
    if (hop.cancelled) return false;
    SurveyedSource in_file, unpacked;
    if (!survey_source(file, std::move(hop.blocks), context_, in_file)) return false;
    std::vector<PacketBlock> unpacked_blocks;
    if (!unpack_bundles(in_file, hop, unpacked_blocks)) return false;
    for (const std::uint64_t at : hop.damaged_at) {
      out_.diagnostics.count(kNoPackets, static_cast<std::int64_t>(at));
    }
    if (hop.is_cut) out_.diagnostics.count(kCutPacket, static_cast<std::int64_t>(hop.cut_at));
    if (out_.bytes.unpacked() != nullptr &&
        !survey_source(ByteSource(*out_.bytes.unpacked()), std::move(unpacked_blocks), context_,
                       unpacked)) {
      return false;
    }
    collect(in_file, false);
    collect(unpacked, true);
    std::sort(found_.begin(), found_.end(),
              [](const FoundPacket& a, const FoundPacket& b) { return a.at < b.at; });
    std::sort(out_.runs.begin(), out_.runs.end(),
              [](const PacketRun& a, const PacketRun& b) { return a.begin < b.begin; });
    look_again();
    out_.clocks.find_ways();
    out_.tracks.resolve(out_.diagnostics, out_.owners);
    return !context_.cancelled();
  }

 private:
  // What follows from a bundle is put behind it.
  bool unpack_bundles(const SurveyedSource& in_file, const Hop& hop,
                      std::vector<PacketBlock>& unpacked_blocks) {
    std::vector<std::uint64_t> bundles;
    for (const SurveyedBlock& block : in_file.surveyed) {
      for (const FoundPacket& found : block.found) {
        if (is_bundle(found.kind)) bundles.push_back(found.at);
      }
    }
    const Pin cut =
        hop.is_cut ? ByteSource(input_).pin(hop.cut_at, UINT64_MAX - hop.cut_at) : Pin();
    const CutBundle cut_bundle = cut.size() == 0
                                     ? CutBundle{}
                                     : bundle_in_cut_packet(cut.text().substr(std::min<std::size_t>(
                                           cut.size(), read_head(cut.text()).head_bytes)));
    if (bundles.empty() && cut_bundle.body.empty()) return true;
    Result<std::unique_ptr<GrowingFile>> file = GrowingFile::create(input_.disk_share());
    if (!file) {
      out_.diagnostics.count(diagnostic::kDiskFull, kNoOffset,
                             "There is no space to unpack the trace's bundles.");
      return true;
    }
    std::vector<std::pair<std::uint64_t, std::uint64_t>> unpacked_ranges;
    std::uint64_t done = 0;
    const auto unpack = [&](std::uint32_t kind, std::string_view body, std::uint64_t begin,
                            std::uint64_t end, bool is_cut) {
      const std::uint64_t allowed = kFreeBytes + kMostTimes * input_.size_bytes();
      const std::uint64_t most = std::min(kBundleBytes, allowed - std::min(allowed, done));
      const Unpacked state = unpack_bundle(kind, body, most, **file);
      const std::uint64_t now = (*file)->wait_for(0).size();
      // That the file was cut has been told.
      if (!is_cut || state != Unpacked::damaged) note(state, begin);
      out_.bytes.add_bundle(begin, end, now - done);
      unpacked_ranges.emplace_back(begin, done);
      done = now;
      return state != Unpacked::no_space && !context_.cancelled();
    };
    bool go_on = true;
    for (const std::uint64_t at : bundles) {
      const Pin pin = PacketBytes(input_).packet_at(at);
      Packet packet;
      const FieldHead head = read_head(pin.text());
      if (!read_packet(pin.text().substr(head.head_bytes), packet)) continue;
      go_on = go_on && unpack(packet.kind, packet.body, at, at + pin.size(), false);
    }
    if (go_on && !cut_bundle.body.empty()) {
      unpack(cut_bundle.kind, cut_bundle.body, hop.cut_at, hop.cut_at + cut.size(), true);
    }
    (*file)->close();
    out_.diagnostics.merge((*file)->trouble());
    out_.bytes.keep_unpacked(std::move(*file));
    hop_unpacked(unpacked_ranges, hop.is_cut ? hop.cut_at : UINT64_MAX, unpacked_blocks);
    return !context_.cancelled();
  }

  void note(Unpacked state, std::uint64_t packet_begin) {
    const auto offset = static_cast<std::int64_t>(packet_begin);
    if (state == Unpacked::damaged) out_.diagnostics.count(kBadBundle, offset);
    if (state == Unpacked::too_long) out_.diagnostics.count(kLongBundle, offset);
  }

  // Each bundle holds whole packets, but for the one that the end of the file cuts.
  void hop_unpacked(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& ranges,
                    std::uint64_t cut_bundle_at, std::vector<PacketBlock>& blocks) {
    const std::uint64_t end = out_.bytes.unpacked()->wait_for(UINT64_MAX).size();
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const auto [bundle_at, begin] = ranges[i];
      const std::uint64_t next = i + 1 < ranges.size() ? ranges[i + 1].second : end;
      const ByteSource part(*out_.bytes.unpacked(), begin, next - begin);
      Hop hop = hop_packets(part, context_.window_bytes(),
                            [&](std::uint64_t) { return !context_.cancelled(); });
      for (const PacketBlock& block : hop.blocks) {
        blocks.push_back({begin + block.begin, begin + block.end});
      }
      const bool lacks_bytes = hop.is_cut && bundle_at != cut_bundle_at;
      for (std::size_t k = 0; k < hop.damaged_at.size() + (lacks_bytes ? 1 : 0); ++k) {
        out_.diagnostics.count(kBadBundle, static_cast<std::int64_t>(bundle_at));
      }
    }
  }

  void collect(SurveyedSource& source, bool unpacked) {
    const auto address = [&](std::uint64_t at) {
      return unpacked ? out_.bytes.address_unpacked(at) : out_.bytes.address_in_file(at);
    };
    for (SurveyedBlock& block : source.surveyed) {
      for (const PacketRun& run : block.runs) {
        const std::uint64_t begin = address(run.begin);
        out_.runs.push_back({begin, begin + run.size_bytes(), run.sequence, run.mixed});
      }
      out_.packet_count += block.packet_count;
      for (const auto& [kind, count] : block.kinds) {
        if (is_bundle(kind)) {
          out_.packet_count -= count;  // they are counted by what is in them
        } else {
          out_.kinds[kind] += count;
        }
      }
      for (const auto& [sequence, size] : block.sequence_bytes) {
        out_.sequence_bytes[sequence] += size;
      }
      for (const std::uint64_t at : block.bad_at) {
        const std::uint64_t offset = out_.bytes.file_offset(address(at));
        out_.diagnostics.count(kBadPacket, static_cast<std::int64_t>(offset));
      }
      for (FoundPacket& found : block.found) {
        found.at = address(found.at);
        if (!is_bundle(found.kind)) {
          found_.push_back(found);
        } else if (unpacked) {
          const std::uint64_t offset = out_.bytes.file_offset(found.at);
          out_.diagnostics.count(kNestedBundle, static_cast<std::int64_t>(offset));
        }
      }
    }
  }

  void look_again() {
    std::unordered_map<std::uint32_t, bool> valid;
    Packet packet;
    for (const FoundPacket& found : found_) {
      if (context_.cancelled()) return;
      bool& state = valid[found.sequence];
      if (found.cleared) {
        state = true;
      } else if (found.lost) {
        state = false;
      }
      const bool readable = !found.needs_state || (state && found.sequence != 0);
      const Pin pin = out_.bytes.packet_at(found.at);
      packet.address = found.at;
      const FieldHead head = read_head(pin.text());
      if (!read_packet(pin.text().substr(head.head_bytes), packet)) continue;
      if (readable || packet.kind == kClockSnapshot) take(packet);
    }
    found_ = {};
  }

  void take(const Packet& packet) {
    const std::uint64_t offset = out_.bytes.file_offset(packet.address);
    switch (packet.kind) {
      case kClockSnapshot: {
        const ClockSnapshot snapshot = read_clock_snapshot(packet.body);
        for (const ClockReading& reading : snapshot.readings) {
          if (!is_sequence_clock(reading.clock) && reading.unit_ns != 1) {
            out_.clock_units[reading.clock] = reading.unit_ns;
          }
        }
        return out_.clocks.add(snapshot, packet.sequence);
      }
      case kFtraceEvents: {
        const FtraceClock clock = ftrace_clock_of(packet.body);
        if (clock.clock == 0 || !clock.has_reading) return;
        return out_.clocks.add({{{.clock = clock.clock, .ns = clock.ftrace_ns},
                                 {.clock = kBootClock, .ns = clock.boot_ns}},
                                0},
                               packet.sequence);
      }
      case kTrackDescriptor: {
        TrackDescriptor descriptor;
        if (!read_descriptor(packet.body, descriptor)) return;
        return out_.tracks.add(descriptor, packet.machine, packet.address, offset, out_.owners,
                               out_.diagnostics);
      }
      case kProcessDescriptor:
        return take_process(packet);
      case kThreadDescriptor:
        return take_thread(packet);
      case kProcessTree:
        return take_process_tree(packet.body, packet.machine, packet.address, out_.owners);
      case kExtensionDescriptor:
        out_.extension_descriptors.push_back(packet.address);
        return;
      case kModuleSymbols:
        out_.symbol_packets.push_back(packet.address);
        return take_symbols(packet);
      default:
        out_.report_packets.push_back(packet.address);
    }
  }

  void take_symbols(const Packet& packet) {
    const ModuleSymbols::LeftOut left_out = out_.symbols.add(packet.body);
    const auto offset = static_cast<std::int64_t>(out_.bytes.file_offset(packet.address));
    out_.diagnostics.count(kManySymbols, offset, {}, left_out.addresses);
    out_.diagnostics.count(kManyInlined, offset, {}, left_out.inlined);
  }

  void take_process(const Packet& packet) {
    const ProcessDescription told = read_process_description(packet.body);
    if (!told.has_pid) return;
    Owners& owners = out_.owners;
    const std::uint32_t process = owners.process_at(packet.machine, told.pid, packet.address);
    name_by_description(told, {}, process, packet.address, owners);
  }

  void take_thread(const Packet& packet) {
    const ThreadDescription told = read_thread_description(packet.body);
    if (!told.has_pid || !told.has_tid) return;
    Owners& owners = out_.owners;
    const std::uint32_t thread =
        owners.thread_at(packet.machine, told.pid, told.tid, packet.address);
    name_by_description(told, {}, thread, packet.address, owners);
  }

  const Input& input_;
  LoadContext& context_;
  Survey& out_;
  std::vector<FoundPacket> found_;
};

}  // namespace

bool survey_packets(const Input& input, LoadContext& context, Survey& out) {
  return Surveyor(input, context, out).run();
}

}  // namespace cinderscope::perfetto
