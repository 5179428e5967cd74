// What the mouse does in the timeline: drags, clicks and wheel become actions.
#pragma once

#include <optional>

#include "render/gutter_view.h"
#include "render/mouse_targets_view.h"
#include "render/ruler_view.h"

namespace cinderscope {

// One per timeline; remembers the drag in progress and what still moves after it.
class Mouse {
 public:
  // Reads ImGui's input of this frame. Sets the hovered slice and the cursor of the state.
  void update(const MouseTargets& targets, Actions& actions);

  // True while the view moves without input: it coasts after a pan, or a drag of the range is held
  // beyond the edge of the tracks.
  bool moving() const { return (drag_ == Drag::none && speed_px_s_ != 0) || pans_at_edge_; }
  // Gives up a drag of the selected range, which is as before again; false if there is none.
  bool cancel_drag(TimelineState& state);
  // Of the selected range: what is under the pointer or held by it.
  RangePart range_part() const { return range_part_; }
  const Hit& hit() const { return hit_; }
  const GutterHit& gutter() const { return gutter_; }
  // The counter under the pointer, or kNoTrack.
  TrackId counter() const { return counter_; }
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
    scroll,  // the thumb of the scroll bar
  };

  void hover(const MouseTargets& targets, bool over);
  void press(const MouseTargets& targets, Actions& actions);
  void press_overview(const MouseTargets& targets, Actions& actions);
  void press_gutter(const MouseTargets& targets, Actions& actions) const;
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
  bool on_scroll_bar_ = false;
  RangePart range_part_ = RangePart::none;
  std::optional<TimeRange> zoom_range_;
};

// The begin or end of a drawn slice near `x_px` (from the tracks' left edge), exact. UI thread.
std::optional<std::int64_t> slice_edge_near(const Timeline& timeline, const Layout& layout,
                                            const Viewport& view, double x_px, double reach_px);

}  // namespace cinderscope
