// The records of versions 2, 3 and auto: how long they are, and whether a buffer begins somewhere.
#pragma once

#include <cstddef>
#include <cstdint>

#include "formats/spall/spall_wire.h"
#include "formats/spall/thread_load.h"
#include "ingest/input/input.h"

namespace cinderscope::spall {

struct BufferHeader {
  ThreadKey thread;
  std::uint64_t begin = 0, end = 0;  // of its records, as it says itself
};

// `data` is the whole header, which lies at `offset` in the input.
BufferHeader buffer_header(const BufferLayout& layout, const std::byte* data, std::uint64_t offset);

// Size of the record at `data`; 0 if it is none, or is cut: `left` bytes are there.
struct RecordSize {
  std::uint64_t bytes = 0;
  bool cut = false;
};
RecordSize record_size(const BufferLayout& layout, const std::byte* data, std::uint64_t left);

// Whether the bytes at `offset` may be a buffer: it has a header whose first records are sound, or
// whose end is followed by such a one. `strict` asks for both; used when searching for one.
bool may_be_buffer(const BufferLayout& layout, const Input& input, std::uint64_t offset,
                   bool strict);

// Where Pad_Skip at `at` leads within the buffer that ends at `end`: `size` may or may not count
// the record's own 5 bytes (section 2); 0 if it leads out of the buffer either way.
std::uint64_t skip_target(const BufferLayout& layout, const Input& input, std::uint64_t at,
                          std::uint64_t end);

// Time of the first event of the file; 0 if none is near its begin.
std::uint64_t first_tick(const BufferLayout& layout, const Input& input,
                         std::uint64_t header_bytes);

}  // namespace cinderscope::spall
