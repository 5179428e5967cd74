// The timeline as one widget: overview strip, ruler, gutter and tracks in a rectangle of the
// window.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "ingest/model/timeline.h"
#include "ingest/search/match_set.h"
#include "render/base/actions.h"
#include "render/base/image_store.h"
#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// Input of one frame, beside ImGui's own input state.
struct TimelineFrame {
  const Timeline& timeline;
  // Hovered, visible_*, width and, where rows change their height, scroll are written; all else
  // changes by actions.
  TimelineState& state;
  const Theme& theme;
  Rect area;                 // in window pixels
  bool interactive = true;   // false while a popup owns the input
  bool filter_open = false;  // its field lies over the ruler's head
  bool loading = false;
  double load_fraction = 1;
  // The matches of the search: all else is dimmed. Null without a search.
  const MatchSet* matches = nullptr;
  std::uint64_t version = 0;  // changes with the timeline and when child blocks come or go
  ImageStore& images;         // outlives the drawing of this frame
};

// Where the parts of the timeline lie: in the left column the heads of overview and ruler above the
// gutter, right of them overview, ruler and tracks. In window pixels.
struct TimelineParts {
  Rect overview_head, ruler_head, gutter, overview, ruler, tracks;
};
TimelineParts timeline_parts(const TimelineState& state, const Theme& theme, const Rect& area);

// Keeps the drag in progress, inertia, and caches of layout and track list from frame to frame. One
// for each tab; make a new one when another file's timeline replaces the old.
class TimelineView {
 public:
  TimelineView();
  ~TimelineView();

  // Draws into the current ImGui window's draw list and appends the user's actions. The area must
  // have the theme's background colour already: without a GPU filling it again would be most of a
  // frame.
  void draw(const TimelineFrame& frame, Actions& actions);

  // True while inertia or a drag needs further frames without input.
  bool animating() const;

  // Cancels a drag of the selected range, restoring the range (Escape). False if there is none.
  bool cancel_drag(TimelineState& state);
  // True while a row of the gutter is dragged: Escape cancels that and does nothing else.
  bool moves_row() const;

  // How far a page scrolls, unscaled: all rows but two.
  double page_px() const;
  // The scroll offset (unscaled) that brings the slice's row into view in the last layout; the head
  // of its track if the slice is not loaded.
  double scroll_for(const Timeline& timeline, const TimelineState& state,
                    const SliceRef& slice) const;
  // The first track that is in sight, and how far its upper edge is above the canvas, unscaled;
  // kNoTrack if there is none.
  struct TrackPlace {
    TrackId track = kNoTrack;
    double above_px = 0;
  };
  TrackPlace first_track(double scroll_px) const;
  // The scroll offset that brings a track to that place; nothing if it has no row.
  std::optional<double> scroll_to(const TrackPlace& place) const;
  // The edge of a call on screen, as it was laid out last, that is nearest to there.
  std::optional<std::int64_t> edge_near(const Timeline& timeline, const Viewport& view, double x_px,
                                        double reach_px) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cinderscope
