// What became of each file on a common timeline, and how that is said.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/merge_offset.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

// What became of one file.
struct MergedPart {
  std::string label;    // its name; with a number where an earlier file has the same
  std::string problem;  // why it was left out; empty: it is there
  MergeOffset offset;
  bool empty = true;           // there is nothing to draw
  bool threads_apart = false;  // each of its threads counts its own events
  std::int64_t shift_ns = 0;
  std::int64_t begin_ns = 0, end_ns = 0;  // where it lies now
};

// How the files were aligned, in one line: "b.spall: taken to be on the same clock".
std::string alignment_text(const std::vector<MergedPart>& parts, TimeAxis axis);
// Which files taken for the same clock lie wholly before or after those before them; empty if none
// does, or all tell the time of day. "b.spall begins 56 years after a.json ends: their clocks may
// differ."
std::string clock_warning(const std::vector<MergedPart>& parts, TimeAxis axis);

}  // namespace cinderscope
