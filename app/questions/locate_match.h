// Finds a match by its record, also where its call is still on disk.
#pragma once

#include <cstdint>

#include "ingest/model/timeline.h"
#include "ingest/search/match_set.h"

namespace cinderscope {

struct PendingMatch {
  TrackId track = kNoTrack;
  std::int64_t begin_ns = 0;
  RecordOffset record = kNoRecord;
  bool instant = false;
  bool zooms = false;  // the view shows it alone once it is there
};

// At most one of the two is set; none: the timeline does not have the match.
struct MatchLocation {
  MatchRef found;
  SliceRef on_disk;  // its children have to be read first
};
// UI thread. Goes once through the loaded blocks of the track.
MatchLocation locate_match(const Timeline& timeline, const PendingMatch& wanted);

}  // namespace cinderscope
