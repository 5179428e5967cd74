// Finds packets by their lengths alone, and the next ones behind damage.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "formats/perfetto/wire/byte_source.h"

namespace cinderscope::perfetto {

// The head of a packet, or of another field of the file.
struct FieldHead {
  enum class Kind : std::uint8_t { packet, other, bad_tag, cut };
  Kind kind = Kind::cut;
  std::uint64_t head_bytes = 0;  // tag and length
  std::uint64_t body_bytes = 0;  // as told
};
// `bytes` are all that there are, or at least 20.
FieldHead read_head(std::string_view bytes);

// Bytes that hold whole fields, one behind the other.
struct PacketBlock {
  std::uint64_t begin = 0, end = 0;
};

struct Hop {
  std::vector<PacketBlock> blocks;
  std::vector<std::uint64_t> damaged_at;  // where something was that is no packet
  bool is_cut = false;
  std::uint64_t cut_at = 0;  // the field that lacks bytes
  bool cancelled = false;
};

// Blocks have about `block_bytes`, or one longer packet. `go_on` is asked from time to time.
Hop hop_packets(const ByteSource& source, std::uint64_t block_bytes,
                const std::function<bool(std::uint64_t done_bytes)>& go_on);

}  // namespace cinderscope::perfetto
