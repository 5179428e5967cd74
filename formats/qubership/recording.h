// All that is known of one incarnation once it was read: what records are described from.
#pragma once

#include <cstdint>
#include <optional>
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

// A root call that the calls list knows more of; both are places in the store. Packed, since there
// may be millions: 48 bits name any place of a file that fits on a disk.
class KnownRoot {
 public:
  KnownRoot(std::uint64_t root, std::uint64_t call)
      : root_low_(static_cast<std::uint32_t>(root)),
        call_low_(static_cast<std::uint32_t>(call)),
        root_high_(static_cast<std::uint16_t>(root >> 32)),
        call_high_(static_cast<std::uint16_t>(call >> 32)) {}
  std::uint64_t root() const { return std::uint64_t{root_high_} << 32 | root_low_; }
  std::uint64_t call() const { return std::uint64_t{call_high_} << 32 | call_low_; }

 private:
  std::uint32_t root_low_, call_low_;
  std::uint16_t root_high_, call_high_;
};
static_assert(sizeof(KnownRoot) == 12);

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
  std::optional<std::uint32_t> sql;           // id of the parameter that holds statements
  RecordingCounts counts;
};

// Of its columns; what lies in the store's file is none.
inline std::uint64_t kept_bytes(const Recording& recording) {
  return recording.store.kept_bytes() + recording.dictionary.kept_bytes() +
         recording.parameters.capacity() * sizeof(Parameter) +
         recording.blocks.capacity() * sizeof(TraceBlock) +
         recording.roots.capacity() * sizeof(KnownRoot) +
         recording.naming_records.capacity() * sizeof(std::uint64_t);
}

}  // namespace cinderscope::qubership
