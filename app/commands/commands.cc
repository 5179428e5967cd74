#include "app/commands/commands.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace cinderscope {
namespace {

using enum CommandGroup;
using Needs = CommandNeeds;

constexpr std::array kCommands = {
    Command{CommandId::open, "open", "[PATH]", "Ctrl+O", "Open a trace", file},
    Command{CommandId::merge, "merge", "[PATH [OFFSET]]", "", "Add a trace to this timeline", file,
            Needs::trace},
    Command{CommandId::merge_offset, "merge-offset", "OFFSET|start|same|keep [N]", "",
            "Move the files that were added", file, Needs::trace},
    Command{CommandId::names, "names", "[PATH]", "", "Take names from another file, or anew",
            file, Needs::trace},
    Command{CommandId::all_threads, "all-threads", "[keep]", "",
            "Open all threads of the folder of this one", file, Needs::trace},
    Command{CommandId::reload, "reload", "", "Ctrl+R F5", "Read again, keep the view", file,
            Needs::tab},
    Command{CommandId::load_part, "load-part", "FROM TO [THREAD]", "",
            "Load only a part of this trace", file, Needs::tab},
    Command{CommandId::load_anyway, "load-anyway", "", "", "Load all of this trace", file,
            Needs::tab},
    Command{CommandId::close, "close", "", "Ctrl+W", "Close this trace", file, Needs::tab},
    Command{CommandId::close_others, "close-others", "[N]", "", "Close all other traces", file,
            Needs::tab},
    Command{CommandId::copy_path, "copy-path", "[N]", "", "Copy the path of this trace", file,
            Needs::tab},
    Command{CommandId::write_index, "write-index", "", "", "Write the trace's index beside it",
            file, Needs::trace},
    Command{CommandId::collect, "collect", "[ADDRESS [FOLDER]]", "",
            "Collect from live Qubership agents, or end that", CommandGroup::file},
    Command{CommandId::cancel, "cancel", "", "", "Stop loading", file, Needs::loading},
    Command{CommandId::next_tab, "next-tab", "", "Ctrl+Tab", "Next trace", file, Needs::tab},
    Command{CommandId::previous_tab, "previous-tab", "", "Ctrl+Shift+Tab", "Previous trace", file,
            Needs::tab},
    Command{CommandId::tab, "tab", "N", "", "Show the Nth trace", file, Needs::tab},

    Command{CommandId::fit, "fit", "", "0 Home", "Whole trace", view, Needs::trace},
    Command{CommandId::zoom_selection, "zoom-selection", "", "F Z", "Zoom to the selection", view,
            Needs::trace},
    Command{CommandId::zoom_range, "zoom-range", "", "", "Zoom to the selected range", view,
            Needs::trace},
    Command{CommandId::zoom_to, "zoom-to", "BEGIN END", "", "Show a range of time", view,
            Needs::trace},
    Command{CommandId::zoom_in, "zoom-in", "", "W", "Zoom in", view, Needs::trace, true},
    Command{CommandId::zoom_out, "zoom-out", "", "S", "Zoom out", view, Needs::trace, true},
    Command{CommandId::pan_left, "pan-left", "", "A", "Pan to earlier times", view, Needs::trace,
            true},
    Command{CommandId::pan_right, "pan-right", "", "D", "Pan to later times", view, Needs::trace,
            true},
    Command{CommandId::back, "back", "", "Alt+Left", "Previous view", view, Needs::trace},
    Command{CommandId::forward, "forward", "", "Alt+Right", "Next view", view, Needs::trace},

    Command{CommandId::go_to, "go-to", "THREAD", "", "Go to a thread", view, Needs::trace},
    Command{CommandId::bookmark, "bookmark", "[NOTE]", "M", "Bookmark this place", view,
            Needs::trace},
    Command{CommandId::previous_bookmark, "previous-bookmark", "", "[", "Previous bookmark", view,
            Needs::trace},
    Command{CommandId::next_bookmark, "next-bookmark", "[N]", "]", "Next bookmark", view,
            Needs::trace},
    Command{CommandId::remove_bookmark, "remove-bookmark", "[N]", "", "Remove the bookmark here",
            view, Needs::trace},

    Command{CommandId::search, "search", "[TEXT]", "Ctrl+F /", "Search", CommandGroup::search,
            Needs::trace},
    Command{CommandId::next_match, "next-match", "", "N Enter", "Next match", CommandGroup::search,
            Needs::trace},
    Command{CommandId::previous_match, "previous-match", "", "Shift+N Shift+Enter",
            "Previous match", CommandGroup::search, Needs::trace},
    Command{CommandId::search_scope, "search-scope", "[trace|thread|range]", "",
            "What part is searched", CommandGroup::search, Needs::trace},

    Command{CommandId::scope, "scope", "[trace|thread|range]", "", "What part is measured", measure,
            Needs::trace},
    Command{CommandId::whole_calls, "whole-calls", "[on|off]", "",
            "Count calls whole at the edges of the range", measure, Needs::trace},
    Command{CommandId::sort_statistics, "sort-statistics", "COLUMN", "", "Sort the statistics",
            measure, Needs::trace},
    Command{CommandId::filter_statistics, "filter-statistics", "[TEXT]", "",
            "Show the names that contain TEXT", measure, Needs::trace},
    Command{CommandId::copy_statistics, "copy-statistics", "", "", "Copy the statistics", measure,
            Needs::trace},
    Command{CommandId::save_statistics, "save-statistics", "[PATH]", "",
            "Save the statistics as CSV", measure, Needs::trace},
    Command{CommandId::calls_shown, "calls-shown", "[calls|statements]", "",
            "Show the table of calls, or of the statements that they ran", measure, Needs::trace},
    Command{CommandId::sort_calls, "sort-calls", "COLUMN", "", "Sort the table of calls", measure,
            Needs::trace},
    Command{CommandId::filter_calls, "filter-calls", "[TEXT]", "",
            "Show the calls with TEXT; duration > 100ms compares", measure, Needs::trace},
    Command{CommandId::copy_calls, "copy-calls", "", "", "Copy the table of calls", measure,
            Needs::trace},
    Command{CommandId::save_calls, "save-calls", "[PATH]", "", "Save the table of calls as CSV",
            measure, Needs::trace},
    Command{CommandId::flame_graph, "flame-graph", "[callees|callers|function [NAME]|time|calls]",
            "", "Add calls up by what they call, by what calls them, or of one function", measure,
            Needs::trace},

    Command{CommandId::select_parent, "select-parent", "", "Up", "Select the caller", selection,
            Needs::trace},
    Command{CommandId::select_child, "select-child", "", "Down", "Select the first call inside",
            selection, Needs::trace},
    Command{CommandId::select_previous, "select-previous", "", "Left", "Select the call before",
            selection, Needs::trace},
    Command{CommandId::select_next, "select-next", "", "Right", "Select the call after", selection,
            Needs::trace},
    Command{CommandId::select_range, "select-range", "[BEGIN END]", "",
            "Select a range of time, or none", selection, Needs::trace},
    Command{CommandId::clear, "clear", "", "Escape", "Clear the selection", selection},
    Command{CommandId::copy_name, "copy-name", "", "Ctrl+C", "Copy the selected name", selection,
            Needs::selection},
    Command{CommandId::copy_details, "copy-details", "", "Ctrl+Shift+C", "Copy all details",
            selection, Needs::selection},

    Command{CommandId::collapse, "collapse", "[THREAD]", "", "Collapse the thread", threads,
            Needs::trace},
    Command{CommandId::expand, "expand", "[THREAD]", "", "Expand the thread", threads,
            Needs::trace},
    Command{CommandId::hide, "hide", "[THREAD]", "", "Hide the thread", threads, Needs::trace},
    Command{CommandId::show, "show", "[THREAD]", "", "Show the thread again", threads,
            Needs::trace},
    Command{CommandId::solo, "solo", "[THREAD]", "", "Show only this thread", threads,
            Needs::trace},
    Command{CommandId::pin, "pin", "[THREAD]", "", "Pin the thread to the top", threads,
            Needs::trace},
    Command{CommandId::unpin, "unpin", "[THREAD]", "", "Unpin the thread", threads, Needs::trace},
    Command{CommandId::move_thread, "move-thread", "THREAD up|down|top|bottom", "",
            "Move the thread", threads, Needs::trace},
    Command{CommandId::group, "group", "process|none|REGEX", "", "How threads are grouped", threads,
            Needs::trace},
    Command{CommandId::show_all, "show-all", "", "", "Show all threads, expanded", threads,
            Needs::trace},
    Command{CommandId::filter, "filter", "[TEXT]", "", "Show the threads that contain TEXT",
            threads, Needs::trace},
    Command{CommandId::sort, "sort", "index|time|name|id", "", "Order of the threads", threads,
            Needs::trace},

    Command{CommandId::time_unit, "time-unit", "[auto|ns]", "", "Unit of time on the ruler", window,
            Needs::trace},
    Command{CommandId::time_shown, "time-shown", "[start|clock|day]", "",
            "Time from the start, of the file's clock, or of the day", window, Needs::trace},
    Command{CommandId::panel, "panel", "[details|statistics|flame-graph|search|report|calls]", "P",
            "Show or hide the lower panel", window, Needs::trace},
    Command{CommandId::palette, "palette", "", "Ctrl+Shift+P", "All commands", window},
    Command{CommandId::theme, "theme", "[dark|light|system]", "T", "Dark or light", window},
    Command{CommandId::colours, "colours", "[usual|colour-blind]", "", "Colours of the boxes",
            window},
    Command{CommandId::colour_by, "colour-by", "[name|package]", "",
            "Colour methods by name or by package", window},
    Command{CommandId::larger, "larger", "", "Ctrl++", "Larger", window},
    Command{CommandId::smaller, "smaller", "", "Ctrl+-", "Smaller", window},
    Command{CommandId::normal_size, "normal-size", "", "Ctrl+0", "Normal size", window},
    Command{CommandId::reduced_motion, "reduced-motion", "[on|off]", "", "No animation", window},
    Command{CommandId::wheel, "wheel", "[zoom|scroll]", "", "What the plain wheel does", window},
    Command{CommandId::bind, "bind", "COMMAND [KEYS]", "", "Give a command other keys", window},
    Command{CommandId::default_keys, "default-keys", "", "", "All keys as they were made", window},
    Command{CommandId::lazy_above, "lazy-above", "[SIZE|auto]", "",
            "Read larger traces piece by piece", window},
    Command{CommandId::memory_limit, "memory-limit", "[SIZE|auto]", "",
            "Memory for what is read piece by piece", window},
    Command{CommandId::hand_over, "hand-over", "[on|off]", "",
            "A second start opens its file in this window", window},
    Command{CommandId::forget_recent, "forget-recent", "[PATH]", "", "Forget the recent files",
            window},
    Command{CommandId::context_menu, "context-menu", "", "", "Menu of what is under the pointer",
            window, Needs::tab},
    Command{CommandId::help, "help", "", "? F1", "These keys", window},
    Command{CommandId::quit, "quit", "", "Ctrl+Q", "Quit", window},
};

// The first name of a key is the one that is shown.
constexpr auto kNamedKeys = std::to_array<std::pair<std::string_view, Key>>({
    {"Escape", Key::escape},  {"Esc", Key::escape},
    {"Enter", Key::enter},    {"Return", Key::enter},
    {"Tab", Key::tab},        {"Backspace", Key::backspace},
    {"Delete", Key::del},     {"Insert", Key::insert},
    {"Left", Key::left},      {"Right", Key::right},
    {"Up", Key::up},          {"Down", Key::down},
    {"Home", Key::home},      {"End", Key::end},
    {"PageUp", Key::page_up}, {"PageDown", Key::page_down},
    {"Space", Key::space},    {"F1", Key::f1},
    {"F2", Key::f2},          {"F3", Key::f3},
    {"F4", Key::f4},          {"F5", Key::f5},
    {"F6", Key::f6},          {"F7", Key::f7},
    {"F8", Key::f8},          {"F9", Key::f9},
    {"F10", Key::f10},        {"F11", Key::f11},
    {"F12", Key::f12},
});

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) {
    return c < 0x80 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c);
  });
  return out;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

