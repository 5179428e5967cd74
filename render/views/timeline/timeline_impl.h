// What the timeline keeps from frame to frame; of timeline.cc and timeline_draw.cc alone.
#pragma once

#include <optional>

#include "ingest/base/parallel.h"
#include "render/layout/row_heights.h"
#include "render/views/timeline/counters.h"
#include "render/views/timeline/flow_curves.h"
#include "render/views/timeline/mouse.h"
#include "render/views/timeline/overview.h"
#include "render/views/timeline/slice_boxes.h"
#include "render/views/timeline/timeline.h"
#include "render/views/timeline/tooltip.h"

namespace cinderscope {

// Of more than a few threads the last would wake up when the others have done the work. During a
// load all cores are busy, so helpers would have to be waited for.
inline unsigned frame_jobs(const TimelineFrame& frame) {
  constexpr unsigned kMost = 8;
  return frame.loading ? 1 : std::min(core_count(), kMost);
}

struct TimelineView::Impl {
  // The pinned tracks stand above all others, and each of the two parts scrolls for itself.
  struct Part {
    TrackList tracks;
    Layout layout;
    BoxImage image;
    LayoutWindow window;
    double max_scroll_px() const { return std::max(tracks.height_px() - window.height_px, 0.0); }
  };
  Part main, pinned{.tracks = TrackList(TrackPart::pinned)};
  bool on_pinned = false;  // the pointer, or what it holds, is on the pinned tracks
  Overview overview;
  Ruler ruler;
  TimestampFormat time_format;
  LabelCache labels;
  CounterCache counters;
  Tooltip tooltip;
  Mouse mouse;
  FlowCurves flows;
  bool laid_out = false;
  float label_scale = 0;
  const ImFont* label_font = nullptr;

  struct Canvases {
    const Canvas &all, &main, &pinned;
  };
  RowHeights heights;
  bool ends_late = false;  // it is scrolled to where rows are only to come

  void prepare(const Canvas& canvas, Actions& actions);
  float pinned_px(const Canvas& canvas) const;
  std::optional<double> pointed_px(const Canvas& canvas) const;
  void take_mouse(const Canvases& on, Actions& actions);
  void draw_boxes(const Canvas& canvas, Part& part);
  void draw_activities(const Canvas& canvas, const Part& part) const;
  void draw_part(const Canvas& canvas, const Part& part, bool pointed);
  void draw_all(const Canvases& on);
  void draw_notes(const Canvas& canvas, const Part& part);
  Emphasis emphasis(const Canvas& canvas) const;
};

}  // namespace cinderscope
