// What has to be known of all packets before the first event: where they lie, clocks, tracks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/perfetto/samples/module_symbols.h"
#include "formats/perfetto/state/clocks.h"
#include "formats/perfetto/survey_block.h"
#include "formats/perfetto/tracks/track_table.h"
#include "formats/perfetto/wire/packet.h"
#include "formats/perfetto/wire/packet_bytes.h"
#include "ingest/base/diagnostics.h"
#include "ingest/format/load_context.h"

namespace cinderscope::perfetto {

struct Survey {
  explicit Survey(const Input& input) : bytes(input) {}

  PacketBytes bytes;
  std::vector<PacketRun> runs;  // of addresses, in order
  Clocks clocks;
  std::unordered_map<std::uint64_t, std::uint64_t> clock_units;  // of global clocks
  TrackTable tracks;
  Owners owners;
  std::unordered_map<std::uint32_t, std::uint64_t> sequence_bytes;
  std::uint64_t packet_count = 0;
  std::map<std::uint32_t, std::uint64_t> kinds;      // packets by what they are about
  std::vector<std::uint64_t> extension_descriptors;  // addresses of packets
  std::vector<std::uint64_t> report_packets;         // of what the load report tells
  ModuleSymbols symbols;
  std::vector<std::uint64_t> symbol_packets;  // addresses of the packets that `symbols` came with
  Diagnostics diagnostics;
};

// False once cancelled.
bool survey_packets(const Input& input, LoadContext& context, Survey& out);

}  // namespace cinderscope::perfetto
