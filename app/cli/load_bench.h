// What opening a trace costs besides the load itself: its first picture, giving it up, its stages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ingest/base/self_trace.h"
#include "ingest/format/load_context.h"

namespace cinderscope {

// A load as a tab of the window does it, given up when half of the input was read.
struct CancelCost {
  double first_picture_seconds = 0;  // from opening to a timeline with something to draw
  double end_seconds = 0;            // from closing the tab to the end of its threads
  double memory_seconds = 0;         // from there to memory being what it was before, about
  double longest_call_ms = 0;        // of the window's thread: taking a snapshot, or closing
  std::uint64_t held_bytes = 0;      // of the process' own memory when it was given up
  std::uint64_t left_bytes = 0;      // of that when all was over
};

// Blocks. The trace must be one that opens.
CancelCost measure_cancel(const std::string& path, const LoadOptions& load);

// Loads once more with all marks on. Wall clock added up over threads; a stage within another
// counts in both.
std::vector<StageTime> measure_stages(const std::string& path, const LoadOptions& load);

}  // namespace cinderscope
