// The one table of commands: names, keys, help; menus, key help and --play scripts come from it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cinderscope {

enum class CommandId : std::uint8_t {
  open,
  merge,
  merge_offset,
  names,
  all_threads,
  reload,
  load_part,
  load_anyway,
  close,
  close_others,
  copy_path,
  write_index,
  collect,
  cancel,
  next_tab,
  previous_tab,
  tab,
  back,
  forward,
  go_to,
  bookmark,
  previous_bookmark,
  next_bookmark,
  remove_bookmark,
  search,
  next_match,
  previous_match,
  search_scope,
  scope,
  whole_calls,
  sort_statistics,
  filter_statistics,
  copy_statistics,
  save_statistics,
  calls_shown,
  sort_calls,
  filter_calls,
  copy_calls,
  save_calls,
  flame_graph,
  fit,
  zoom_selection,
  zoom_range,
  zoom_to,
  zoom_in,
  zoom_out,
  pan_left,
  pan_right,
  select_parent,
  select_child,
  select_previous,
  select_next,
  select_range,
  clear,
  copy_name,
  copy_details,
  collapse,
  expand,
  hide,
  show,
  solo,
  pin,
  unpin,
  move_thread,
  group,
  show_all,
  filter,
  sort,
  time_unit,
  time_shown,
  panel,
  palette,
  theme,
  colours,
  colour_by,
  larger,
  smaller,
  normal_size,
  reduced_motion,
  wheel,
  bind,
  default_keys,
  lazy_above,
  memory_limit,
  hand_over,
  forget_recent,
  context_menu,
  help,
  quit,
};

enum class CommandGroup : std::uint8_t { file, view, search, measure, selection, threads, window };

// What a command needs before it can do anything.
enum class CommandNeeds : std::uint8_t { nothing, tab, trace, selection, loading };

struct Command {
  CommandId id;
  std::string_view name;      // as typed in scripts
  std::string_view argument;  // its form, e.g. "BEGIN END"; in brackets if optional
  std::string_view keys;      // chords separated by blanks, e.g. "F Z"; the first is shown in menus
  std::string_view help;      // a few words, for people
  CommandGroup group;
  CommandNeeds needs = CommandNeeds::nothing;
  bool held = false;  // goes on for as long as its key is down
};

std::span<const Command> all_commands();
const Command* command_named(std::string_view name);  // null if there is none
const Command& command(CommandId id);

// What is true of the window now; decides which commands are enabled.
struct CommandState {
  bool has_tab = false, has_trace = false, has_selection = false, loading = false;
};
bool enabled(const Command& command, const CommandState& state);

// Keys by their place on the keyboard, named after what is there on a US layout.
enum class Key : std::uint8_t {
  none,
  a,
  b,
  c,
  d,
  e,
  f,
  g,
  h,
  i,
  j,
  k,
  l,
  m,
  n,
  o,
  p,
  q,
  r,
  s,
  t,
  u,
  v,
  w,
  x,
  y,
  z,  // clang-format off
  d0, d1, d2, d3, d4, d5, d6, d7, d8, d9,  // clang-format on
  escape,
  enter,
  tab,
  backspace,
  del,
  insert,
  left,
  right,
  up,
  down,
  home,
  end,
  page_up,
  page_down,
  space,
  f1,
  f2,
  f3,
  f4,
  f5,
  f6,
  f7,
  f8,
  f9,
  f10,
  f11,
  f12,
  count,
};

// A key with what is held beside it. Letters, digits and named keys match by place, punctuation by
// the character the key makes.
struct KeyChord {
  Key key = Key::none;
  char32_t character = 0;  // punctuation only
  bool ctrl = false, shift = false, alt = false;
  bool operator==(const KeyChord&) const = default;
};

// "Ctrl+Shift+Tab", "?", "F5", "Home"; nullopt for anything else. Letters in either case.
std::optional<KeyChord> parse_chord(std::string_view text);

// "PageUp", "W", "0"; empty for Key::none.
std::string key_name(Key key);

// Splits "zoom-to 1 2" into name and argument (blanks around both are dropped).
struct CommandCall {
  std::string_view name, argument;
};
CommandCall split_call(std::string_view text);

}  // namespace cinderscope
