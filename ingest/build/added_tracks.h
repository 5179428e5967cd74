// Tracks that are no part of a trace, put onto its timeline: what somebody's query gave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

struct AddedSlice {
  std::int64_t begin_ns = 0, duration_ns = 0;
  std::string name;
};
struct AddedValue {
  std::int64_t time_ns = 0;
  double value = 0;
};

// A track of slices, or one counter; in any order. Slices that overlap go to further rows.
struct AddedTrack {
  std::string name;
  std::vector<AddedSlice> slices;
  std::vector<AddedValue> values;
};

// Puts them below a process of their own called `title`, which stands before all others. Nothing
// else of the timeline changes, counts neither; names go into its strings.
void add_tracks(Timeline& timeline, const std::string& title,
                const std::vector<AddedTrack>& tracks);
// Takes all such tracks away again.
void remove_added_tracks(Timeline& timeline);

}  // namespace cinderscope
