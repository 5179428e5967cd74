#include "formats/thread_stream/write/chunk_header.h"

#include "formats/thread_stream/wire.h"
#include "formats/thread_stream/write/bytes.h"
#include "ingest/input/crc32.h"

namespace cinderscope::thread_stream {
namespace {

std::uint32_t crc_of(std::string_view bytes) {
  return crc32_of(std::as_bytes(std::span(bytes)));
}

}  // namespace

std::string whole_chunk(const ChunkFacts& facts, std::string_view payload) {
  std::string out(kChunkMagic);
  const auto size = static_cast<std::uint32_t>(payload.size());
  append_value(out, facts.kind);
  append_value(out, std::uint16_t{0});
  append_value(out, size);
  append_value(out, size);
  append_value(out, facts.stream);
  append_value(out, facts.sequence);
  append_value(out, facts.ordinal);
  append_value(out, facts.first_tick);
  append_value(out, facts.last_tick);
  append_value(out, facts.count);
  append_value(out, std::uint32_t{0});
  append_value(out, crc_of(payload));
  append_value(out, crc_of(out));
  out += payload;
  out.resize((out.size() + kPlaceBytes - 1) / kPlaceBytes * kPlaceBytes);
  return out;
}

}  // namespace cinderscope::thread_stream
