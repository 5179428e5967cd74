// Which processes have a track: those that `info` lists.
#pragma once

#include <cstddef>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

// By process. Looks at each of `tracks`, a range of Track, once: there may be as many as processes.
template <class Tracks>
std::vector<bool> processes_with_tracks(Tracks&& tracks, std::size_t process_count) {
  std::vector<bool> has_some(process_count);
  for (const Track& track : tracks) has_some[index(track.process)] = true;
  return has_some;
}

}  // namespace cinderscope
