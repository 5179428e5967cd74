// Where everything lies in a data file: blocks, the streams of threads, named objects.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "formats/lincheck/id_table.h"
#include "formats/lincheck/lincheck_wire.h"
#include "ingest/base/diagnostics.h"

namespace cinderscope::lincheck {

// Physical offsets are those in the data file; a logical offset is a place in a thread's stream,
// which is the payloads of its blocks joined together.
struct Block {
  std::uint64_t begin = 0;    // physical, of the kind byte of BLOCK_START
  std::uint64_t size = 0;     // of the payload
  std::uint64_t logical = 0;  // of the payload's first byte
  std::int64_t clock = 0;     // the file's latest event number before it, see EventClock
  std::uint32_t thread = 0;   // index into TraceMap::threads

  std::uint64_t payload() const { return begin + kBlockStartBytes; }
  std::uint64_t end() const { return payload() + size; }  // where BLOCK_END is
};

struct ThreadStream {
  std::int32_t id = 0;
  std::uint64_t size = 0;             // of all payloads
  std::vector<std::uint32_t> blocks;  // indices into TraceMap::blocks, in order
};

// By kind and id: the physical offset of the object's kind byte; 0 if it is not there.
using References = std::array<IdTable<std::uint64_t>, kReferenceKinds>;

struct PointCounts {
  std::uint64_t calls = 0, loops = 0, iterations = 0, snapshots = 0, leaves = 0;

  std::uint64_t containers() const { return calls + loops + iterations; }
};

struct TraceMap {
  std::vector<Block> blocks;  // in order of the file, empty ones, too
  std::vector<ThreadStream> threads;
  std::unordered_map<std::int32_t, std::uint32_t> thread_by_id;
  References references;
  bool dump_mode = false;  // written at the end by the thread, not while running
  bool is_diff = false;
  bool has_counts = false;
  PointCounts counts;
  std::uint64_t end = 0;  // physical: how far the file could be read
  Diagnostics diagnostics;

  std::uint32_t thread_of(std::int32_t id);  // made if it is new

  // The block that holds a byte at a physical offset; null if none does.
  const Block* block_at(std::uint64_t physical) const;
};

// The bytes of a data or index file, which may still be on their way: at least so many of them
// unless there are no more.
using Bytes = std::function<std::span<const std::byte>(std::uint64_t wanted)>;

inline constexpr std::int64_t kEarliestEvent = -(std::int64_t{1} << 61);

// Event numbers are a signed 32-bit counter, which long recordings make wrap: the number nearest to
// the one before it is meant.
class EventClock {
 public:
  explicit EventClock(std::int64_t latest = 0) : latest_(latest) {}

  std::int64_t number(std::int32_t event) {
    constexpr std::int64_t kTurn = std::int64_t{1} << 32, kFar = std::int64_t{1} << 60;
    if (latest_ > -kFar && latest_ < kFar) {
      const std::int64_t ahead = static_cast<std::int32_t>(
          static_cast<std::uint32_t>(event) - static_cast<std::uint32_t>(latest_ & (kTurn - 1)));
      latest_ += ahead;
    }
    return latest_;
  }
  std::int64_t latest() const { return latest_; }

 private:
  std::int64_t latest_;
};

}  // namespace cinderscope::lincheck
