// From match to match through both lanes of a comparison, by the time at which they line up.
#pragma once

#include <optional>

#include "ingest/compare/compared_names.h"
#include "ingest/search/match_set.h"

namespace cinderscope {

class ComparePage;

struct SideMatch {
  Side side = side_a;
  MatchRef match;  // falsy: there is none
  bool wrapped = false;
};

// The match behind (+1) or before (-1) the one that is selected on the lane used last, else behind
// or before the begin of its view. Of two at the same time that of A comes first. Nothing while
// either lane is still searched.
std::optional<SideMatch> match_step(const ComparePage& page, int direction);

}  // namespace cinderscope
