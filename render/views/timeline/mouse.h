// What the mouse does in the timeline: drags, clicks and wheel become actions.
#pragma once

#include <optional>

#include "render/views/timeline/gutter.h"
#include "render/views/timeline/gutter_drag.h"
#include "render/views/timeline/mouse_targets.h"
#include "render/views/timeline/ruler.h"

namespace cinderscope {

// One per timeline; remembers the drag in progress and what still moves after it.
class Mouse {
 public:
  // Reads ImGui's input of this frame. Sets the hovered slice and the cursor of the state.
  void update(const MouseTargets& targets, Actions& actions);

  // True while the view moves without input: it coasts after a pan, scrolls under a row that is
  // held at its edge, or a drag of the range is held beyond the edge of the tracks.
  bool moving() const {
    return (drag_ == Drag::none && speed_px_s_ != 0) || (drag_ == Drag::row && scrolls_) ||
           pans_at_edge_;
  }
  // Gives up a drag of the selected range, which is as before again; false if there is none.
  bool cancel_drag(TimelineState& state);
  // Of the selected range: what is under the pointer or held by it.
  RangePart range_part() const { return range_part_; }
  // Something is held. Which part of the tracks it belongs to does not change meanwhile.
  bool dragging() const { return drag_ != Drag::none; }
  // A row of the gutter is being moved: Escape gives that up instead of doing anything else.
  const RowDrag* row_drag() const { return drag_ == Drag::row ? &row_drag_ : nullptr; }
  const Hit& hit() const { return hit_; }
  const GutterHit& gutter() const { return gutter_; }
  // The counter under the pointer, or kNoTrack.
  TrackId counter() const { return counter_; }
  bool on_ruler_head() const { return on_ruler_head_; }
  bool on_scroll_bar() const { return on_scroll_bar_ || drag_ == Drag::scroll; }
  // The time range that a middle drag has marked so far.
  std::optional<TimeRange> zoom_range() const;

 private:
  enum class Drag : std::uint8_t {
    none,
    press,  // the left button went down on the tracks; a click so far
    pan,
    range,       // one of the selected range's edges, or a new range
    range_move,  // all of it
    zoom,
    overview,  // moves the view's frame
    overview_begin,
    overview_end,
    gutter,
    head,    // the left button went down on a head or a thread's name; a click so far
    row,     // ... which is being moved to another place
    scroll,  // the thumb of the scroll bar
  };

  void hover(const MouseTargets& targets, bool over);
  void press(const MouseTargets& targets, Actions& actions);
  void press_overview(const MouseTargets& targets, Actions& actions);
  void press_gutter(const MouseTargets& targets, Actions& actions);
  void drag_row(const MouseTargets& targets, Actions& actions);
  void release_row(const MouseTargets& targets, Actions& actions);
  void click_gutter(const MouseTargets& targets, Actions& actions) const;
  void scroll_at_edges(const MouseTargets& targets, Actions& actions);
  void press_scroll_bar(const MouseTargets& targets, Actions& actions);
  void drag(const MouseTargets& targets, Actions& actions);
  void drag_pan(const MouseTargets& targets, Actions& actions);
  void press_range(const MouseTargets& targets, RangePart part, Actions& actions);
  void drag_range(const MouseTargets& targets, Actions& actions);
  TimeRange moved_range(const MouseTargets& targets, double x_px, double reach_px) const;
  void pan_at_edge(const MouseTargets& targets, Actions& actions);
  void drag_overview(const MouseTargets& targets, Actions& actions) const;
  void release(const MouseTargets& targets, Actions& actions);
  void click(const MouseTargets& targets, Actions& actions) const;
  void zoom_to_hit(const MouseTargets& targets, Actions& actions) const;
  void wheel(const MouseTargets& targets, Actions& actions);
  void coast(const MouseTargets& targets, Actions& actions);

  Drag drag_ = Drag::none;
  int button_ = 0;  // that holds the drag
  ImVec2 press_at_{};
  Viewport press_view_;
  double press_scroll_px_ = 0;
  // A drag of the selected range: what it was before, the end that stays or the time that was
  // pressed on, and whether the pointer has moved since.
  std::optional<TimeRange> range_before_;
  std::int64_t fixed_ns_ = 0;
  bool makes_range_ = false, range_moved_ = false, pans_at_edge_ = false;
  double frame_offset_px_ = 0;  // of the pointer from the middle of the overview's frame
  double speed_px_s_ = 0;       // of the pan: measured while dragging, then coasting
  // Where the wheel's zoom is heading while the view still follows.
  std::optional<Viewport> zoom_target_;
  double zoom_age_s_ = 0;

  Hit hit_;
  GutterHit gutter_;
  TrackId counter_ = kNoTrack;
  bool on_scroll_bar_ = false, on_ruler_head_ = false;
  RangePart range_part_ = RangePart::none;
  std::optional<TimeRange> zoom_range_;
  RowDrag row_drag_;
  bool double_press_ = false;
  bool scrolls_ = false;  // the pointer holds a row at the edge of what is visible
};

// The begin or end of a drawn slice near `x_px` (from the tracks' left edge), exact. UI thread.
std::optional<std::int64_t> slice_edge_near(const Timeline& timeline, const Layout& layout,
                                            const Viewport& view, double x_px, double reach_px);

}  // namespace cinderscope
