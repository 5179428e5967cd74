// What one tab shows of its timeline: view, selection, what is folded and hidden.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/model/timeline.h"
#include "render/base/index_set.h"
#include "render/base/viewport.h"

namespace cinderscope {

struct TimeRange {
  std::int64_t begin_ns = 0, end_ns = 0;  // half open
  bool operator==(const TimeRange&) const = default;
};

enum class TrackOrder : std::uint8_t { sort_index, first_time, name, id, activity };

// How times on the axis are written.
enum class TimeShown : std::uint8_t {
  from_start,   // of the trace
  clock,        // as in the file
  time_of_day,  // the file's clock counts from 1970
};

// A time with a note, and the view to return to.
struct Bookmark {
  std::int64_t begin_ns = 0, end_ns = 0;  // of the view
  std::int64_t time_ns = 0;               // where its flag stands
  double scroll_px = 0;                   // of the view
  std::string note;
};

// A merged box under the pointer: several slices too thin to draw apart.
struct MergedSlices {
  TrackId track = kNoTrack;
  BlockId block{};
  std::uint32_t row = 0;
  std::uint64_t first = 0, count = 0;
  bool operator==(const MergedSlices&) const = default;
};

// A counter and the time at which it was clicked.
struct CounterRef {
  TrackId track = kNoTrack;
  std::int64_t time_ns = 0;
  bool operator==(const CounterRef&) const = default;
  explicit operator bool() const { return track != kNoTrack; }
};

// Of a timeline that is one lane of a comparison, with another trace's beside it.
struct LaneState {
  bool is_b = false;
  bool with_ruler = false;                // the common ruler stands above this lane
  std::int64_t zero_ns = 0;               // where the lanes line up: the ruler counts from here
  ViewportLimits limits;                  // of both traces, on this one's axis
  std::optional<std::int64_t> cursor_ns;  // under the pointer, which is on the other lane
  std::vector<StringId> outlined;         // names whose calls stand out, ascending
  IndexSet alone;                         // threads without one on the other lane
  std::string note;                       // beside its first head: which run it is
};

struct TimelineState {
  Viewport view;
  std::optional<LaneState> lane;
  double scroll_px = 0;  // vertical, unscaled by UI scale
  SliceRef selected;
  InstantRef selected_instant;
  CounterRef selected_counter;  // at most one of the three is set
  SliceRef hovered;
  std::optional<MergedSlices> hovered_merged;
  std::optional<std::uint32_t> lit_flow;  // under the pointer, here or in a list; of Flows::flows
  std::optional<TimeRange> range;         // selected with Shift+drag
  std::optional<std::int64_t> cursor_ns;

  IndexSet collapsed_processes, collapsed_tracks, hidden_tracks;
  IndexSet solo_tracks;                    // shown alone; empty: all that are not hidden
  std::set<std::string> collapsed_groups;  // groups of group_pattern, by name
  std::string filter;  // of processes and threads in the gutter, case-insensitive
  std::map<std::uint32_t, std::uint32_t> depth_limits;  // of tracks: rows shown at most
  IndexSet selected_tracks;                             // in the gutter, by Ctrl and Shift
  std::optional<TrackId> selection_anchor;              // where a selection with Shift begins
  bool hide_without_matches = false;                    // of the search
  std::optional<IndexSet> matched_tracks;  // those with matches; none: nothing is searched for
  TrackOrder order = TrackOrder::sort_index;
  std::vector<std::uint32_t> pinned_tracks;  // shown above all others, in this order
  double pinned_scroll_px = 0;  // of the pinned tracks, at most half of the view's height
  std::vector<std::uint32_t> moved_tracks;  // the user's own order of all tracks; empty: by `order`
  bool grouped = true;                      // tracks stand under heads of groups
  std::string group_pattern;  // a regular expression over names; empty: a group is a process
  TimeShown time_shown = TimeShown::from_start;
  bool ruler_in_ns = false;         // the ruler counts nanoseconds however long the view is
  std::vector<Bookmark> bookmarks;  // by time
  float gutter_px = 232;            // at scale 1
  bool wheel_scrolls = false;       // the plain wheel scrolls rows and Ctrl+wheel zooms
  bool fit_rows = true;             // a track is as high as what the view shows of it needs
  bool reduced_motion = false;

  // Filled by the last layout.
  std::uint64_t visible_rows = 0, visible_boxes = 0;
  std::uint64_t filtered_tracks = 0, all_tracks = 0;  // left by the filter, and without it
  double content_height_px = 0;                       // of all tracks at scale 1
};

// How far views of the timeline go.
inline ViewportLimits limits_of(const Timeline& timeline, const TimelineState& state) {
  if (state.lane) return state.lane->limits;
  return {timeline.begin_ns, timeline.end_ns};
}

}  // namespace cinderscope
