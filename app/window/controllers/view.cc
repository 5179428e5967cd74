#include "app/window/controllers/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/commands/thread_commands.h"
#include "app/store/settings.h"
#include "app/window/app_context.h"
#include "app/window/tab.h"
#include "ingest/base/ascii.h"
#include "ingest/base/parallel.h"
#include "ingest/base/saturating.h"
#include "ingest/base/steady_clock.h"
#include "ingest/model/slice_nesting.h"
#include "ingest/search/first_call.h"
#include "render/layout/track_list.h"
#include "render/text/label.h"
#include "render/text/time_text.h"

namespace cinderscope {

namespace {

constexpr double kStepPan = 0.15;  // of the view, by an arrow key with nothing selected
constexpr double kZoomPerSecond = 6, kPanPerSecond = 1.2;  // while a key is held
constexpr double kFlightSeconds = 0.12;
constexpr double kFirstStepSeconds = 1.0 / 60;  // the rest before a flight is no part of it
constexpr std::size_t kMaxNameBytes = 200;

}  // namespace

Session& ViewController::session() const {
  return *app_.tabs().shown()->session;
}

void ViewController::show(const Viewport& view, bool animate, bool jump) {
  TimelineState& state = session().state();
  session().view_was_moved();
  session().history().moving({state.view, state.scroll_px}, steady_now_ms(), jump);
  const Viewport target = clamped(view, session().limits());
  if (animate && !app_.settings().reduced_motion) {
    fly(target);
  } else {
    flight_.reset();
    state.view = target;
  }
  app_.draw_again();
}

void ViewController::fly(const Viewport& target) {
  // What takes over from another flight has no rest before it.
  const bool rested = !flight_ || flight_->rested;
  flight_ = Flight{.from = session().state().view, .to = target, .rested = rested};
}

void ViewController::zoom_to(std::int64_t begin_ns, std::int64_t end_ns) {
  show(showing(begin_ns, end_ns, session().state().view.width_px), true, true);
}

void ViewController::zoom_to_call(std::int64_t begin_ns, std::int64_t end_ns) {
  show(around(begin_ns, end_ns, session().state().view.width_px), true, true);
}

TimeContext ViewController::times(bool as_view) const {
  const Timeline& timeline = session().timeline();
  const TimelineState& state = session().state();
  TimeContext context = time_context(timeline);
  context.in_window = true;
  if (as_view) {
    const ViewportLimits reach = reach_of(session().limits());
    context.margin_ns = saturating_difference(context.begin_ns, reach.begin_ns);
  }
  for (const Bookmark& mark : state.bookmarks) {
    context.marks.push_back({.note = mark.note,
                             .time_ns = mark.time_ns,
                             .begin_ns = mark.begin_ns,
                             .end_ns = mark.end_ns});
  }
  if (block_of(timeline, state.selected) != nullptr) {
    context.selected_ns = slice_at(timeline, state.selected).begin_ns;
  } else if (const auto* instants = instants_of(timeline, state.selected_instant)) {
    context.selected_ns = instants->slice(state.selected_instant.instant).begin_ns;
  }
  return context;
}

void ViewController::go_to_time(std::int64_t time_ns) {
  const Viewport view = target();
  const double middle_px = static_cast<double>(view.width_px) / 2;
  show(panned(view, view.px_from_ns(time_ns) - middle_px), true, true);
}

std::string ViewController::as_on_ruler(std::string_view typed) const {
  const Result<TypedTime> time = typed_time(typed);
  const TimestampFormat format = timestamp_format(session().timeline(), session().state());
  const bool from_start = format.shown == TimeShown::from_start;
  return time && from_start ? from_begin(*time).text : std::string(typed);
}

void ViewController::visit(const VisitedView& target) {
  TimelineState& state = session().state();
  const Viewport view = clamped(resized(target.view, state.view.width_px), session().limits());
  flight_.reset();
  if (app_.settings().reduced_motion) {
    state.view = view;
  } else {
    fly(view);
  }
  state.scroll_px = target.scroll_px;
  session().view_was_moved();
}

Viewport ViewController::target() const {
  return flight_ ? flight_->to : session().state().view;
}

void ViewController::select(const SliceRef& slice, bool reveal) {
  Tab& tab = *app_.tabs().shown();
  const Timeline& timeline = session().timeline();
  TimelineState& state = session().state();
  state.selected = slice;
  state.selected_instant = {};
  state.selected_counter = {};
  if (!reveal || block_of(timeline, slice) == nullptr) return;
  state.scroll_px = tab.timeline_view.scroll_for(timeline, state, slice);
  const std::uint32_t row = track_row_of(timeline, slice);
  if (show_track(timeline, slice.track, row == 0 ? 0 : row + 1, state)) tab.revealed = slice;
  const Slice found = slice_at(timeline, slice);
  const bool on_screen =
      found.begin_ns < state.view.end_ns() && found.end_ns() > state.view.begin_ns;
  if (on_screen) return;
  const double middle_px = state.view.px_from_ns(found.begin_ns + found.duration_ns / 2);
  show(panned(state.view, middle_px - static_cast<double>(state.view.width_px) / 2), true, true);
}

void ViewController::move_selection(SelectionStep step) {
  TimelineState& state = session().state();
  const Timeline& timeline = session().timeline();
  SliceRef target;
  const double pan_px = kStepPan * static_cast<double>(state.view.width_px);
  switch (step) {
    case SelectionStep::parent:
      if (state.selected) {
        target = parent_of(timeline, state.selected);
      } else if (state.selected_instant) {
        target = call_around(timeline, state.selected_instant);
      } else {
        state.scroll_px = std::max(0.0, state.scroll_px - 2 * kRowStepPx);
      }
      break;
    case SelectionStep::child:
      if (!state.selected) state.scroll_px += 2 * kRowStepPx;
      if (state.selected) target = first_child_of(timeline, state.selected);
      break;
    case SelectionStep::previous:
      if (!state.selected) show(panned(state.view, -pan_px), false, false);
      if (state.selected) target = neighbour_of(timeline, state.selected, -1);
      break;
    case SelectionStep::next:
      if (!state.selected) show(panned(state.view, pan_px), false, false);
      if (state.selected) target = neighbour_of(timeline, state.selected, 1);
      break;
  }
  if (target) select(target, true);
}

bool ViewController::find(std::string_view name) {
  Tab* tab = app_.tabs().shown();
  if (tab == nullptr || !tab->session->has_trace()) return false;
  const Timeline& timeline = tab->session->timeline();
  const auto id = timeline.strings->find(name == "(no name)" ? std::string_view() : name);
  if (!id) return false;
  const SliceRef first = first_call_of(*tab->session->slices(), *id, core_count());
  if (!first) return false;
  const Slice slice = slice_at(timeline, first);
  zoom_to_call(slice.begin_ns, slice.end_ns());
  select(first, true);
  TimelineState& state = tab->session->state();
  state.scroll_px = tab->timeline_view.scroll_for(timeline, state, first);
  return true;
}

Status ViewController::go_to_thread(std::string_view thread) {
  const Timeline& timeline = session().timeline();
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    const std::string_view id = track_id_text(timeline, track);
    const bool meant = thread == fmt::format("track {}", i) ||
                       equals_in_any_case(track_label(timeline, track), thread) ||
                       (!id.empty() && id == thread);
    if (!meant) continue;
    show_track(timeline, TrackId{i}, 0, session().state());
    thread_to_show_ = TrackId{i};
    return ok();
  }
  return refused(
      fmt::format("There is no thread \"{}\".", drawable(thread.substr(0, kMaxNameBytes))));
}

