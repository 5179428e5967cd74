// Groups of tracks and the order of all tracks, hidden ones included.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// Tracks under one head: those of a process, or those in whose names the pattern finds the same
// text.
struct TrackGroup {
  bool is_process = true;
  ProcessId process{};    // of a process' group
  std::string name;       // of a pattern's group: the text that it found
  bool headless = false;  // of what belongs to all processes: above them, below no head
};

struct TrackOrdering {
  // Empty: no heads. The group of a process has its index; the one without a head is the last.
  std::vector<TrackGroup> groups;
  std::vector<std::uint32_t> tracks;    // from top to bottom; those of a group are neighbours
  std::vector<std::uint32_t> group_of;  // by track: into `groups`
};

// The thread of a track, part of `timeline`; null if it has none.
const Thread* thread_of(const Timeline& timeline, const Track& track);

// O(tracks x log tracks). Tracks of unknown processes are left out. UI thread.
TrackOrdering track_ordering(const Timeline& timeline, const TimelineState& state);

// As track_ordering(), but `tracks` stays empty.
TrackOrdering track_groups(const Timeline& timeline, const TimelineState& state);

// The name that the pattern is matched against and that the user sees: of the thread or of the
// track.
std::string_view grouping_name(const Timeline& timeline, const Track& track);

// A sentence that says what is wrong with a pattern and where; empty if it compiles.
std::string pattern_problem(std::string_view pattern);

// Moves the tracks `moved`, which keep their order, directly before or after `anchor`, which is
// none of them. O(order).
void move_tracks(std::vector<std::uint32_t>& order, std::span<const std::uint32_t> moved,
                 std::uint32_t anchor, bool before);

// A sort key of an id: "9" before "10", numbers before words. Refers to `text`.
std::pair<double, std::string_view> id_key(std::string_view text);

}  // namespace cinderscope
