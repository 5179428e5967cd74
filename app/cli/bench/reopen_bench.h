// Measures opening a trace from its prepared copy.
#pragma once

#include <cstdint>
#include <string>

#include "ingest/base/result.h"
#include "ingest/format/load_options.h"

namespace cinderscope {

struct ReopenCost {
  double write_seconds = 0;  // of the copy
  std::uint64_t copy_bytes = 0;
  std::uint64_t write_memory_bytes = 0;  // the process' own memory above what it was before
  double seconds = 0;                    // median: from opening to the whole timeline
  double first_picture_seconds = 0;      // as in a tab of the window
  std::uint64_t own_bytes = 0;           // the process' own memory for the reopened timeline
};

// Blocks. Writes the copy into a folder of its own, which goes afterwards. An Error if there can be
// none.
Result<ReopenCost> measure_reopening(const std::string& path, LoadOptions load, unsigned runs);

}  // namespace cinderscope
