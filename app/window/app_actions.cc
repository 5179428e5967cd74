// What the views' actions do, and the moves that they share with commands.
#include <algorithm>

#include "app/commands/thread_commands.h"
#include "app/window/app.h"
#include "ingest/base/parallel.h"
#include "ingest/base/steady_clock.h"
#include "ingest/search/first_call.h"
#include "render/layout/track_list.h"

namespace cinderscope {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kStepPan = 0.15;  // of the view, by an arrow key with nothing selected

void toggle(IndexSet& set, std::uint32_t value) {
  if (!set.erase(value)) set.insert(value);
}

}  // namespace

CommandState App::command_state() const {
  const Tab* tab = active();
  if (tab == nullptr) return {};
  const TimelineState& state = tab->session->state();
  return {.has_tab = true,
          .has_trace = tab->session->has_trace() && tab->session->phase() != SessionPhase::failed,
          .has_selection = state.selected || state.selected_instant,
          .loading = tab->session->loading()};
}

void App::say(std::string message) {
  message_ = std::move(message);
  message_until_ = Clock::now() + std::chrono::seconds(3);
  draw_again();
}

void App::apply(const Action& action) {
  // What a frame asks for from disk is drawn once it is there; till then the window is still.
  if (!std::holds_alternative<LoadChildrenOf>(action)) draw_again();
  if (const auto* call = std::get_if<RunCommand>(&action)) {
    const std::string problem = run_command(call->name, call->argument);
    if (!problem.empty()) say(problem);
    return;
  }
  if (const auto* path = std::get_if<OpenPath>(&action)) return open(path->path);
  if (const auto* copy = std::get_if<CopyText>(&action)) {
    window_.set_clipboard(copy->text);
    return say("copied");
  }
  Tab* tab = active();
  if (tab == nullptr || !tab->session->has_trace()) return;
  Session& session = *tab->session;
  TimelineState& state = session.state();
  std::visit(
      [&](const auto& what) {
        using T = std::decay_t<decltype(what)>;
        if constexpr (std::is_same_v<T, SelectSlice>) {
          select(what.slice, false);
        } else if constexpr (std::is_same_v<T, SelectInstant>) {
          state.selected = {};
          state.selected_instant = what.instant;
        } else if constexpr (std::is_same_v<T, ZoomToSlice>) {
          if (block_of(session.timeline(), what.slice) == nullptr) return;
          const Slice slice = slice_at(session.timeline(), what.slice);
          select(what.slice, false);
          zoom_to(slice.begin_ns, slice.end_ns());
        } else if constexpr (std::is_same_v<T, ShowView>) {
          show_view(what.view, what.animate, false);
        } else if constexpr (std::is_same_v<T, ZoomToRange>) {
          zoom_to(what.begin_ns, what.end_ns);
        } else if constexpr (std::is_same_v<T, SetRange>) {
          state.range = what.range;
        } else if constexpr (std::is_same_v<T, ToggleProcess>) {
          toggle(state.collapsed_processes, index(what.process));
        } else if constexpr (std::is_same_v<T, ToggleTrack>) {
          toggle(state.collapsed_tracks, index(what.track));
        } else if constexpr (std::is_same_v<T, HideTrack>) {
          state.hidden_tracks.erase(index(what.track));
          if (what.hide) state.hidden_tracks.insert(index(what.track));
        } else if constexpr (std::is_same_v<T, SetFilter>) {
          state.filter = what.text;
          state.scroll_px = 0;  // what is left may all lie above
        } else if constexpr (std::is_same_v<T, SetOrder>) {
          state.order = what.order;
        } else if constexpr (std::is_same_v<T, ScrollTo>) {
          (what.pinned ? state.pinned_scroll_px : state.scroll_px) = what.scroll_px;
        } else if constexpr (std::is_same_v<T, RevealSlice>) {
          select(what.slice, true);
        } else if constexpr (std::is_same_v<T, LoadChildrenOf>) {
          session.request_children(what.slice);
        }
      },
      action);
}

