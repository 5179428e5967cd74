// Compressed bundles: packets that hold packets.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/perfetto/wire/packet.h"
#include "ingest/input/growing_file.h"

namespace cinderscope::perfetto {

inline bool is_bundle(std::uint32_t kind) {
  return kind == kDeflatedPackets || kind == kZstdPackets;
}

enum class Unpacked : std::uint8_t {
  whole,
  damaged,   // what lies before the damage was unpacked
  too_long,  // more than `most_bytes`: the rest was left out
  no_space,
};
// Appends what `body` unpacks to.
Unpacked unpack_bundle(std::uint32_t kind, std::string_view body, std::uint64_t most_bytes,
                       GrowingFile& out);

// The bundle in a packet that the end of the file cuts, as far as it is there; an empty one if the
// packet holds none. `bytes` begin behind the packet's length.
struct CutBundle {
  std::uint32_t kind = 0;
  std::string_view body;
};
CutBundle bundle_in_cut_packet(std::string_view bytes);

}  // namespace cinderscope::perfetto