std::span<const Command> all_commands() {
  return kCommands;
}

const Command* command_named(std::string_view name) {
  const auto found = std::ranges::find(kCommands, name, &Command::name);
  return found == kCommands.end() ? nullptr : &*found;
}

const Command& command(CommandId id) {
  return *std::ranges::find(kCommands, id, &Command::id);
}

bool enabled(const Command& command, const CommandState& state) {
  switch (command.needs) {
    case CommandNeeds::tab:
      return state.has_tab;
    case CommandNeeds::trace:
      return state.has_trace;
    case CommandNeeds::selection:
      return state.has_selection;
    case CommandNeeds::loading:
      return state.loading;
    case CommandNeeds::nothing:
      break;
  }
  return true;
}

std::optional<KeyChord> parse_chord(std::string_view text) {
  KeyChord chord;
  // The last '+' may be the key itself: "Ctrl++".
  for (auto plus = text.find('+');
       plus != std::string_view::npos && plus + 1 < text.size() && plus > 0;
       plus = text.find('+')) {
    const std::string modifier = lower(text.substr(0, plus));
    if (modifier == "ctrl") {
      chord.ctrl = true;
    } else if (modifier == "shift") {
      chord.shift = true;
    } else if (modifier == "alt") {
      chord.alt = true;
    } else {
      return std::nullopt;
    }
    text.remove_prefix(plus + 1);
  }
  const std::string key = lower(text);
  if (key.size() == 1) {
    const char c = key[0];
    if (c >= 'a' && c <= 'z') {
      chord.key = static_cast<Key>(static_cast<int>(Key::a) + (c - 'a'));
    } else if (c >= '0' && c <= '9') {
      chord.key = static_cast<Key>(static_cast<int>(Key::d0) + (c - '0'));
    } else if (c > ' ' && c < 0x7f) {
      chord.character = static_cast<char32_t>(c);
    } else {
      return std::nullopt;
    }
    return chord;
  }
  const auto found = std::ranges::find_if(
      kNamedKeys, [&key](const auto& each) { return lower(each.first) == key; });
  if (found == kNamedKeys.end()) return std::nullopt;
  chord.key = found->second;
  return chord;
}

std::string key_name(Key key) {
  const int number = static_cast<int>(key);
  if (key >= Key::a && key <= Key::z) {
    return std::string(1, static_cast<char>('A' + number - static_cast<int>(Key::a)));
  }
  if (key >= Key::d0 && key <= Key::d9) {
    return std::string(1, static_cast<char>('0' + number - static_cast<int>(Key::d0)));
  }
  const auto found = std::ranges::find(kNamedKeys, key, &std::pair<std::string_view, Key>::second);
  return found == kNamedKeys.end() ? std::string() : std::string(found->first);
}

CommandCall split_call(std::string_view text) {
  text = trimmed(text);
  const auto blank = text.find_first_of(" \t");
  if (blank == std::string_view::npos) return {text, {}};
  return {text.substr(0, blank), trimmed(text.substr(blank))};
}

}  // namespace cinderscope
