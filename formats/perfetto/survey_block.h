// First look at the packets of a block: whose they are, and which of them need a second look.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cinderscope::perfetto {

// Packets one behind the other: of one sequence, or of several that take turns too often.
struct PacketRun {
  std::uint64_t begin = 0, end = 0;
  std::uint32_t sequence = 0;
  bool mixed = false;
  std::uint64_t size_bytes() const { return end - begin; }
};

// A packet that has to be looked at again, in order.
struct FoundPacket {
  std::uint64_t at = 0;  // in its source; then its address
  std::uint32_t sequence = 0;
  std::uint32_t kind = 0;
  bool cleared = false, lost = false, needs_state = false;
};

struct SurveyedBlock {
  std::vector<PacketRun> runs;  // of all packets but bundles
  std::vector<FoundPacket> found;
  std::vector<std::uint64_t> bad_at;
  std::unordered_map<std::uint32_t, std::uint64_t> sequence_bytes;
  std::map<std::uint32_t, std::uint64_t> kinds;  // packets by what they are about, but track events
  std::uint64_t packet_count = 0;
};

// `bytes` are whole fields, `begin` is where they lie in their source. Any thread.
SurveyedBlock survey_block(std::string_view bytes, std::uint64_t begin);

}  // namespace cinderscope::perfetto
