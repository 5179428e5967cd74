#include <algorithm>

#include "ingest/base/self_trace.h"
#include "render/views/timeline/bookmarks.h"
#include "render/views/timeline/gutter/gutter.h"
#include "render/views/timeline/gutter/gutter_drag.h"
#include "render/views/timeline/pauses.h"
#include "render/views/timeline/ruler.h"
#include "render/views/timeline/scroll_bar.h"
#include "render/views/timeline/timeline_impl.h"
#include "render/views/timeline/wide_instants.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

Emphasis TimelineView::Impl::emphasis(const Canvas& canvas) const {
  const TimelineState& state = canvas.frame.state;
  Emphasis result{.selected = state.selected,
                  .hovered = state.hovered,
                  .selected_instant = state.selected_instant,
                  .hovered_instant = mouse.hit().instant};
  if (state.lane && !state.hovered) result.outlined_names = state.lane->outlined;
  if (const SliceRow* row = row_of(canvas.frame.timeline, state.hovered)) {
    result.hovered_name = row->name(state.hovered.slice);
  }
  return result;
}

void TimelineView::Impl::draw_boxes(const Canvas& canvas, Part& part) {
  const Rect& view = canvas.tracks;
  canvas.list.PushClipRect({view.x, view.y}, {right_of(view), bottom_of(view)}, true);
  draw_gaps(canvas, part.tracks, part.layout);
  draw_pauses(canvas, part.tracks, part.layout);
  draw_activities(canvas, part);
  draw_counters(canvas, part.tracks, part.layout, counters);
  {
    const SelfTraceMark mark("boxes", "boxes", static_cast<std::int64_t>(part.layout.box_count));
    const TimelineFrame& frame = canvas.frame;
    part.image.paint({.layout = part.layout,
                      .palette = canvas.palette,
                      .names = *frame.timeline.strings,
                      .matches = frame.matches,
                      .hovered = frame.state.hovered,
                      .width_px = canvas.tracks.width,
                      .jobs = frame_jobs(frame)});
    draw_slice_boxes(canvas, part.layout, part.image);
  }
  draw_wide_instants(canvas, part.layout, emphasis(canvas));
  canvas.list.PopClipRect();
}

// Below the outermost row of a collapsed track: the time of all its rows.
void TimelineView::Impl::draw_activities(const Canvas& canvas, const Part& part) const {
  RectBatch rects(canvas.list);
  for (const DrawActivity& activity : part.layout.activities) {
    const TrackRow& row = part.tracks.rows()[activity.row];
    if (row.kind == TrackRow::Kind::head) continue;  // drawn with the head
    const Timeline& timeline = canvas.frame.timeline;
    const Rgba colour =
        canvas.palette.box(stable_hash(track_label(timeline, timeline.tracks[index(row.track)])));
    const double y_px = static_cast<double>(activity.y_px) + row.first_px;
    draw_busy(rects, canvas.tracks.x, canvas.y_of(y_px), canvas.y_of(y_px + kRowPx), activity.busy,
              colour);
  }
}

void TimelineView::Impl::draw_part(const Canvas& canvas, const Part& part, bool pointed) {
  ImDrawList& list = canvas.list;
  const Rect& area = canvas.frame.area;
  const Rect& view = canvas.tracks;
  list.PushClipRect({view.x, view.y}, {right_of(view), bottom_of(view)}, true);
  {
    const SelfTraceMark mark("names");
    draw_slice_labels(canvas, part.layout, emphasis(canvas), labels);
  }
  list.PopClipRect();
  list.PushClipRect({area.x, view.y}, {right_of(area), bottom_of(view)}, true);
  const bool lit = pointed && mouse.row_drag() == nullptr;
  draw_gutter(canvas, part.tracks, part.layout, lit ? mouse.gutter() : GutterHit{});
  if (pointed && mouse.row_drag() != nullptr) {
    draw_row_drag(canvas, part.tracks, *mouse.row_drag());
  }
  list.PopClipRect();
  draw_scroll_bar(canvas, scroll_bar_of(canvas, part.tracks), pointed && mouse.on_scroll_bar());
}

