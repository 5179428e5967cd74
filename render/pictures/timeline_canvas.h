// Where the parts of a picture of a timeline lie; of the files that draw these parts alone.
#pragma once

#include <algorithm>
#include <cmath>

#include "render/layout/layout.h"
#include "render/pictures/timeline_picture.h"
#include "render/text/ruler_ticks.h"

namespace cinderscope {

struct PictureCanvas {
  const TimelinePicture& picture;
  const Timeline& timeline;
  const TimelineState& state;  // with the view of the picture's width
  PicturePen& pen;
  const Ruler& ruler_ticks;
  Rect overview_head, overview, notes, ruler_head, ruler, gutter, tracks;
  float merge_px = 1;  // how wide columns of merged boxes are

  // In the tracks' column; may lie outside of it.
  float x_of(std::int64_t time_ns) const {
    const double x_px = std::clamp(state.view.px_from_ns(time_ns), -1e6, 1e6);
    return tracks.x + static_cast<float>(x_px);
  }
};

// One of the two lists of tracks: the pinned ones, and all others below them.
struct PictureTracks {
  TrackList tracks;
  Layout layout;
  float top = 0, height = 0;  // in the picture

  float y_of(const PictureCanvas& canvas, double y_at_scale_1) const {
    return top + std::round(static_cast<float>(y_at_scale_1) * canvas.pen.scale);
  }
};

// -- rows (timeline_rows.cc)
void draw_line_of_slices(const PictureCanvas& canvas, const PictureTracks& part,
                         const DrawLine& line);
void draw_line_of_instants(const PictureCanvas& canvas, const PictureTracks& part,
                           const DrawLine& line);
void draw_wide_instants(const PictureCanvas& canvas, const PictureTracks& part);
void draw_busy(PicturePen& pen, float x, float step_px, float y0, float y1, float right,
               const std::vector<std::uint8_t>& busy, Rgba colour);

// -- counters, pauses, gaps, flows (timeline_extras.cc)
void draw_counter(const PictureCanvas& canvas, const PictureTracks& part, const TrackRow& row,
                  const VisibleRow& visible);
void draw_pauses_and_gaps(const PictureCanvas& canvas, const PictureTracks& part,
                          const TrackRow& row, const VisibleRow& visible);
void draw_flows(const PictureCanvas& canvas, const PictureTracks& pinned, const PictureTracks& main,
                bool above_boxes);

// -- gutter (timeline_gutter.cc)
void draw_gutter_row(const PictureCanvas& canvas, const PictureTracks& part, const TrackRow& row,
                     const VisibleRow& visible);

// -- above the tracks (timeline_ruler.cc)
void draw_grid(const PictureCanvas& canvas);
void draw_overview(const PictureCanvas& canvas, const TrackList& pinned, const TrackList& main);
void draw_ruler(const PictureCanvas& canvas);
void draw_range(const PictureCanvas& canvas);
void draw_bookmarks(const PictureCanvas& canvas);
bool has_bookmarks(const TimelineState& state);

}  // namespace cinderscope
