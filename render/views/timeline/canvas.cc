#include "render/views/timeline/canvas.h"

#include <algorithm>
#include <cmath>

namespace cinderscope {
namespace {

constexpr float kFilterIconPx = 30;  // with the room around it
constexpr float kOverviewPx = 54;
constexpr float kRulerPx = 26;
constexpr float kMinGutterPx = 120;

}  // namespace

TimelineParts timeline_parts(const TimelineState& state, const Theme& theme, const Rect& area) {
  const float most_px = std::max(std::floor(area.width * 0.7f), 1.0f);  // on whole pixels
  const float wanted_px = std::round(theme.px(std::max(state.gutter_px, kMinGutterPx)));
  const float gutter_px = std::min(wanted_px, most_px);
  const bool has_overview = !state.lane, has_ruler = !state.lane || state.lane->with_ruler;
  const float overview_px =
      has_overview ? std::min(std::round(theme.px(kOverviewPx)), area.height) : 0;
  const float ruler_px = has_ruler ? std::min(std::round(theme.px(kRulerPx)),
                                              std::max(area.height - overview_px, 0.0f))
                                   : 0;
  const float tracks_px = std::max(area.height - overview_px - ruler_px, 0.0f);
  const float x = area.x + gutter_px;
  const float width = std::max(area.width - gutter_px, 1.0f);
  const float ruler_y = area.y + overview_px;
  const float tracks_y = ruler_y + ruler_px;
  return {.overview_head = {area.x, area.y, gutter_px, overview_px},
          .ruler_head = {area.x, ruler_y, gutter_px, ruler_px},
          .gutter = {area.x, tracks_y, gutter_px, tracks_px},
          .overview = {x, area.y, width, overview_px},
          .ruler = {x, ruler_y, width, ruler_px},
          .tracks = {x, tracks_y, width, tracks_px}};
}

Canvas canvas_of(const TimelineFrame& frame, ImDrawList& list) {
  const Theme& theme = frame.theme;
  const TimelineParts parts = timeline_parts(frame.state, theme, frame.area);
  Rect clock = parts.ruler_head;
  clock.width = std::max(clock.width - theme.px(kFilterIconPx), 0.0f);
  return {.frame = frame,
          .theme = theme,
          .colours = theme.colours,
          .palette = palette_of(theme.kind, theme.colour_blind),
          .list = list,
          .overview_head = parts.overview_head,
          .ruler_head = parts.ruler_head,
          .gutter = parts.gutter,
          .overview = parts.overview,
          .ruler = parts.ruler,
          .tracks = parts.tracks,
          .ruler_clock = clock,
          .scroll_px = frame.state.scroll_px};
}

Canvas part_of(const Canvas& whole, float top_px, float height_px, double scroll_px, bool pinned) {
  Canvas part = whole;
  for (Rect* rect : {&part.gutter, &part.tracks}) {
    rect->y += top_px;
    rect->height = height_px;
  }
  part.scroll_px = scroll_px;
  part.pinned = pinned;
  return part;
}

float Canvas::x_of(std::int64_t time_ns) const {
  // Far outside of the view the exact position does not matter, but floats must stay exact enough.
  const double x_px = std::clamp(frame.state.view.px_from_ns(time_ns), -1e6, 1e6);
  return tracks.x + static_cast<float>(x_px);
}

float Canvas::y_of(double y_at_scale_1) const {
  const double y_px = std::clamp(y_at_scale_1 * static_cast<double>(theme.scale), -1e6, 1e6);
  return tracks.y + static_cast<float>(std::round(y_px));
}

}  // namespace cinderscope
