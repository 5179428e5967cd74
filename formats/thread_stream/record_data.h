// Reads one record again with all that belongs to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "formats/thread_stream/chunk_payload.h"
#include "formats/thread_stream/record_cursors.h"
#include "formats/thread_stream/recording.h"
#include "ingest/input/input.h"

namespace cinderscope::thread_stream {

// An argument or a stack.
struct AttachedValue {
  Record head;  // its ARG or STACK
  std::vector<std::byte> bytes;
};

struct RecordData {
  Record record;
  std::uint64_t effective_tick = 0;
  std::optional<std::uint64_t> value;
  std::uint32_t class_token = 0;
  std::vector<AttachedValue> attached;
  bool cut = false;  // there is more than is read at once
};

// Where the last record lay, so that those behind it in its chunk need no walk from the chunk's
// begin. For one batch of records; one thread.
struct LastRecord {
  std::optional<std::uint32_t> chunk;
  std::optional<Payload> payload;
  PackedCursor cursor;  // before `at`
  std::uint64_t at = 0;
};

// nullopt if no record lies there. Any thread. `outdated`, unless null, is set if the chunk was
// taken anew since, as in a live file.
std::optional<RecordData> read_record_data(const Input& input, const Recording& recording,
                                           std::uint64_t place, bool* outdated, LastRecord& last);

}  // namespace cinderscope::thread_stream
