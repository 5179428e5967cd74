// What commands and the views' actions do.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include "app/window/app.h"

namespace cinderscope {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kRowStepPx = 19;
constexpr double kStepPan = 0.15;  // of the view, by an arrow key with nothing selected
constexpr float kScaleStep = 1.125F, kSmallestScale = 0.5F, kLargestScale = 4;

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now().time_since_epoch())
      .count();
}

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<TimeRange> range_from(std::string_view text) {
  const CommandCall both = split_call(text);
  const auto begin = integer(both.name), end = integer(both.argument);
  if (!begin || !end || *begin >= *end) return std::nullopt;
  return TimeRange{*begin, *end};
}

bool same_text(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

// Tracks and processes that a command's THREAD means: an id or a name, "track N" or "process N" of
// the model (what menus say), empty for the selected one.
struct Meant {
  std::vector<std::uint32_t> tracks, processes;
};

Meant meant_by(const Timeline& timeline, const TimelineState& state, std::string_view text) {
  Meant meant;
  if (text.empty()) {
    const TrackId track = state.selected ? state.selected.track : state.selected_instant.track;
    if (track != kNoTrack) meant.tracks.push_back(index(track));
    return meant;
  }
  const CommandCall call = split_call(text);
  if (const auto number = integer(call.argument); number && *number >= 0) {
    const auto id = static_cast<std::uint32_t>(*number);
    if (call.name == "track" && id < timeline.tracks.size()) meant.tracks.push_back(id);
    if (call.name == "process" && id < timeline.processes.size()) meant.processes.push_back(id);
    if (call.name == "track" || call.name == "process") return meant;
  }
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    if (track.thread == kNoThread || track.kind != TrackKind::thread) {
      if (same_text(timeline.text(track.name), text)) meant.tracks.push_back(i);
      continue;
    }
    const Thread& thread = timeline.threads[index(track.thread)];
    if (timeline.text(thread.tid) == text || same_text(timeline.text(thread.name), text)) {
      meant.tracks.push_back(i);
    }
  }
  if (!meant.tracks.empty()) return meant;
  for (std::uint32_t i = 0; i < timeline.processes.size(); ++i) {
    const Process& process = timeline.processes[i];
    if (timeline.text(process.pid) == text || same_text(timeline.text(process.name), text)) {
      meant.processes.push_back(i);
    }
  }
  return meant;
}

void toggle(std::set<std::uint32_t>& set, std::uint32_t value) {
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
  draw_again();
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
          show_view(what.view, what.animate, what.animate);
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
        } else if constexpr (std::is_same_v<T, SetOrder>) {
          state.order = what.order;
        } else if constexpr (std::is_same_v<T, ScrollTo>) {
          state.scroll_px = what.scroll_px;
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
  session.history().moving({state.view, state.scroll_px}, now_ms(), jump);
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
  SliceRef first;
  std::int64_t first_ns = std::numeric_limits<std::int64_t>::max();
  for (std::uint32_t t = 0; t < timeline.tracks.size(); ++t) {
    const auto& rows = timeline.tracks[t].root().rows;
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
      for (std::uint64_t i = 0; i < rows[row].count() && rows[row].begin_ns(i) < first_ns; ++i) {
        if (rows[row].name(i) != *id) continue;
        first = {TrackId{t}, BlockId{0}, row, i};
        first_ns = rows[row].begin_ns(i);
      }
    }
  }
  if (!first) return false;
  const Slice slice = slice_at(timeline, first);
  zoom_to(slice.begin_ns, slice.end_ns());
  select(first, true);
  tab->session->state().scroll_px =
      tab->timeline_view.scroll_for(timeline, tab->session->state(), first);
  return true;
}

void App::close_tab(std::size_t tab) {
  tabs_[tab]->session->cancel();
  closing_.push_back(std::move(tabs_[tab]));
  tabs_.erase(tabs_.begin() + static_cast<std::ptrdiff_t>(tab));
  if (active_ > tab || active_ >= tabs_.size()) active_ = active_ == 0 ? 0 : active_ - 1;
  flight_.reset();
}

std::string App::run_command(std::string_view name, std::string_view argument) {
  const Command* found = command_named(name);
  if (found == nullptr) return fmt::format("There is no command \"{}\".", name);
  if (!enabled(*found, command_state())) return fmt::format("\"{}\" can do nothing now.", name);
  draw_again();
  return run(*found, argument);
}

