// The command palette in the window: what it lists, what its keys do, and what it runs.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "app/commands/thread_commands.h"
#include "app/window/app.h"
#include "render/layout/track_list.h"
#include "render/text/label.h"
#include "render/text/time_text.h"
#include "render/views/chrome/command_palette.h"

namespace cinderscope {

namespace {

constexpr std::size_t kMaxTargets = 5'000, kMaxNameBytes = 200;

std::string cut(std::string_view name) {
  return drawable(name.substr(0, kMaxNameBytes));
}

bool same_text(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

}  // namespace

std::vector<PaletteTarget> App::palette_targets() const {
  std::vector<PaletteTarget> targets;
  for (std::size_t i = 0; i < tabs_.size() && targets.size() < kMaxTargets; ++i) {
    if (i == active_) continue;
    targets.push_back({fmt::format("Show trace {}", cut(tabs_[i]->session->title())),
                       "tab",
                       fmt::format("{}", i + 1),
                       {}});
  }
  const Tab* tab = active();
  if (tab == nullptr || !tab->session->has_trace()) return targets;
  const Timeline& timeline = tab->session->timeline();
  for (const Bookmark& bookmark : tab->session->state().bookmarks) {
    if (targets.size() >= kMaxTargets) break;
    const std::string note =
        bookmark.note.empty() ? duration_text(bookmark.time_ns, timeline.axis) : cut(bookmark.note);
    targets.push_back({fmt::format("Go to bookmark {}", note),
                       "zoom-to",
                       fmt::format("{} {}", bookmark.begin_ns, bookmark.end_ns),
                       {}});
  }
  for (std::size_t i = 0; i < timeline.tracks.size() && targets.size() < kMaxTargets; ++i) {
    const Track& track = timeline.tracks[i];
    targets.push_back({fmt::format("Go to thread {}", cut(track_label(timeline, track))), "go-to",
                       fmt::format("track {}", i), cut(track_id_text(timeline, track))});
  }
  return targets;
}

void App::toggle_palette() {
  palette_.open = !palette_.open;
  palette_.pressed.clear();
  held_.clear();
  if (!palette_.open) return;
  help_open_ = false;
  palette_.targets = palette_targets();
  ask_in_palette(nullptr);
}

void App::ask_in_palette(const Command* command) {
  palette_.asking = command;
  palette_.text.fill('\0');
  list_palette_rows();
  draw_again();
}

void App::list_palette_rows() {
  const std::string_view typed(palette_.text.data());
  palette_.rows = palette_.asking != nullptr ? argument_rows(*palette_.asking, typed)
                                             : palette_rows({.keys = keys_,
                                                             .state = command_state(),
                                                             .recent = palette_.recent,
                                                             .targets = palette_.targets},
                                                            typed);
  palette_.chosen = 0;
  palette_.reveal_chosen = true;
}

void App::take_palette_key(const KeyChanged& key) {
  const KeyChord& chord = key.chord;
  const Command* command = keys_.command_for(chord);
  if (command != nullptr && command->id == CommandId::palette && (chord.ctrl || chord.alt)) {
    return toggle_palette();
  }
  palette_.pressed.push_back(chord.key);
}

void App::press_in_palette(Key key, Actions& actions) {
  const std::size_t last = palette_.rows.empty() ? 0 : palette_.rows.size() - 1;
  std::size_t& chosen = palette_.chosen;
  const std::size_t page = std::max<std::size_t>(palette_.rows_shown, 2) - 1;
  palette_.reveal_chosen = true;
  if (key == Key::escape) {
    // One step at a time: from an argument back to the commands.
    if (palette_.asking != nullptr) return ask_in_palette(nullptr);
    palette_.open = false;
  } else if (key == Key::down) {
    chosen = chosen >= last ? 0 : chosen + 1;
  } else if (key == Key::up) {
    chosen = chosen == 0 ? last : chosen - 1;
  } else if (key == Key::page_down) {
    chosen = std::min(chosen + page, last);
  } else if (key == Key::page_up) {
    chosen -= std::min(chosen, page);
  } else if (key == Key::tab && chosen < palette_.rows.size()) {
    const Command* command = command_named(palette_.rows[chosen].command);
    const bool takes_any = command != nullptr && !command->argument.empty();
    if (palette_.asking == nullptr && takes_any && palette_.rows[chosen].enabled) {
      ask_in_palette(command);
    }
  } else if (key == Key::enter) {
    run_chosen(actions);
  }
}

void App::run_chosen(Actions& actions) {
  if (palette_.chosen >= palette_.rows.size()) return;
  const PaletteRow row = palette_.rows[palette_.chosen];
  const Command* command = command_named(row.command);
  if (!row.enabled || command == nullptr) return;
  if (row.asks) return ask_in_palette(command);
  palette_.open = false;
  if (palette_.asking != nullptr || row.argument.empty()) note_recent(palette_.recent, command->id);
  actions.push_back(RunCommand{row.command, row.argument});
}

void App::draw_palette(Actions& actions) {
  if (const auto track = std::exchange(thread_to_show_, std::nullopt);
      track && active() != nullptr) {
    // The list of threads is up to date only now, after the timeline was drawn.
    Session& session = *active()->session;
    session.state().scroll_px = active()->timeline_view.scroll_for(
        session.timeline(), session.state(), SliceRef{.track = *track});
    draw_again();
  }
  if (!palette_.open) return;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  CommandPaletteFrame frame{.theme = theme_,
                            .area = {0, 0, size.x, size.y},
                            .hint = "Type what you want to do",
                            .text = palette_.text,
                            .rows = palette_.rows,
                            .chosen = palette_.chosen,
                            .reveal_chosen = std::exchange(palette_.reveal_chosen, false)};
  if (palette_.asking != nullptr) {
    frame.prompt = palette_.asking->help;
    frame.hint = palette_.asking->argument;
  }
  const CommandPaletteAnswer answer = draw_command_palette(frame);
  palette_.rows_shown = answer.rows_shown;
  if (answer.edited) {
    list_palette_rows();
    draw_again();
  }
  if (answer.run) run_chosen(actions);
  if (answer.outside) palette_.open = false;
  for (const Key key : std::exchange(palette_.pressed, {})) {
    if (palette_.open) press_in_palette(key, actions);
    draw_again();
  }
}

// Scrolls to a thread: "track N" of the model, or a name.
std::string App::go_to_thread(std::string_view argument) {
  Tab& tab = *active();
  TimelineState& state = tab.session->state();
  const Timeline& timeline = tab.session->timeline();
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    const bool meant =
        argument == fmt::format("track {}", i) ||
        same_text(track_label(timeline, track), argument) ||
        (!track_id_text(timeline, track).empty() && track_id_text(timeline, track) == argument);
    if (!meant) continue;
    show_track(timeline, TrackId{i}, false, state);
    thread_to_show_ = TrackId{i};
    return {};
  }
  return fmt::format("There is no thread \"{}\".", cut(argument));
}

}  // namespace cinderscope
