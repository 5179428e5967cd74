// A timeline as a picture: rows, boxes and labels as the window has them, at any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ingest/base/result.h"
#include "ingest/model/timeline.h"
#include "ingest/search/match_set.h"
#include "render/base/timeline_state.h"
#include "render/pictures/picture_pen.h"

namespace cinderscope {

// Nothing else decides what the picture shows.
struct TimelinePicture {
  const Timeline& timeline;
  // Folding, pins, order, selection, range, bookmarks; of its view the part of the axis counts.
  TimelineState state;
  const MatchSet* matches = nullptr;  // all else is dimmed; null: there is no search
  bool gutter = true, overview = false;
  std::optional<std::uint64_t> rows;  // of calls, from the top; all if not given
  std::uint32_t depth = 200;          // rows of a track at most
  bool titles = true;                 // what browsers show on hovering
  std::size_t most_boxes = 20'000;
  unsigned jobs = 1;
};

// Draws from `at` on, `width_px` wide and, unless it is 0, at most `most_height_px` high. Returns
// the height. What had to be left out is noted in the list. An Error: nothing lies in the view, or
// there are too many rows.
Result<float> draw_timeline(const TimelinePicture& picture, PicturePen& pen, PicturePoint at,
                            float width_px, float most_height_px);

// A view as typed: the part of the axis that a picture of a trace shows.
Viewport picture_view(const Timeline& timeline, std::int64_t begin_ns, std::int64_t end_ns);

}  // namespace cinderscope
