// What the commands of the table do.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "app/window/app.h"
#include "ingest/base/number_text.h"

namespace cinderscope {

namespace {

using Clock = std::chrono::steady_clock;

std::optional<TimeRange> range_from(std::string_view text) {
  const CommandCall both = split_call(text);
  const auto begin = parse_number<std::int64_t>(both.name),
             end = parse_number<std::int64_t>(both.argument);
  if (!begin || !end || *begin >= *end) return std::nullopt;
  return TimeRange{*begin, *end};
}

}  // namespace

std::string App::run_command(std::string_view name, std::string_view argument) {
  const Command* found = command_named(name);
  if (found == nullptr) return fmt::format("There is no command \"{}\".", name);
  if (!enabled(*found, command_state())) return fmt::format("\"{}\" can do nothing now.", name);
  draw_again();
  return run(*found, argument);
}

std::string App::run(const Command& command, std::string_view argument) {
  draw_again();
  if (command.id == CommandId::go_to) return go_to_thread(argument);
  switch (command.group) {
    case CommandGroup::file:
      return run_file_command(command, argument);
    case CommandGroup::view:
      return run_view_command(command, argument);
    case CommandGroup::search:
      return run_search_command(command, argument);
    case CommandGroup::measure:
      if (command.id == CommandId::flame_graph) {
        panel_open_ = true;
        panel_tab_ = PanelId::flame_graph;
        return active()->flame_graph.run(command, argument, *active()->session);
      }
      if (command.id >= CommandId::calls_shown && command.id <= CommandId::save_calls) {
        return run_calls_command(command, argument);
      }
      return run_measure_command(command, argument);
    case CommandGroup::selection:
      return run_selection_command(command, argument);
    case CommandGroup::threads:
      return run_thread_command(command, argument);
    case CommandGroup::window:
      break;
  }
  return run_window_command(command, argument);
}

// Reads the trace of this tab again: a part of it, or all of it whatever memory that takes.
std::string App::load_otherwise(const Command& command, std::string_view argument) {
  Session& session = *active()->session;
  if (!session.can_reload()) return "Standard input can be read only once.";
  LoadOptions load = session.load_options();
  load.beyond_memory = true;
  load.keep = {};
  if (command.id == CommandId::load_part) {
    if (argument.empty()) {
      if (!palette_.open) toggle_palette();
      ask_in_palette(&command);
      return {};
    }
    const std::optional<LoadFilter> part = kept_part_from(argument);
    if (!part) return "load-part needs two times in the trace's unit, and may name a thread.";
    load.keep = *part;
  }
  session.reload_with(std::move(load));
  return {};
}

std::string App::run_file_command(const Command& command, std::string_view argument) {
  const auto tab_of = [&](std::size_t otherwise) -> std::optional<std::size_t> {
    if (argument.empty()) return otherwise;
    const auto number = parse_number<std::int64_t>(argument);
    if (!number || *number < 1 || static_cast<std::size_t>(*number) > tabs_.size())
      return std::nullopt;
    return static_cast<std::size_t>(*number - 1);
  };
  std::string no_such_tab = fmt::format("There is no tab {}.", argument);
  switch (command.id) {
    case CommandId::open:
      dialog_merges_ = false;
      if (!argument.empty()) {
        open(std::string(argument));
      } else if (!open_dialog_.ask()) {
        return "No file dialog is installed (zenity, kdialog); drop a file on the window instead.";
      }
      break;
    case CommandId::collect:
      return collect(argument);
    case CommandId::merge:
    case CommandId::merge_offset:
      return run_merge_command(command, argument);
    case CommandId::names:
      return take_names(argument);
    case CommandId::all_threads:
      return open_all_threads(argument);
    case CommandId::reload:
      if (!active()->session->can_reload()) return "Standard input can be read only once.";
      active()->session->reload();
      break;
    case CommandId::load_part:
    case CommandId::load_anyway:
      return load_otherwise(command, argument);
    case CommandId::close:
      if (const auto tab = tab_of(active_)) {
        close_tab(*tab);
      } else {
        return no_such_tab;
      }
      break;
    case CommandId::close_others:
      if (const auto tab = tab_of(active_)) {
        for (std::size_t i = tabs_.size(); i-- > 0;) {
          if (i != *tab) close_tab(i);
        }
        active_ = 0;
      } else {
        return no_such_tab;
      }
      break;
    case CommandId::copy_path:
      if (const auto tab = tab_of(active_)) {
        window_.set_clipboard(tabs_[*tab]->session->path());
        say("path copied");
      } else {
        return no_such_tab;
      }
      break;
    case CommandId::write_index:
      return run_disk_command(command, argument);
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
    case CommandId::zoom_range:
      if (!state.range) return "No range is selected.";
      zoom_to(state.range->begin_ns, state.range->end_ns);
      break;
    case CommandId::bookmark:
    case CommandId::previous_bookmark:
    case CommandId::next_bookmark:
    case CommandId::remove_bookmark:
      return run_bookmark_command(command, argument);
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
      if (argument.empty()) {
        state.range.reset();
        break;
      }
      state.range = range_from(argument);
      return state.range ? "" : "Two times are expected, BEGIN before END.";
    case CommandId::clear:
      // One thing at a time: what is under way, the search, then what was chosen, the last of it
      // first.
      if (tab->timeline_view.cancel_drag(state)) break;
      if (panel_open_ && panel_tab_ == PanelId::flame_graph && tab->flame_graph.step_back()) break;
      if (clear_search()) break;
      if (state.selected || state.selected_instant) {
        state.selected = {};
        state.selected_instant = {};
      } else {
        state.range.reset();
      }
      break;
    case CommandId::copy_name: {
      StringId name = kEmptyString;
      if (const auto* instants = instants_of(session.timeline(), state.selected_instant)) {
        name = instants->name(state.selected_instant.instant);
      } else if (block_of(session.timeline(), state.selected) != nullptr) {
        name = slice_at(session.timeline(), state.selected).name;
      } else {
        return "The selected call is being read again.";
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

std::string App::run_window_command(const Command& command, std::string_view argument) {
  switch (command.id) {
    case CommandId::time_unit: {
      Session& session = *active()->session;
      session.show_ns_unit(argument.empty() ? !session.timeline().show_ns_unit : argument == "ns");
      break;
    }
    case CommandId::panel:
      panel_open_ = argument.empty() ? !panel_open_ : true;
      if (argument == "details") panel_tab_ = PanelId::details;
      if (argument == "statistics") panel_tab_ = PanelId::statistics;
      if (argument == "flame-graph") panel_tab_ = PanelId::flame_graph;
      if (argument == "search") panel_tab_ = PanelId::search;
      if (argument == "report") panel_tab_ = PanelId::report;
      if (argument == "calls") panel_tab_ = PanelId::calls;
      break;
    case CommandId::time_shown:
      return show_time(argument);
    case CommandId::palette:
    case CommandId::theme:
    case CommandId::larger:
    case CommandId::smaller:
    case CommandId::normal_size:
    case CommandId::reduced_motion:
    case CommandId::colours:
    case CommandId::colour_by:
    case CommandId::wheel:
    case CommandId::bind:
    case CommandId::default_keys:
      return run_settings_command(command, argument);
    case CommandId::lazy_above:
    case CommandId::memory_limit:
      return run_disk_command(command, argument);
    case CommandId::hand_over:
    case CommandId::forget_recent:
      return run_store_command(command, argument);
    case CommandId::context_menu:
      if (argument.starts_with("bookmark ")) return ask_bookmark_menu(argument);
      ask_for_menu(argument);
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
