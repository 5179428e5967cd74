#include <algorithm>
#include <cmath>

#include "ingest/base/self_trace.h"
#include "render/views/timeline/timeline_impl.h"

namespace cinderscope {
// Updates everything that is kept from frame to frame; a still view costs only comparisons.
void TimelineView::Impl::prepare(const Canvas& canvas, Actions& actions) {
  const TimelineFrame& frame = canvas.frame;
  TimelineState& state = frame.state;
  if (state.view.width_px != canvas.tracks.width) {
    state.view = resized(state.view, canvas.tracks.width);
  }
  const bool main_changed = main.tracks.update(frame.timeline, state, frame.version);
  const bool pinned_changed = pinned.tracks.update(frame.timeline, state, frame.version);
  const bool changed = main_changed || pinned_changed;
  const bool fitted = heights.update({.timeline = frame.timeline,
                                      .state = state,
                                      .version = frame.version,
                                      .seconds = static_cast<double>(ImGui::GetIO().DeltaTime),
                                      .main = {main.tracks, main.layout},
                                      .pinned = {pinned.tracks, pinned.layout},
                                      .pointed_px = pointed_px(canvas),
                                      .dragging = mouse.dragging()});
  // What is dragged goes on from there; the pinned tracks scroll for themselves.
  if (!on_pinned) mouse.rows_moved(heights.moved_px());
  if (changed) {
    labels.reset();
    counters.reset();
    tooltip.reset();
  }
  if (label_scale != canvas.theme.scale || label_font != canvas.theme.words) labels.reset();
  label_scale = canvas.theme.scale;
  label_font = canvas.theme.words;

  const auto height_px = static_cast<double>(canvas.tracks.height / canvas.theme.scale);
  const auto above_px = static_cast<double>(pinned_px(canvas) / canvas.theme.scale);
  LayoutWindow wanted{state.view, state.scroll_px, height_px - above_px};
  // Rows that are only to come cannot be shown yet.
  wanted.scroll_px =
      std::min(wanted.scroll_px, std::max(main.tracks.height_px() - wanted.height_px, 0.0));
  const LayoutWindow wanted_pinned{state.view, state.pinned_scroll_px, above_px};
  const bool moved = !laid_out || main.window != wanted || pinned.window != wanted_pinned;
  main.window = wanted;
  pinned.window = wanted_pinned;
  ends_late = state.scroll_px > main.max_scroll_px() && heights.moving();
  if (!ends_late && state.scroll_px > main.max_scroll_px()) {
    actions.push_back(ScrollTo{main.max_scroll_px()});
  }
  if (state.pinned_scroll_px > pinned.max_scroll_px()) {
    actions.push_back(ScrollTo{pinned.max_scroll_px(), true});
  }
  state.visible_rows = state.visible_boxes = 0;
  for (Part* part : {&pinned, &main}) {
    if (changed || moved || fitted || part->layout.missing) {
      SelfTraceMark mark("lay out");
      lay_out(frame.timeline, part->tracks, part->window, frame_jobs(frame), part->layout, false);
      mark.set("boxes", static_cast<std::int64_t>(part->layout.box_count));
    }
    for (const SliceRef& slice : part->layout.wanted) actions.push_back(LoadChildrenOf{slice});
    state.visible_rows += part->layout.lines.size();
    state.visible_boxes += part->layout.box_count;
  }
  laid_out = true;
  state.content_height_px = main.tracks.height_px();
  state.filtered_tracks = main.tracks.filtered_tracks();
  state.all_tracks = frame.timeline.tracks.size();
  {
    const SelfTraceMark mark("overview");
    overview.update(frame.timeline, pinned.tracks, main.tracks, canvas.overview.width,
                    overview_line_limit(canvas), changed);
    overview.update_matches(frame.matches, frame.version);
  }
  const bool in_ns = state.ruler_in_ns;  // nine digits more
  const TimestampFormat shown = timestamp_format(frame.timeline, state);
  if (shown != time_format) tooltip.reset();
  time_format = shown;
  ruler_of(state.view, time_format, static_cast<double>(canvas.px(in_ns ? 160 : 100)), ruler,
           in_ns);
}

// The height of the pinned tracks: at most half of the room, on whole pixels.
float TimelineView::Impl::pinned_px(const Canvas& canvas) const {
  const auto all_px = static_cast<float>(pinned.tracks.height_px()) * canvas.theme.scale;
  return std::round(std::min(all_px, canvas.tracks.height / 2));
}

// The place among the rows that are not pinned which the pointer is on, at scale 1 from their top.
std::optional<double> TimelineView::Impl::pointed_px(const Canvas& canvas) const {
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  if (!canvas.frame.interactive || on_pinned || !contains(canvas.tracks, pointer)) return {};
  const auto y_px = static_cast<double>((pointer.y - canvas.tracks.y) / canvas.theme.scale);
  return y_px - pinned.window.height_px + canvas.frame.state.scroll_px;
}

// The mouse works on one part at a time: what it holds stays with the part that it was pressed on.
void TimelineView::Impl::take_mouse(const Canvases& on, Actions& actions) {
  if (!mouse.dragging()) {
    const float y = ImGui::GetIO().MousePos.y;
    on_pinned = y >= on.pinned.tracks.y && y < bottom_of(on.pinned.tracks);
  }
  const Part& part = on_pinned ? pinned : main;
  mouse.update({on_pinned ? on.pinned : on.main, part.tracks, part.layout, overview, flows,
                part.max_scroll_px()},
               actions);
}

TimelineView::TimelineView() : impl_(std::make_unique<Impl>()) {}
TimelineView::~TimelineView() = default;

void TimelineView::draw(const TimelineFrame& frame, Actions& actions) {
  const SelfTraceMark mark("timeline");
  const Canvas canvas = canvas_of(frame, *ImGui::GetWindowDrawList());
  impl_->prepare(canvas, actions);
  const float above_px = impl_->pinned_px(canvas);
  const Canvas pinned = part_of(canvas, 0, above_px, frame.state.pinned_scroll_px, true);
  Canvas main = part_of(canvas, above_px, canvas.tracks.height - above_px,
                        impl_->main.window.scroll_px, false);
  if (const auto& head = impl_->main.layout.sticky) {
    main.covered_px = canvas.px(head->y_px + static_cast<float>(kProcessHeadPx));
  }
  const Impl::Canvases on{canvas, main, pinned};
  impl_->flows.update({main, pinned, impl_->main.tracks, impl_->pinned.tracks});
  impl_->take_mouse(on, actions);
  const Rect& area = frame.area;
  canvas.list.PushClipRect({area.x, area.y}, {right_of(area), bottom_of(area)}, true);
  impl_->draw_all(on);
  canvas.list.PopClipRect();
}

bool TimelineView::animating() const {
  return impl_->mouse.moving() || !impl_->heights.settled() || impl_->ends_late ||
         !impl_->overview.settled() || impl_->main.layout.missing || impl_->pinned.layout.missing;
}

bool TimelineView::cancel_drag(TimelineState& state) {
  return impl_->mouse.cancel_drag(state);
}

bool TimelineView::moves_row() const {
  return impl_->mouse.row_drag() != nullptr;
}

double TimelineView::page_px() const {
  return std::max(impl_->main.window.height_px - 2 * kRowStepPx, kRowStepPx);
}

double TimelineView::scroll_for(const Timeline& timeline, const TimelineState& state,
                                const SliceRef& slice) const {
  const TrackRow* row = impl_->main.tracks.row_of(slice.track);
  const SliceBlock* block = block_of(timeline, slice);
  if (row == nullptr) return state.scroll_px;
  const double depth = block == nullptr ? 0 : static_cast<double>(block->base_depth) + slice.row;
  const double y_px = row->y_px + row->first_px + kRowStepPx * depth;
  const double height_px = impl_->main.window.height_px;
  // A row that is visible with some room around it needs no scrolling.
  const double room_px = std::min(2 * kRowStepPx, height_px / 4);
  const bool visible = y_px >= state.scroll_px + room_px &&
                       y_px + kRowStepPx <= state.scroll_px + height_px - room_px;
  if (visible) return state.scroll_px;
  // Its track may get the rows it needs only now.
  const double most_px = std::max(impl_->main.max_scroll_px(), y_px + room_px - height_px);
  return std::clamp(y_px - height_px / 3, 0.0, std::max(most_px, 0.0));
}

std::optional<std::int64_t> TimelineView::edge_near(const Timeline& timeline, const Viewport& view,
                                                    double x_px, double reach_px) const {
  return slice_edge_near(timeline, impl_->main.layout, view, x_px, reach_px);
}

TimelineView::TrackPlace TimelineView::first_track(double scroll_px) const {
  const std::vector<TrackRow>& rows = impl_->main.tracks.rows();
  // A head belongs to the track below it.
  for (std::size_t i = impl_->main.tracks.row_at(scroll_px); i < rows.size(); ++i) {
    if (rows[i].track != kNoTrack) return {rows[i].track, scroll_px - rows[i].y_px};
  }
  return {};
}

std::optional<double> TimelineView::scroll_to(const TrackPlace& place) const {
  const TrackRow* row = impl_->main.tracks.row_of(place.track);
  if (row == nullptr) return std::nullopt;
  return std::clamp(row->y_px + place.above_px, 0.0, std::max(impl_->main.max_scroll_px(), 0.0));
}

}  // namespace cinderscope
