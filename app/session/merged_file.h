// The outcome of merging for each file of a merged timeline, and its texts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/merge_offset.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

// The outcome for one file.
struct MergedFile {
  std::string label;          // its name, with a number if an earlier file has the same
  std::string name;           // shorter: what tells it from the other files
  std::string headline = {};  // what was read of it, in a sentence
  std::string problem;        // why it was left out; empty: it was merged
  MergeOffset offset;
  bool empty = true;           // it has nothing to draw
  bool threads_apart = false;  // each of its threads counts its own events
  std::int64_t shift_ns = 0;
  std::int64_t begin_ns = 0, end_ns = 0;  // on the merged timeline
};

// How the files were aligned, in one line: "b.spall: assumed to share a clock".
std::string alignment_text(const std::vector<MergedFile>& files, TimeAxis axis);
// A warning about files that were taken to share a clock and do not overlap at all: "b.spall begins
// 56 years after a.json ends: their clocks may differ." Empty if there is none, or if all files
// tell the time of day.
std::string clock_warning(const std::vector<MergedFile>& files, TimeAxis axis);

}  // namespace cinderscope
