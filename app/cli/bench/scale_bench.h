// Measures a load whose columns go to disk, and reading records of a packed trace again.
#pragma once

#include <cstdint>
#include <string>

#include "app/session/open_trace.h"

namespace cinderscope {

struct OnDiskCost {
  std::uint64_t limit_bytes =
      0;               // of own memory, above what there was before: a quarter of what is kept
  double seconds = 0;  // median, from opening to the whole timeline
  std::uint64_t own_peak_bytes = 0;  // above what there was before
};
// Blocks. `kept_bytes` is what the trace keeps in memory otherwise.
Result<OnDiskCost> measure_on_disk(const std::string& path, const LoadOptions& load,
                                   std::uint64_t kept_bytes, unsigned runs);

struct PackedCost {
  std::uint64_t plain_bytes = 0, disk_bytes = 0;    // unpacked; of it in a temporary file
  double describe_ms = 0, longest_describe_ms = 0;  // arguments of calls anywhere in the trace
};
// Blocks. Nothing where the trace's file is not packed.
PackedCost measure_packed(const OpenedTrace& trace);

}  // namespace cinderscope
