// The calls list while a recording is loaded: finds each call's root in the traces.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/qubership/call_records.h"
#include "formats/qubership/recording.h"

namespace cinderscope::qubership {

inline constexpr std::uint32_t kNoThreadNumber = 0xffffffffu;

// One record; `thread` and `root` are found while the traces are read.
struct ListedCall {
  std::uint32_t trace_file = 0, block_at = 0, event = 0;
  std::uint32_t thread = kNoThreadNumber;
  std::uint64_t root = kNoRecord;
};

class CallList {
 public:
  // Reads a file of calls; names no thread yet. False once `go_on` said no.
  bool add(Recording& recording, const StreamFile& file, ReadOn& from, AtEnd end,
           Diagnostics& problems, const GoOn& go_on);
  // Once all files of calls are there, before the first trace, and again where more of them came.
  // Finds the roots of those whose blocks were read before.
  void sort(const Recording& recording);

  // Of the calls whose block was not read yet those of the block at `block_at` of that trace file,
  // by event.
  std::span<const std::uint32_t> of_block(std::uint32_t trace_file, std::uint64_t block_at) const;
  ListedCall& call(std::uint32_t i) { return calls_[i]; }
  const std::vector<ListedCall>& calls() const { return calls_; }

 private:
  void find_roots(const Recording& recording);

  std::vector<ListedCall> calls_;     // in the order of their records
  std::vector<std::uint32_t> order_;  // by file, block, event
  std::size_t sorted_ = 0;            // how many of the calls were there at the last sort()
};

}  // namespace cinderscope::qubership
