#include "render/timeline_view.h"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "ingest/self_trace.h"
#include "render/bookmark_view.h"
#include "render/counter_view.h"
#include "render/flame_view.h"
#include "render/flow_view.h"
#include "render/gutter_view.h"
#include "render/mouse_view.h"
#include "render/overview_view.h"
#include "render/ruler_view.h"
#include "render/scroll_bar_view.h"
#include "render/tooltip_view.h"

namespace cinderscope {

struct TimelineView::Impl {
  TrackList tracks;
  Layout layout;
  LayoutWindow window;
  Overview overview;
  Ruler ruler;
  PlaceFormat places;
  LabelCache labels;
  CounterCache counters;
  Tooltip tooltip;
  Mouse mouse;
  bool laid_out = false;
  float label_scale = 0;
  const ImFont* label_font = nullptr;
  double cpu_ms = 0;

  double max_scroll_px() const { return std::max(tracks.height_px() - window.height_px, 0.0); }
  void prepare(const Canvas& canvas, Actions& actions);
  void draw_all(const Canvas& canvas);
  Emphasis emphasis(const Canvas& canvas) const;
};

// Brings all that is kept from frame to frame up to date; a still view costs comparisons only.
void TimelineView::Impl::prepare(const Canvas& canvas, Actions& actions) {
  const TimelineFrame& frame = canvas.frame;
  TimelineState& state = frame.state;
  if (state.view.width_px != canvas.tracks.width) {
    state.view = resized(state.view, canvas.tracks.width);
  }
  const bool changed = tracks.update(frame.timeline, state);
  if (changed) {
    labels.reset();
    counters.reset();
    tooltip.reset();
  }
  if (label_scale != canvas.theme.scale || label_font != canvas.theme.words) labels.reset();
  label_scale = canvas.theme.scale;
  label_font = canvas.theme.words;

  const LayoutWindow wanted{state.view, state.scroll_px,
                            static_cast<double>(canvas.tracks.height / canvas.theme.scale)};
  window.height_px = wanted.height_px;
  if (state.scroll_px > max_scroll_px()) actions.push_back(ScrollTo{max_scroll_px()});
  if (changed || !laid_out || window != wanted) {
    window = wanted;
    SelfTraceMark mark("lay out");
    lay_out(frame.timeline, tracks, window, layout);
    laid_out = true;
    mark.set("boxes", static_cast<std::int64_t>(layout.boxes.size()));
  }
  for (const SliceRef& slice : layout.wanted) actions.push_back(LoadChildrenOf{slice});
  {
    const SelfTraceMark mark("overview");
    overview.update(frame.timeline, tracks, canvas.overview.width, overview_line_limit(canvas),
                    changed);
  }
  const bool in_ns = frame.timeline.show_ns_unit;  // nine digits more
  const PlaceFormat shown = place_format(frame.timeline, state);
  if (shown != places) tooltip.reset();
  places = shown;
  ruler_of(state.view, places, static_cast<double>(canvas.px(in_ns ? 160 : 100)), ruler, in_ns);
  state.visible_rows = layout.lines.size();
  state.visible_boxes = layout.boxes.size();
  state.content_height_px = tracks.height_px();
}

Emphasis TimelineView::Impl::emphasis(const Canvas& canvas) const {
  const TimelineState& state = canvas.frame.state;
  Emphasis result{.selected = state.selected,
                  .hovered = state.hovered,
                  .selected_instant = state.selected_instant,
                  .hovered_instant = mouse.hit().instant};
  if (const SliceRow* row = row_of(canvas.frame.timeline, state.hovered)) {
    result.hovered_name = row->name(state.hovered.slice);
  }
  return result;
}

void TimelineView::Impl::draw_all(const Canvas& canvas) {
  ImDrawList& list = canvas.list;
  const TimelineState& state = canvas.frame.state;
  const Rect& area = canvas.frame.area;
  const Rect& view = canvas.tracks;
  fill(list, area, canvas.colours.background);
  list.PushClipRect({view.x, view.y}, {right_of(view), bottom_of(view)}, true);
  draw_grid(canvas, ruler);
  draw_counters(canvas, tracks, layout, counters);
  {
    const SelfTraceMark mark("boxes and names", "boxes",
                             static_cast<std::int64_t>(layout.boxes.size()));
    draw_flames(canvas, layout, emphasis(canvas), labels);
  }
  draw_flows(canvas, tracks);
  list.PopClipRect();

  list.PushClipRect({area.x, view.y}, {right_of(area), bottom_of(area)}, true);
  draw_gutter(canvas, tracks, layout, mouse.gutter());
  list.PopClipRect();
  draw_scroll_bar(canvas, scroll_bar_of(canvas, tracks), mouse.on_scroll_bar());
  draw_overview(canvas, overview);
  draw_ruler(canvas, ruler);
  const RangePart part = mouse.range_part();
  if (state.range) draw_range(canvas, *state.range, {.hovered = part});
  if (mouse.zoom_range()) draw_range(canvas, *mouse.zoom_range(), {.selected = false});
  const bool over_ruler = canvas.frame.interactive && state.cursor_ns;
  const auto mark =
      over_ruler ? bookmark_at(canvas, ImGui::GetIO().MousePos) : std::optional<std::size_t>();
  if (state.cursor_ns && !mark) {
    const bool over_bar = part == RangePart::bar || part == RangePart::cross;
    draw_cursor(canvas, ruler, *state.cursor_ns, !over_bar);
  }
  draw_bookmarks(canvas, mark);
  if (mouse.hit() || mouse.counter() != kNoTrack) {
    tooltip.draw(canvas, ruler, mouse.hit(), mouse.counter(), ImGui::GetIO().MousePos);
  }
}

TimelineView::TimelineView() : impl_(std::make_unique<Impl>()) {}
TimelineView::~TimelineView() = default;

void TimelineView::draw(const TimelineFrame& frame, Actions& actions) {
  const SelfTraceMark mark("timeline");
  const auto begin = std::chrono::steady_clock::now();
  const Canvas canvas = canvas_of(frame, *ImGui::GetWindowDrawList());
  impl_->prepare(canvas, actions);
  impl_->mouse.update(
      {canvas, impl_->tracks, impl_->layout, impl_->overview, impl_->max_scroll_px()}, actions);
  const Rect& area = frame.area;
  canvas.list.PushClipRect({area.x, area.y}, {right_of(area), bottom_of(area)}, true);
  impl_->draw_all(canvas);
  canvas.list.PopClipRect();
  const auto passed = std::chrono::steady_clock::now() - begin;
  impl_->cpu_ms = std::chrono::duration<double, std::milli>(passed).count();
}

bool TimelineView::animating() const {
  return impl_->mouse.moving();
}

bool TimelineView::cancel_drag(TimelineState& state) {
  return impl_->mouse.cancel_drag(state);
}

double TimelineView::last_cpu_ms() const {
  return impl_->cpu_ms;
}

double TimelineView::scroll_for(const Timeline& timeline, const TimelineState& state,
                                const SliceRef& slice) const {
  const TrackRow* row = impl_->tracks.row_of(slice.track);
  const SliceBlock* block = block_of(timeline, slice);
  if (row == nullptr) return state.scroll_px;
  const double depth = block == nullptr ? 0 : static_cast<double>(block->base_depth) + slice.row;
  const double y_px = row->y_px + kTrackPadPx + kRowStepPx * depth;
  const double height_px = impl_->window.height_px;
  // Rows that are in sight with some room around them need no move.
  const double room_px = std::min(2 * kRowStepPx, height_px / 4);
  const bool visible = y_px >= state.scroll_px + room_px &&
                       y_px + kRowStepPx <= state.scroll_px + height_px - room_px;
  if (visible) return state.scroll_px;
  return std::clamp(y_px - height_px / 3, 0.0, impl_->max_scroll_px());
}

}  // namespace cinderscope
