#include "render/layout/row_heights.h"

#include <algorithm>
#include <utility>

namespace cinderscope {
namespace {

constexpr double kLongestStepS = 0.05;  // after a rest it is no part of a motion
constexpr double kAnchorS = 0.5, kFreeS = 0.3;

}  // namespace

// A call that is selected out of sight has its row before the view gets there.
void RowHeights::note_selection(const Frame& frame) {
  const TimelineState& state = frame.state;
  if (selected_ != state.selected) {
    selected_ = sought_ = state.selected;
    anchor_s_ = kAnchorS;
  }
  if (block_of(frame.timeline, sought_) == nullptr) {
    sought_ = {};
    return;
  }
  const Slice slice = slice_at(frame.timeline, sought_);
  if (slice.begin_ns < state.view.end_ns() && slice.end_ns() > state.view.begin_ns) sought_ = {};
}

void RowHeights::note_visible(const Frame& frame) {
  visible_.clear();
  for (const Part& part : {frame.pinned, frame.main}) {
    const std::vector<TrackRow>& rows = part.tracks.rows();
    for (const VisibleRow& visible : part.layout.visible) {
      // The rows may be others by now.
      if (visible.index >= rows.size() || rows[visible.index].track == kNoTrack) continue;
      visible_.push_back(rows[visible.index].track);
    }
  }
}

bool RowHeights::update(const Frame& frame) {
  const Timeline& timeline = frame.timeline;
  TimelineState& state = frame.state;
  const double seconds = std::min(frame.seconds, kLongestStepS);
  // A rest ends what was begun before it.
  const double passed_s = rows_.settled() ? frame.seconds : seconds;
  anchor_s_ = std::max(anchor_s_ - passed_s, 0.0);
  free_s_ = std::max(free_s_ - passed_s, 0.0);
  const bool scrolled = scroll_px_ != state.scroll_px && !frame.dragging;
  if (scrolled && selected_ == state.selected) {
    // That place counts, not what stood where the view came from.
    anchor_s_ = 0;
    free_s_ = kFreeS;
  }
  // What comes while a trace loads leaves the top in sight.
  if (std::exchange(version_, frame.version) != frame.version && state.scroll_px <= 0) {
    free_s_ = kFreeS;
  }
  note_selection(frame);
  note_visible(frame);
  rows_.update({.timeline = timeline,
                .state = state,
                .version = frame.version,
                .seconds = seconds,
                .visible = visible_,
                .sought = sought_});
  TrackList& tracks = frame.main.tracks;
  const std::size_t anchor = anchor_row(frame);
  const bool anchored = anchor < tracks.rows().size() && free_s_ <= 0;
  const double before_px = anchored ? tracks.rows()[anchor].y_px : 0;
  const bool main_changed = tracks.fit(rows_.rows(), timeline, state);
  const bool pinned_changed = frame.pinned.tracks.fit(rows_.rows(), timeline, state);
  moved_px_ = 0;
  if (std::exchange(laid_out_, true) && anchored && main_changed) {
    const double wanted_px = state.scroll_px + tracks.rows()[anchor].y_px - before_px;
    moved_px_ = std::max(wanted_px, 0.0) - state.scroll_px;
    state.scroll_px += moved_px_;
  }
  scroll_px_ = state.scroll_px;
  return main_changed || pinned_changed;
}

// The row that stays where it is: that of what was just selected, else that under the pointer, else
// the topmost that begins in sight.
std::size_t RowHeights::anchor_row(const Frame& frame) const {
  const TrackList& tracks = frame.main.tracks;
  const std::vector<TrackRow>& rows = tracks.rows();
  const TrackRow* row = anchor_s_ > 0 ? tracks.row_of(selected_.track) : nullptr;
  if (row != nullptr) return static_cast<std::size_t>(row - rows.data());
  if (frame.pointed_px) {
    const std::size_t pointed = tracks.row_at(*frame.pointed_px);
    if (pointed < rows.size()) return pointed;
  }
  const double top_px = frame.state.scroll_px;
  const std::size_t top = tracks.row_at(top_px);
  return top + 1 < rows.size() && rows[top].y_px < top_px ? top + 1 : top;
}

}  // namespace cinderscope