void ViewController::scroll_to_thread() {
  const auto track = std::exchange(thread_to_show_, std::nullopt);
  const Tab* tab = app_.tabs().shown();
  if (!track || tab == nullptr) return;
  TimelineState& state = tab->session->state();
  state.scroll_px =
      tab->timeline_view.scroll_for(tab->session->timeline(), state, SliceRef{.track = *track});
  app_.draw_again();
}

void ViewController::step(double seconds, std::span<const HeldMotion> held) {
  constexpr double kLongestStep = 0.05;  // after a rest it is no motion of held keys
  const Tab* tab = app_.tabs().shown();
  if (tab == nullptr || !tab->session->has_trace()) return stop();
  TimelineState& state = tab->session->state();
  if (flight_) {
    const bool rested = std::exchange(flight_->rested, false);
    flight_->passed_s += rested ? std::min(seconds, kFirstStepSeconds) : seconds;
    const double t = std::min(1.0, flight_->passed_s / kFlightSeconds);
    const double eased = 1 - (1 - t) * (1 - t) * (1 - t);
    state.view = t >= 1 ? flight_->to : mixed(flight_->from, flight_->to, eased);
    if (t >= 1) flight_.reset();
  }
  const double held_s = std::min(seconds, kLongestStep);
  for (const HeldMotion& motion : held) {
    const Viewport view = state.view;
    const auto width_px = static_cast<double>(view.width_px);
    double around_px = width_px / 2;
    if (state.cursor_ns) around_px = std::clamp(view.px_from_ns(*state.cursor_ns), 0.0, width_px);
    if (motion.zoom != 0) {
      show(zoomed(view, std::exp(motion.zoom * kZoomPerSecond * held_s), around_px), false, false);
    }
    if (motion.pan != 0) {
      show(panned(view, motion.pan * kPanPerSecond * held_s * width_px), false, false);
    }
  }
}

}  // namespace cinderscope
