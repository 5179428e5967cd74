// Measures a load besides its time: the first picture, cancelling it, its stages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ingest/base/self_trace.h"
#include "ingest/format/load_context.h"

namespace cinderscope {

// The cost of a load as in a tab of the window, cancelled when half of the input was read.
struct CancelCost {
  double first_picture_seconds = 0;  // from opening to a timeline with something to draw
  double end_seconds = 0;            // from closing the tab to the end of its threads
  double memory_seconds = 0;         // from then until memory is about what it was before
  double longest_call_ms = 0;        // on the UI thread: taking a snapshot, or closing
  std::uint64_t held_bytes = 0;      // the process' own memory at the cancel
  std::uint64_t left_bytes = 0;      // the process' own memory at the end
};

// Blocks. The trace must open without an error.
CancelCost measure_cancel(const std::string& path, const LoadOptions& load);

// Loads once more with the self trace on. Wall clock, added up over threads; a stage within another
// counts in both.
std::vector<StageTime> measure_stages(const std::string& path, const LoadOptions& load);

}  // namespace cinderscope
