// The timeline as one widget: overview strip, ruler, gutter and tracks in a rectangle of the
// window.
#pragma once

#include <cstdint>

#include "ingest/model/timeline.h"
#include "ingest/search/match_set.h"
#include "render/base/actions.h"
#include "render/base/image_store.h"
#include "render/base/theme.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
};

// What draw_timeline needs to know of this frame beside ImGui's own input state.
struct TimelineFrame {
  const Timeline& timeline;
  TimelineState& state;  // hovered, visible_* and width are written; all else goes by actions
  const Theme& theme;
  Rect area;                // in window pixels
  bool interactive = true;  // false while a popup owns the input
  bool loading = false;
  double load_fraction = 1;
  // What the search found: all else steps back. Null while there is no search.
  const MatchSet* matches = nullptr;
  std::uint64_t version = 0;  // changes with the timeline, also where child blocks come and go
  ImageStore& images;         // outlives the drawing of this frame
};

// Keeps what must live from frame to frame: drag in progress, inertia, caches of layout and track
// list. One per tab; drop it when the timeline is replaced by another file's.
class TimelineView {
 public:
  TimelineView();
  ~TimelineView();

  // Draws into the current ImGui window's draw list and appends what the user asked for. The area
  // has the theme's background colour already: filling it once more is most of a frame where no GPU
  // is.
  void draw(const TimelineFrame& frame, Actions& actions);

  // True while inertia or a drag needs further frames without input.
  bool animating() const;

  // Escape: gives up a drag of the selected range, which is as before again. False if there is
  // none.
  bool cancel_drag(TimelineState& state);
  // True while a row of the gutter is being moved: Escape then gives that up and does nothing else.
  bool moves_row() const;

  // CPU time of the last draw() spent in layout and list building, for frame statistics.
  double last_cpu_ms() const;

  // Scroll offset (unscaled) that brings the slice's row into view, given the last layout; the
  // head of its track if it names no slice that is there.
  double scroll_for(const Timeline& timeline, const TimelineState& state,
                    const SliceRef& slice) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cinderscope
