// The mouse in the timeline: turns drags, clicks and wheel into actions.
#pragma once

#include <optional>

#include "render/layout/hit.h"
#include "render/views/timeline/gutter/gutter.h"
#include "render/views/timeline/gutter/gutter_drag.h"
#include "render/views/timeline/mouse_targets.h"
#include "render/views/timeline/ruler.h"

namespace cinderscope {

// One for each timeline; keeps the drag in progress and the motion after it.
class Mouse {
 public:
  // Reads ImGui's input of this frame. Sets the hovered slice and the cursor of the state.
  void update(const MouseTargets& targets, Actions& actions);

  // True while the view moves without input: it coasts after a pan, or it scrolls because a row or
  // an end of the range is held at the edge.
  bool moving() const {
    return (drag_ == Drag::none && speed_px_s_ != 0) || (drag_ == Drag::row && scrolls_) ||
           pans_at_edge_;
  }
  // Cancels a drag of the selected range, restoring the range; false if there is none.
  bool cancel_drag(TimelineState& state);
  // Rows have moved by so much on the canvas that is scrolled: what is dragged goes on from there.
  void rows_moved(double by_px) { press_scroll_px_ += by_px; }
  // The part of the selected range that is under the pointer or held.
  RangePart range_part() const { return range_part_; }
  // True while something is held; it stays with the part of the tracks that it belongs to.
  bool dragging() const { return drag_ != Drag::none; }
  // True while a row of the gutter is dragged: Escape cancels that and does nothing else.
  const RowDrag* row_drag() const { return drag_ == Drag::row ? &row_drag_ : nullptr; }
  const Hit& hit() const { return hit_; }
  // The curve of a flow under the pointer; null if there is none. Of the flows of this frame.
  const FlowCurve* curve() const { return curve_; }
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
    press,  // the left button was pressed on the tracks; a click so far
    pan,
    lane,        // this lane of a comparison against the other
    range,       // one of the selected range's edges, or a new range
    range_move,  // the whole range
    zoom,
    overview,  // moves the view's frame
    overview_begin,
    overview_end,
    gutter,
    head,    // the left button was pressed on a head or a thread's name; a click so far
    row,     // that head or name is dragged
    scroll,  // the thumb of the scroll bar
  };

  void hover(const MouseTargets& targets, bool over);
  void press(const MouseTargets& targets, Actions& actions);
  void press_overview(const MouseTargets& targets, Actions& actions);
  void press_gutter(const MouseTargets& targets, Actions& actions);
  void drag_row(const MouseTargets& targets, Actions& actions);
  void release_row(const MouseTargets& targets, Actions& actions);
  void click_gutter(const MouseTargets& targets, Actions& actions) const;
  static void select_threads(const MouseTargets& targets, const std::string& thread,
                             Actions& actions);
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
  int button_ = 0;  // of the drag
  ImVec2 press_at_{};
  Viewport press_view_;
  double press_scroll_px_ = 0;
  // A drag of the selected range: the range before it, the end that stays or the pressed time, and
  // whether the pointer has moved since.
  std::optional<TimeRange> range_before_;
  std::int64_t fixed_ns_ = 0;
  bool makes_range_ = false, range_moved_ = false, pans_at_edge_ = false;
  bool lane_moved_ = false;
  double frame_offset_px_ = 0;  // of the pointer from the middle of the overview's frame
  double speed_px_s_ = 0;       // of the pan: measured while dragging, then coasting
  // The target of the wheel's zoom while the view still follows.
  std::optional<Viewport> zoom_target_;
  double zoom_age_s_ = 0;

  Hit hit_;
  const FlowCurve* curve_ = nullptr;
  bool lights_flow_ = false;
  GutterHit gutter_;
  TrackId counter_ = kNoTrack;
  bool on_scroll_bar_ = false, on_ruler_head_ = false;
  RangePart range_part_ = RangePart::none;
  std::optional<TimeRange> zoom_range_;
  RowDrag row_drag_;
  bool double_press_ = false;
  bool scrolls_ = false;  // a row is held at the edge of the tracks, so they scroll
};

// The exact begin or end of a drawn slice near `x_px` (from the tracks' left edge). UI thread.
std::optional<std::int64_t> slice_edge_near(const Timeline& timeline, const Layout& layout,
                                            const Viewport& view, double x_px, double reach_px);

}  // namespace cinderscope
