#include "render/views/timeline/timeline.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "ingest/base/parallel.h"
#include "ingest/base/self_trace.h"
#include "render/layout/hit.h"
#include "render/layout/row_heights.h"
#include "render/views/timeline/bookmarks.h"
#include "render/views/timeline/counters.h"
#include "render/views/timeline/flow_curves.h"
#include "render/views/timeline/gutter.h"
#include "render/views/timeline/mouse.h"
#include "render/views/timeline/overview.h"
#include "render/views/timeline/pauses.h"
#include "render/views/timeline/ruler.h"
#include "render/views/timeline/scroll_bar.h"
#include "render/views/timeline/slice_boxes.h"
#include "render/views/timeline/tooltip.h"
#include "render/views/timeline/wide_instants.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

// Of more than a few threads the last would wake up when the others have done the work. During a
// load all cores are busy, so helpers would have to be waited for.
unsigned frame_jobs(const TimelineFrame& frame) {
  constexpr unsigned kMost = 8;
  return frame.loading ? 1 : std::min(core_count(), kMost);
}

}  // namespace

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
  // What is dragged goes on from there.
  mouse.rows_moved(heights.moved_px());
  if (changed) {
    labels.reset();
    counters.reset();
    tooltip.reset();
  }
  if (label_scale != canvas.theme.scale || label_font != canvas.theme.words) labels.reset();
  label_scale = canvas.theme.scale;
  label_font = canvas.theme.words;

  const double height_px = static_cast<double>(canvas.tracks.height / canvas.theme.scale);
  const double above_px = static_cast<double>(pinned_px(canvas) / canvas.theme.scale);
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
    if (changed || moved || fitted) {
      SelfTraceMark mark("lay out");
      lay_out(frame.timeline, part->tracks, part->window, frame_jobs(frame), part->layout);
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
  draw_overview(canvas, overview);
  std::optional<RulerRange> range;
  if (state.range) range = {*state.range, true};
  if (mouse.zoom_range()) range = {*mouse.zoom_range(), false};
  draw_ruler(canvas, ruler, range);
  draw_gaps_on_ruler(canvas);
  const RangePart part = mouse.range_part();
  if (state.range) {
    draw_range(canvas, *state.range, {.hovered = part, .with_length = !mouse.zoom_range()});
  }
  if (mouse.zoom_range()) draw_range(canvas, *mouse.zoom_range(), {.selected = false});
  const bool over_ruler = canvas.frame.interactive && state.cursor_ns;
  const auto mark =
      over_ruler ? bookmark_at(canvas, ImGui::GetIO().MousePos) : std::optional<std::size_t>();
  if (state.cursor_ns && !mark) {
    const bool over_bar = part == RangePart::bar || part == RangePart::cross;
    draw_cursor(canvas, ruler, range, *state.cursor_ns, !over_bar);
  }
  draw_bookmarks(canvas, mark);
  if (mouse.hit() || mouse.counter() != kNoTrack) {
    tooltip.draw(canvas, mouse.hit(), mouse.counter(), ImGui::GetIO().MousePos);
  }
  draw_notes(on_pinned ? on.pinned : on.main, on_pinned ? pinned : main);
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
  return impl_->mouse.moving() || !impl_->heights.settled() || impl_->ends_late;
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

}  // namespace cinderscope