void App::show_view(const Viewport& view, bool animate, bool jump) {
  Session& session = *active()->session;
  TimelineState& state = session.state();
  session.view_was_moved();
  session.history().moving({state.view, state.scroll_px}, steady_now_ms(), jump);
  const Viewport target = clamped(view, session.limits());
  if (animate && !reduced_motion_) {
    flight_ = Flight{state.view, target, Clock::now()};
  } else {
    flight_.reset();
    state.view = target;
  }
  draw_again();
}

void App::zoom_to(std::int64_t begin_ns, std::int64_t end_ns) {
  const float width_px = active()->session->state().view.width_px;
  show_view(showing(begin_ns, end_ns, width_px), true, true);
}

void App::select(const SliceRef& slice, bool reveal) {
  Tab* tab = active();
  Session& session = *tab->session;
  TimelineState& state = session.state();
  state.selected = slice;
  state.selected_instant = {};
  if (!reveal || block_of(session.timeline(), slice) == nullptr) return;
  state.scroll_px = tab->timeline_view.scroll_for(session.timeline(), state, slice);
  const bool nested = depth_of(session.timeline(), slice) > 0;
  if (show_track(session.timeline(), slice.track, nested, state)) tab->revealed = slice;
  const Slice found = slice_at(session.timeline(), slice);
  const bool on_screen =
      found.begin_ns < state.view.end_ns() && found.end_ns() > state.view.begin_ns;
  if (on_screen) return;
  const double middle_px = state.view.px_from_ns(found.begin_ns + found.duration_ns / 2);
  show_view(panned(state.view, middle_px - static_cast<double>(state.view.width_px) / 2), true,
            true);
}

void App::move_selection(CommandId direction) {
  Session& session = *active()->session;
  TimelineState& state = session.state();
  const Timeline& timeline = session.timeline();
  if (!state.selected) {
    const double step_px = kStepPan * static_cast<double>(state.view.width_px);
    if (direction == CommandId::select_previous)
      show_view(panned(state.view, -step_px), false, false);
    if (direction == CommandId::select_next) show_view(panned(state.view, step_px), false, false);
    if (direction == CommandId::select_parent) state.scroll_px -= 2 * kRowStepPx;
    if (direction == CommandId::select_child) state.scroll_px += 2 * kRowStepPx;
    state.scroll_px = std::max(0.0, state.scroll_px);
    return;
  }
  SliceRef target;
  if (direction == CommandId::select_parent) target = parent_of(timeline, state.selected);
  if (direction == CommandId::select_child) target = first_child_of(timeline, state.selected);
  if (direction == CommandId::select_previous) target = neighbour_of(timeline, state.selected, -1);
  if (direction == CommandId::select_next) target = neighbour_of(timeline, state.selected, 1);
  if (target) select(target, true);
}

bool App::find(std::string_view name) {
  Tab* tab = active();
  if (tab == nullptr || !tab->session->has_trace()) return false;
  const Timeline& timeline = tab->session->timeline();
  const auto id = timeline.strings->find(name == "(no name)" ? std::string_view() : name);
  if (!id) return false;
  const SliceRef first = first_call_of(*tab->session->slices(), *id, core_count());
  if (!first) return false;
  const Slice slice = slice_at(timeline, first);
  zoom_to(slice.begin_ns, slice.end_ns());
  select(first, true);
  tab->session->state().scroll_px =
      tab->timeline_view.scroll_for(timeline, tab->session->state(), first);
  return true;
}

void App::close_tab(std::size_t tab) {
  remember(*tabs_[tab]);
  // What else shows the trace lets go of it first, so that the session's loader frees it.
  closing_.push_back(std::move(tabs_[tab]->session));
  tabs_.erase(tabs_.begin() + static_cast<std::ptrdiff_t>(tab));
  closing_.back()->close();
  if (active_ > tab || active_ >= tabs_.size()) active_ = active_ == 0 ? 0 : active_ - 1;
  flight_.reset();
  share_memory();
}

}  // namespace cinderscope
