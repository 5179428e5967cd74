// A packed trace: a ZIP with the data, the index and facts about the recording.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ingest/input/growing_file.h"
#include "ingest/input/input.h"

namespace cinderscope::lincheck {

// By its first entry, since that is all that a probe sees.
bool is_packed_trace(const Input& input);

struct PackedTrace {
  std::unique_ptr<GrowingFile> data;   // unlinked and mapped, so not memory; closed
  std::unique_ptr<GrowingFile> index;  // null if there is none
  bool is_diff = false;
  // Of a diff: the threads of both recordings that a thread stands for, -1: none.
  struct DiffThread {
    std::int32_t thread = 0, left = -1, right = -1;
  };
  std::vector<DiffThread> diff_threads;
  std::unique_ptr<GrowingFile> diff_events;  // null if there is none; see diff_event()
  // What the recorder says of the recording. The environment of its machine, which it writes down
  // as well, is left out.
  std::vector<std::pair<std::string, std::string>> facts;
  Diagnostics damage;
};

// Which events of the two recordings an event of a diff stands for; -1: none, or not told.
struct DiffEvent {
  std::int32_t left = -1, right = -1;
};
DiffEvent diff_event(std::span<const std::byte> events, std::int32_t event);

// Blocks. `tick` gets the unpacked bytes so far; false ends it early.
Result<PackedTrace> unpack_trace(const Input& input,
                                 const std::function<bool(std::uint64_t)>& tick);

}  // namespace cinderscope::lincheck
