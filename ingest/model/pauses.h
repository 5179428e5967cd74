// Times in which all threads of a process stood still: garbage collection, a frozen machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ingest/model/ids.h"

namespace cinderscope {

struct Pause {
  std::int64_t begin_ns = 0, end_ns = 0;
  bool operator==(const Pause&) const = default;
};

// The pauses of one process, immutable. Pauses that touch or overlap are joined.
class ProcessPauses {
 public:
  ProcessPauses(ProcessId process,
                std::vector<Pause> pauses);  // in any order; empty ones are dropped

  ProcessId process() const { return process_; }
  const std::vector<Pause>& all() const { return pauses_; }  // by time, apart from each other

  // Index of the first pause that ends after `time_ns`; all().size() if there is none. O(log n).
  std::size_t first_after(std::int64_t time_ns) const;
  // Sum of pauses within [begin_ns, end_ns), in ns. O(log n).
  std::int64_t within(std::int64_t begin_ns, std::int64_t end_ns) const;

  std::size_t kept_bytes() const;

 private:
  std::int64_t before(std::int64_t time_ns) const;  // sum of pauses before `time_ns`

  ProcessId process_{};
  std::vector<Pause> pauses_;
  std::vector<std::int64_t> sum_before_ns_;  // [i]: sum of pauses 0 to i - 1
};

}  // namespace cinderscope
