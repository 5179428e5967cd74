// Heights of tracks that follow the view while what is looked at stays in its place. No ImGui.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "render/layout/fit_rows.h"
#include "render/layout/layout.h"

namespace cinderscope {

class RowHeights {
 public:
  struct Part {
    TrackList& tracks;
    const Layout& layout;  // of the last frame
  };
  struct Frame {
    const Timeline& timeline;
    TimelineState& state;       // its scroll_px is written
    std::uint64_t version = 0;  // changes with the timeline and when child blocks come or go
    double seconds = 0;         // since the last frame
    Part main, pinned;
    std::optional<double> pointed_px;  // among the main rows, at scale 1 from their top
    bool dragging = false;             // the mouse holds something, and scrolls by itself
  };
  // Sets the heights to what the view needs, and scrolls by as much as what is looked at moved.
  // True if any changed.
  bool update(const Frame& frame);

  double moved_px() const { return moved_px_; }  // scrolled by the last update()
  bool settled() const { return rows_.settled(); }
  // Rows may still come below the last one.
  bool moving() const { return anchor_s_ > 0 || free_s_ > 0 || !settled(); }

 private:
  void note_selection(const Frame& frame);
  void note_visible(const Frame& frame);
  std::size_t anchor_row(const Frame& frame) const;

  FitRows rows_;
  SliceRef selected_;  // in the last frame
  SliceRef sought_;    // selected where the view has not got to yet
  std::uint64_t version_ = 0;
  double scroll_px_ = 0;  // after the last frame
  // For so long what was selected stays in its place, or the place that was scrolled to counts.
  double anchor_s_ = 0, free_s_ = 0;
  double moved_px_ = 0;
  bool laid_out_ = false;
  std::vector<TrackId> visible_;  // scratch
};

}  // namespace cinderscope