// The tooltips of the left column.
void TimelineView::Impl::draw_notes(const Canvas& canvas, const Part& part) {
  if (mouse.dragging() || !canvas.frame.interactive) return;
  std::string help = gutter_help(canvas, part.tracks, mouse.gutter());
  if (mouse.on_ruler_head()) {
    help = ruler_head_help(canvas.frame.timeline, ruler, time_format);
  }
  if (const FlowCurve* curve = mouse.curve()) help = flow_text(canvas.frame.timeline, curve->link);
  if (help.empty() && !mouse.hit() && mouse.counter() == kNoTrack)
    help = pause_help(canvas, part.tracks);
  if (help.empty() && !mouse.hit() && mouse.counter() == kNoTrack) {
    help = gap_help(canvas, part.tracks);
  }
  if (help.empty()) return;
  // Not over names and icons that the pointer may be moving to.
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  ImGui::SetNextWindowPos(
      {std::max(pointer.x, right_of(canvas.gutter)) + canvas.px(10), pointer.y + canvas.px(14)});
  hint(pen_of(canvas.theme), help);
}

void TimelineView::Impl::draw_all(const Canvases& on) {
  const Canvas& canvas = on.all;
  ImDrawList& list = canvas.list;
  const TimelineState& state = canvas.frame.state;
  const Rect& area = canvas.frame.area;
  const Rect& view = canvas.tracks;
  list.PushClipRect({view.x, view.y}, {right_of(view), bottom_of(view)}, true);
  draw_grid(canvas, ruler);
  flows.draw(canvas, FlowCurves::Layer::below_boxes);
  list.PopClipRect();
  draw_boxes(on.main, main);
  draw_boxes(on.pinned, pinned);
  // Below the names, which stay legible where a curve crosses them.
  list.PushClipRect({view.x, view.y}, {right_of(view), bottom_of(view)}, true);
  flows.draw(canvas, FlowCurves::Layer::above_boxes);
  list.PopClipRect();
  draw_part(on.main, main, !on_pinned);
  draw_part(on.pinned, pinned, on_pinned);
  if (!pinned.tracks.rows().empty()) {
    horizontal_line(list, area.x, right_of(area), bottom_of(on.pinned.tracks) - 1,
                    with_alpha(canvas.colours.dim, 140));
  }
  const bool has_ruler = canvas.ruler.height > 0;
  if (canvas.overview.height > 0) draw_overview(canvas, overview);
  std::optional<RulerRange> range;
  if (state.range) range = {*state.range, true};
  if (mouse.zoom_range()) range = {*mouse.zoom_range(), false};
  if (has_ruler) {
    draw_ruler(canvas, ruler, range);
    draw_gaps_on_ruler(canvas);
  }
  const RangePart part = mouse.range_part();
  if (state.range) {
    draw_range(canvas, *state.range,
               {.hovered = part, .with_length = has_ruler && !mouse.zoom_range()});
  }
  if (mouse.zoom_range()) {
    draw_range(canvas, *mouse.zoom_range(), {.selected = false, .with_length = has_ruler});
  }
  const bool over_ruler = canvas.frame.interactive && state.cursor_ns;
  const auto mark =
      over_ruler ? bookmark_at(canvas, ImGui::GetIO().MousePos) : std::optional<std::size_t>();
  if (state.cursor_ns && !mark) {
    const bool over_bar = part == RangePart::bar || part == RangePart::cross;
    draw_cursor(canvas, ruler, range, *state.cursor_ns, has_ruler && !over_bar);
  } else if (state.lane && state.lane->cursor_ns && !state.cursor_ns) {
    draw_cursor(canvas, ruler, range, *state.lane->cursor_ns, has_ruler);
  }
  if (has_ruler) draw_bookmarks(canvas, mark);
  if (mouse.hit() || mouse.counter() != kNoTrack) {
    tooltip.draw(canvas, mouse.hit(), mouse.counter(), ImGui::GetIO().MousePos);
  }
  draw_notes(on_pinned ? on.pinned : on.main, on_pinned ? pinned : main);
}

}  // namespace cinderscope
