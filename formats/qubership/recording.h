// All that is known of one incarnation once it was read: what records are described from.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "formats/qubership/dictionary.h"
#include "formats/qubership/process_streams.h"
#include "formats/qubership/stream_store.h"

namespace cinderscope::qubership {

inline constexpr std::uint32_t kNoBlock = 0xffffffffu;

// A block of a trace, by its place in the store.
struct TraceBlock {
  std::uint64_t begin = 0;
  std::uint32_t thread = 0;       // position among the recording's threads
  std::uint32_t next = kNoBlock;  // of the same thread, where its calls go on
};

// A root call that the calls list knows more of; both are places in the store.
struct KnownRoot {
  std::uint64_t root = 0, call = 0;
};

struct RecordingCounts {
  std::uint64_t calls = 0, events = 0, trees = 0, tags = 0, pauses = 0, pause_ms = 0;
};

// Written by the loader; afterwards any thread reads it.
struct Recording {
  explicit Recording(StreamStore files) : store(std::move(files)) {}

  StreamStore store;
  Dictionary dictionary;
  std::vector<Parameter> parameters;          // by name
  std::vector<TraceBlock> blocks;             // by begin
  std::vector<KnownRoot> roots;               // by root
  std::vector<std::uint64_t> naming_records;  // of calls, sorted; only these hold a thread's name
  RecordingCounts counts;
};

}  // namespace cinderscope::qubership
