// The way to a call whose record is known but which may still lie on disk.
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
};

// At most one of the two is set; neither: the timeline does not have it.
struct SeekResult {
  MatchRef found;
  SliceRef on_disk;  // its children are to be read first
};
// UI thread; looks at each loaded block of the track once.
SeekResult seek(const Timeline& timeline, const PendingMatch& sought);

}  // namespace cinderscope
