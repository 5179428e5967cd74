// The bytes of a chunk: checked and unpacked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "formats/thread_stream/chunk_walk.h"
#include "formats/thread_stream/oddities.h"
#include "ingest/input/input.h"

namespace cinderscope::thread_stream {

struct Payload {
  Pin pin;                                // of what is in the file
  std::unique_ptr<std::byte[]> unpacked;  // of an LZ4 chunk; 8 more may be read
  std::span<const std::byte> bytes;
  bool damaged = false;  // its checksum is wrong, and it is used all the same
  bool cut = false;      // the file ends inside
};

// nullopt if the chunk is not to be used (section 4). Any thread.
std::optional<Payload> read_payload(const Input& input, const Chunk& chunk, OddityCounts& odd);
// The same without a look at checksums, of a chunk that was used.
std::optional<Payload> read_again(const Input& input, const Chunk& chunk);

}  // namespace cinderscope::thread_stream
