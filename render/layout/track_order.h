// Which groups the tracks form and in what order they stand, before any is hidden.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// Tracks under one head: those of a process, or those whose names give the same text.
struct TrackGroup {
  bool is_process = true;
  ProcessId process{};  // of a process' group
  std::string name;     // of a pattern's group: what it found in the names
};

struct TrackOrdering {
  std::vector<TrackGroup> groups;       // empty: no heads; a process' group has its index
  std::vector<std::uint32_t> tracks;    // from top to bottom; those of a group follow each other
  std::vector<std::uint32_t> group_of;  // by track: into `groups`
};

// O(tracks x log tracks). Tracks of unknown processes are left out. UI thread.
TrackOrdering track_ordering(const Timeline& timeline, const TimelineState& state);

// The groups alone; `tracks` stays empty.
TrackOrdering track_groups(const Timeline& timeline, const TimelineState& state);

// The name that the pattern is tried on, and that the user sees: of the thread or of the track.
std::string_view grouping_name(const Timeline& timeline, const Track& track);

// What is wrong with a pattern and where, for people; empty if it compiles.
std::string pattern_problem(std::string_view pattern);

// Moves `moved` (in the order that they have in `order`) right before or after `anchor`, which is
// none of them. O(order).
void move_tracks(std::vector<std::uint32_t>& order, std::span<const std::uint32_t> moved,
                 std::uint32_t anchor, bool before);

// "9" before "10", numbers before words.
std::pair<double, std::string_view> id_key(std::string_view text);

}  // namespace cinderscope
