// The header of a chunk that is written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cinderscope::thread_stream {

struct ChunkFacts {
  std::uint16_t kind = 0;
  std::uint32_t stream = 0, sequence = 0, count = 0;
  std::uint64_t ordinal = 0, first_tick = 0, last_tick = 0;
};

// Header, payload and what is missing to a place where the next chunk may begin.
std::string whole_chunk(const ChunkFacts& facts, std::string_view payload);

}  // namespace cinderscope::thread_stream
