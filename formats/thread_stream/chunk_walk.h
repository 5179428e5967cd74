// The header of a thread stream file, and where its chunks lie.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "formats/thread_stream/oddities.h"
#include "formats/thread_stream/wire.h"
#include "ingest/base/result.h"
#include "ingest/input/input.h"

namespace cinderscope::thread_stream {

struct FileHeader {
  std::uint16_t minor = 0;
  std::uint64_t first_chunk_at = kHeaderBytes;
  std::uint64_t alignment = kPlaceBytes;
  std::uint8_t flags = 0;
  std::optional<std::uint64_t> pid;                // none: the header is damaged
  std::uint64_t ns_numerator = 0, ns_divisor = 0;  // of a tick; either 0: unknown
  bool damaged = false;

  bool exact_ratio() const { return (flags & kExactRatio) != 0; }
};

bool has_magic(std::span<const std::byte> head);
// `head` has the magic. An Error if it is cut, or of another major version.
Result<FileHeader> read_file_header(std::span<const std::byte> head);

struct Chunk {
  std::uint64_t at = 0;  // of its header
  std::uint32_t stored_bytes = 0, full_bytes = 0;
  std::uint64_t there_bytes = 0;  // of the payload, fewer than stored where the file ends
  std::uint32_t stream = 0, sequence = 0;
  std::uint64_t ordinal = 0, first_tick = 0, last_tick = 0;
  std::uint32_t count = 0, crc = 0;
  std::uint16_t kind = 0, flags = 0;
  // Of its first record. Those of an LZ4 chunk lie in a range of their own behind the file's end.
  std::uint64_t place = 0;

  bool cut() const { return there_bytes < stored_bytes; }
  bool packed_lz4() const { return (flags & kLz4Flag) != 0; }
  bool open() const { return (flags & kOpenFlag) != 0; }
  std::uint64_t payload_at() const { return at + kChunkHeaderBytes; }
};

struct WalkedChunks {
  std::vector<Chunk> chunks;    // tables and events, in file order
  std::uint64_t accepted = 0;   // those of unknown kinds, too
  std::uint64_t place_end = 0;  // all places of records are smaller
};

// Hops from header to header, and searches where there is none. `go_on` is asked now and then with
// the bytes done; nullopt once it said no. An Error of the input is one of `go_on`.
std::optional<WalkedChunks> walk_chunks(const Input& input, const FileHeader& header,
                                        OddityCounts& odd,
                                        const std::function<bool(std::uint64_t)>& go_on);

// Whether the chunk is still the one that was found; it may have been closed since.
bool same_chunk_at(const Input& input, const Chunk& chunk);

}  // namespace cinderscope::thread_stream