std::string App::run(const Command& command, std::string_view argument) {
  draw_again();
  switch (command.group) {
    case CommandGroup::file:
      return run_file_command(command, argument);
    case CommandGroup::view:
      return run_view_command(command, argument);
    case CommandGroup::selection:
      return run_selection_command(command, argument);
    case CommandGroup::threads:
      return run_thread_command(command, argument);
    case CommandGroup::window:
      break;
  }
  return run_window_command(command, argument);
}

std::string App::run_file_command(const Command& command, std::string_view argument) {
  const auto tab_of = [&](std::size_t otherwise) -> std::optional<std::size_t> {
    if (argument.empty()) return otherwise;
    const auto number = integer(argument);
    if (!number || *number < 1 || static_cast<std::size_t>(*number) > tabs_.size())
      return std::nullopt;
    return static_cast<std::size_t>(*number - 1);
  };
  const std::string no_such_tab = fmt::format("There is no tab {}.", argument);
  switch (command.id) {
    case CommandId::open:
      if (!argument.empty()) {
        open(std::string(argument));
      } else if (!open_dialog_.ask()) {
        return "No file dialog is installed (zenity, kdialog); drop a file on the window instead.";
      }
      break;
    case CommandId::reload:
      active()->session->reload();
      break;
    case CommandId::close:
      if (const auto tab = tab_of(active_)) {
        close_tab(*tab);
      } else {
        return no_such_tab;
      }
      break;
    case CommandId::cancel:
      active()->session->cancel();
      break;
    case CommandId::tab:
      if (const auto tab = tab_of(active_)) {
        active_ = *tab;
        flight_.reset();
      } else {
        return no_such_tab;
      }
      break;
    default: {  // the next tab or the previous one
      const std::size_t step = command.id == CommandId::next_tab ? 1 : tabs_.size() - 1;
      active_ = (active_ + step) % tabs_.size();
      flight_.reset();
    }
  }
  return {};
}

std::string App::run_view_command(const Command& command, std::string_view argument) {
  Session& session = *active()->session;
  TimelineState& state = session.state();
  const double middle_px = static_cast<double>(state.view.width_px) / 2;
  const auto step_to = [&](const std::optional<VisitedView>& target) {
    if (!target) return;
    const Viewport view = clamped(resized(target->view, state.view.width_px), session.limits());
    flight_.reset();
    if (!reduced_motion_) flight_ = Flight{state.view, view, Clock::now()};
    if (reduced_motion_) state.view = view;
    state.scroll_px = target->scroll_px;
    session.view_was_moved();
  };
  switch (command.id) {
    case CommandId::fit:
      show_view(fitted(session.limits(), state.view.width_px), true, true);
      break;
    case CommandId::zoom_selection:
      if (state.range && !state.selected) {
        zoom_to(state.range->begin_ns, state.range->end_ns);
      } else if (block_of(session.timeline(), state.selected) != nullptr) {
        const Slice slice = slice_at(session.timeline(), state.selected);
        zoom_to(slice.begin_ns, slice.end_ns());
      }
      break;
    case CommandId::zoom_to:
      if (const auto range = range_from(argument)) {
        zoom_to(range->begin_ns, range->end_ns);
      } else {
        return "Two times are expected, BEGIN before END.";
      }
      break;
    case CommandId::zoom_in:
      show_view(zoomed(state.view, 0.5, middle_px), true, false);
      break;
    case CommandId::zoom_out:
      show_view(zoomed(state.view, 2, middle_px), true, false);
      break;
    case CommandId::pan_left:
      show_view(panned(state.view, -middle_px / 2), true, false);
      break;
    case CommandId::pan_right:
      show_view(panned(state.view, middle_px / 2), true, false);
      break;
    case CommandId::back:
      step_to(session.history().back({state.view, state.scroll_px}));
      break;
    default:
      step_to(session.history().forward({state.view, state.scroll_px}));
  }
  return {};
}

