// What the gutter tells of a track, a process or a group, as lines of text.
#pragma once

#include <string>

#include "render/layout/track_list.h"

namespace cinderscope {

// Name, process, ids, how busy it is in the view (0 to 1) and what is on it.
std::string track_text(const Timeline& timeline, const Track& track, const TrackRow& row,
                       float busy);

// Name and ids of a head, and what its tracks hold together.
std::string head_text(const Timeline& timeline, const TrackList& tracks, const TrackRow& row);

}  // namespace cinderscope
