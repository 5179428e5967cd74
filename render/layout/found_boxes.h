// Tells which boxes of a line hold a match of the search.
#pragma once

#include "ingest/search/match_set.h"
#include "render/layout/layout.h"

namespace cinderscope {

// Ask for the boxes of one line from left to right. Refers to `matches`. UI thread.
class FoundBoxes {
 public:
  // Null `matches`: there is no search, and every box counts as found.
  FoundBoxes(const MatchSet* matches, const DrawLine& line)
      : all_(matches == nullptr),
        cursor_(all_ ? nullptr
                     : matches_of(*matches, line.track, line.instants, line.block, line.row)) {}

  bool operator()(const DrawBox& box) { return all_ || cursor_.any(box.first, box.count); }

 private:
  bool all_;
  MatchCursor cursor_;
};

}  // namespace cinderscope