std::string App::run_selection_command(const Command& command, std::string_view argument) {
  Tab* tab = active();
  if (tab == nullptr) return {};
  Session& session = *tab->session;
  TimelineState& state = session.state();
  switch (command.id) {
    case CommandId::select_range:
      state.range = range_from(argument);
      return state.range ? "" : "Two times are expected, BEGIN before END.";
    case CommandId::clear:
      // One thing at a time, the last thing that was chosen first.
      if (state.selected || state.selected_instant) {
        state.selected = {};
        state.selected_instant = {};
      } else {
        state.range.reset();
      }
      break;
    case CommandId::copy_name: {
      StringId name = kEmptyString;
      if (state.selected_instant) {
        const Track& track = session.timeline().tracks[index(state.selected_instant.track)];
        name = track.instants.name(state.selected_instant.instant);
      } else {
        name = slice_at(session.timeline(), state.selected).name;
      }
      window_.set_clipboard(std::string(display_name(session.timeline(), name)));
      say("name copied");
      break;
    }
    case CommandId::copy_details:
      window_.set_clipboard(details_text(session.timeline(), state, session.source()));
      say("details copied");
      break;
    default:
      move_selection(command.id);
  }
  return {};
}

std::string App::run_thread_command(const Command& command, std::string_view argument) {
  Session& session = *active()->session;
  TimelineState& state = session.state();
  if (command.id == CommandId::filter) {
    state.filter = argument;
    filter_open_ = filter_focus_ = argument.empty();
    return {};
  }
  if (command.id == CommandId::sort) {
    if (argument == "index") {
      state.order = TrackOrder::sort_index;
    } else if (argument == "time") {
      state.order = TrackOrder::first_time;
    } else if (argument == "name") {
      state.order = TrackOrder::name;
    } else if (argument == "id") {
      state.order = TrackOrder::id;
    } else {
      return "Threads are sorted by index, time, name or id.";
    }
    return {};
  }
  if (command.id == CommandId::show_all) {
    state.hidden_tracks.clear();
    state.collapsed_tracks.clear();
    state.collapsed_processes.clear();
    state.filter.clear();
    filter_open_ = false;
    return {};
  }
  const Meant meant = meant_by(session.timeline(), state, argument);
  if (meant.tracks.empty() && meant.processes.empty()) {
    return argument.empty() ? "No thread is selected."
                            : fmt::format("There is no thread \"{}\".", argument);
  }
  for (const std::uint32_t track : meant.tracks) {
    if (command.id == CommandId::collapse) state.collapsed_tracks.insert(track);
    if (command.id == CommandId::expand) state.collapsed_tracks.erase(track);
    if (command.id == CommandId::hide) state.hidden_tracks.insert(track);
  }
  for (const std::uint32_t process : meant.processes) {
    if (command.id == CommandId::collapse) state.collapsed_processes.insert(process);
    if (command.id == CommandId::expand) state.collapsed_processes.erase(process);
    if (command.id != CommandId::hide) continue;
    for (std::uint32_t i = 0; i < session.timeline().tracks.size(); ++i) {
      if (index(session.timeline().tracks[i].process) == process) state.hidden_tracks.insert(i);
    }
  }
  return {};
}

std::string App::run_window_command(const Command& command, std::string_view argument) {
  const auto scale_by = [this](float scale) {
    user_scale_ = std::clamp(scale, kSmallestScale, kLargestScale);
  };
  switch (command.id) {
    case CommandId::time_unit: {
      Session& session = *active()->session;
      session.show_ns_unit(argument.empty() ? !session.timeline().show_ns_unit : argument == "ns");
      break;
    }
    case CommandId::panel:
      panel_open_ = argument.empty() ? !panel_open_ : true;
      if (argument == "details") panel_tab_ = 0;
      if (argument == "report") panel_tab_ = 1;
      break;
    case CommandId::theme:
      if (argument != "" && argument != "dark" && argument != "light")
        return "A theme is dark or light.";
      theme_.kind = argument == "dark" || (argument.empty() && theme_.kind == ThemeKind::light)
                        ? ThemeKind::dark
                        : ThemeKind::light;
      fonts_stale_ = true;
      break;
    case CommandId::larger:
      scale_by(user_scale_ * kScaleStep);
      break;
    case CommandId::smaller:
      scale_by(user_scale_ / kScaleStep);
      break;
    case CommandId::normal_size:
      scale_by(1);
      break;
    case CommandId::reduced_motion:
      reduced_motion_ = argument.empty() ? !reduced_motion_ : argument == "on";
      break;
    case CommandId::context_menu:
      menu_asked_ = true;
      menu_track_ = argument;
      break;
    case CommandId::help:
      help_open_ = !help_open_;
      break;
    default:
      quitting_ = true;
  }
  return {};
}

}  // namespace cinderscope
