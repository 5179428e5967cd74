#include <algorithm>
#include <cmath>

#include "render/text/time_text.h"
#include "render/text/track_text.h"
#include "render/views/timeline/gutter/gutter.h"

namespace cinderscope {
namespace {

constexpr float kIconPx = 20;

}  // namespace

float gutter_line_y(const Canvas& canvas, const TrackRow& row, float y, float end) {
  if (row.kind == TrackRow::Kind::head) return (y + end - 1) / 2;
  const float room = canvas.px(static_cast<float>(kMinTrackPx));
  const float top = canvas.gutter.y + canvas.covered_px;
  return std::max(y, std::min(top, end - room)) + canvas.px(kLineY);
}

Rect gutter_icon(const Canvas& canvas, int place, float middle) {
  const float side = std::round(canvas.px(kIconPx));
  const float x = right_of(canvas.gutter) - canvas.px(6) - side * static_cast<float>(place + 1);
  return {x, std::round(middle - side / 2), side, side};
}

int icon_place(GutterPart part) {
  if (part == GutterPart::solo) return 2;
  return part == GutterPart::hide ? 1 : 0;
}

std::string head_note(const TimelineState& state, const TrackRow& row) {
  if (!state.solo_tracks.empty()) return "Other threads hidden";
  return row.hidden_tracks > 0 ? count_text(row.hidden_tracks) + " hidden" : std::string();
}

GutterHit gutter_hit(const Canvas& canvas, const TrackList& tracks, const Layout& layout,
                     ImVec2 point) {
  GutterHit hit;
  if (point.y < canvas.gutter.y || point.y >= bottom_of(canvas.gutter)) return hit;
  const auto take = [&](const VisibleRow& visible) {
    const TrackRow& row = tracks.rows()[visible.index];
    const float y = canvas.y_of(static_cast<double>(visible.y_px));
    const float end = canvas.y_of(static_cast<double>(visible.y_px) + row.height_px);
    if (point.y < y || point.y >= end) return false;
    const bool head = row.kind == TrackRow::Kind::head;
    const bool in_gutter = point.x >= canvas.gutter.x && point.x < right_of(canvas.gutter);
    const bool in_head = head && point.x < right_of(canvas.tracks) && point.x >= canvas.gutter.x;
    hit.over = in_gutter || in_head;
    hit.in_gutter = in_gutter;
    hit.row = visible.index;
    hit.busy = visible.busy;
    const float middle = gutter_line_y(canvas, row, y, end);
    for (const GutterPart part :
         {head ? GutterPart::threads : GutterPart::pin, GutterPart::hide, GutterPart::solo}) {
      if (contains(gutter_icon(canvas, icon_place(part), middle), point)) hit.part = part;
    }
    if (point.x < canvas.gutter.x + canvas.px(kNameX - 3)) hit.part = GutterPart::fold;
    if (!head) return true;
    const std::string note = head_note(canvas.frame.state, row);
    const float from = point.x - right_of(canvas.gutter);
    const float width = text_width(font_or_default(canvas.theme.words), note) + canvas.px(12);
    if (!note.empty() && from >= 0 && from < width) hit.part = GutterPart::note;
    return true;
  };
  // The head that stays lies over the others.
  if (layout.sticky && take(*layout.sticky)) return hit;
  for (const VisibleRow& visible : layout.visible) {
    if (take(visible)) break;
  }
  return hit;
}

std::string gutter_help(const Canvas& canvas, const TrackList& tracks, const GutterHit& hovered) {
  if (!hovered.over || hovered.row >= tracks.rows().size()) return {};
  const TrackRow& row = tracks.rows()[hovered.row];
  const TimelineState& state = canvas.frame.state;
  const bool head = row.kind == TrackRow::Kind::head;
  switch (hovered.part) {
    case GutterPart::pin:
      return row.pinned ? "Unpin" : "Pin to the top";
    case GutterPart::threads:
      return row.tracks_collapsed ? "Expand all threads" : "Collapse all threads";
    case GutterPart::hide:
      return "Hide";
    case GutterPart::solo:
      return state.solo_tracks.empty() ? "Show only this"
                                       : "Show only this (click again to show all)";
    case GutterPart::note:
      return state.solo_tracks.empty() ? "Show them again" : "Show the others again";
    case GutterPart::fold:
    case GutterPart::name:
      break;
  }
  const Timeline& timeline = canvas.frame.timeline;
  if (!hovered.in_gutter) return {};
  if (head) return head_text(timeline, tracks, row);
  return track_text(timeline, timeline.tracks[index(row.track)], row, hovered.busy);
}

}  // namespace cinderscope
