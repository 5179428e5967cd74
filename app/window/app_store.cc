// Settings, recent files and what is remembered of each trace: from the store and back to it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "app/commands/switched.h"
#include "app/window/app.h"
#include "ingest/base/text_hash.h"

namespace cinderscope {

namespace {

using Clock = std::chrono::steady_clock;

// Changes come in bursts: what is written waits for their end, or for this long.
constexpr std::chrono::milliseconds kSettingsDelay{400}, kMemoryDelay{2000};

}  // namespace

void App::keep_settings(UserFolders places, StoredSettings stored) {
  settings_ = std::move(stored.settings);
  store_ = std::make_unique<SettingsStore>(std::move(places), std::move(stored.members),
                                           [] { Window::wake(); });
  for (const std::string& problem : stored.problems) {
    fmt::print(stderr, "{}\n", problem);
    say(problem);
  }
  apply_settings();
}

void App::listen_for_files() {
  hand_over_ = std::make_unique<SingleInstanceListener>(hand_over_folder(), this_screen(),
                                                        [] { Window::wake(); });
}

void App::apply_settings() {
  apply_look_and_keys();
  user_scale_ = settings_.scale;
  reduced_motion_ = settings_.reduced_motion;
  if (settings_.panel_px > 0) panel_px_ = settings_.panel_px;
  for (const auto& tab : tabs_) apply_settings(*tab);
  share_memory();
  draw_again();
}

void App::apply_settings(Tab& tab) const {
  TimelineState& state = tab.session->state();
  state.wheel_scrolls = settings_.wheel_scrolls;
  state.time_shown = settings_.time_shown;
  if (settings_.gutter_px > 0) state.gutter_px = settings_.gutter_px;
}

void App::settings_changed() {
  apply_settings();
  if (store_ && !settings_due_) settings_due_ = Clock::now() + kSettingsDelay;
}

void App::note_what_was_dragged() {
  const float gutter_px = settings_.gutter_px > 0 ? settings_.gutter_px : TimelineState().gutter_px;
  const Tab* tab = active();
  const bool gutter = tab != nullptr && tab->session->state().gutter_px != gutter_px;
  const bool panel = panel_px_ && *panel_px_ != settings_.panel_px;
  if (gutter) settings_.gutter_px = tab->session->state().gutter_px;
  if (panel) settings_.panel_px = *panel_px_;
  if (gutter || panel) settings_changed();
}

std::optional<double> App::seconds_to_store() const {
  std::optional<Clock::time_point> due = settings_due_;
  if (memory_due_ && (!due || *memory_due_ < *due)) due = memory_due_;
  if (!due) return std::nullopt;
  return std::max(0.0, std::chrono::duration<double>(*due - Clock::now()).count());
}

void App::poll_store() {
  if (hand_over_) {
    for (const std::vector<std::string>& paths : hand_over_->take()) {
      for (const std::string& path : paths) open(path);
      window_.come_to_front();
      draw_again();
    }
  }
  if (!store_) return;
  StoreNews news = store_->take();
  for (const std::string& problem : news.problems) {
    fmt::print(stderr, "{}\n", problem);
    say(problem);
  }
  if (news.recent) {
    settings_.recent = std::move(*news.recent);
    if (active() == nullptr) draw_again();
  }
  for (Recalled& recalled : news.recalled) {
    for (const auto& tab : tabs_) {
      TabViewState& memory = tab->memory;
      if (memory.path != recalled.path) continue;
      memory.identity = recalled.identity;
      if (memory.settled) continue;
      memory.recalled = recalled.memory;
      memory.folder_mapping = recalled.folder_mapping;
    }
  }
  for (const auto& tab : tabs_) poll_memory(*tab);
  note_what_was_dragged();
  const Clock::time_point now = Clock::now();
  if (settings_due_ && now >= *settings_due_) {
    settings_due_.reset();
    store_->save(settings_);
  }
  if (memory_due_ && now >= *memory_due_) {
    memory_due_.reset();
    if (Tab* tab = active()) remember(*tab);
  }
  // Input may have changed what is to be remembered of the trace in front.
  if (!input_.empty() && active() != nullptr && !memory_due_ && store_->keeps_state()) {
    memory_due_ = now + kMemoryDelay;
  }
  for (const auto& [path, facts] : file_check_.take()) {
    file_facts_[path] = facts;
    if (active() == nullptr) draw_again();
  }
}

// Asks what is remembered as a load begins, puts it back once it has ended. Input that came
// meanwhile goes before.
void App::poll_memory(Tab& tab) {
  TabViewState& memory = tab.memory;
  Session& session = *tab.session;
  // A small trace may be there before anybody looks at it the first time.
  const bool begins = memory.path.empty() || (session.loading() && !memory.asked);
  if (begins && session.path() != "-" && tab.merged_files.empty()) {
    memory.asked = true;
    memory.path = absolute_path(session.path());
    store_->recall(memory.path);
  }
  if (session.loading()) return;
  if (!memory.asked || !memory.identity) return;
  memory.asked = false;  // for the next reload
  if (!session.has_trace() || session.phase() == SessionPhase::failed) return;
  if (memory.path != sample_path_) {
    const RecentFile file{memory.path, memory.identity->size_bytes, std::time(nullptr)};
    add_recent(settings_.recent, file);
    store_->add_recent(file);
  }
  if (!memory.settled) restore_memory(tab);
}

namespace {

SavedViewState memory_of(const Session& session) {
  return memory_of(session.timeline(), session.state(), session.shows_whole());
}

// A mapping that was given now goes before the one that was given in the folder last; one that is
// gone is said to be.
void restore_names(Session& session, const TabViewState& memory) {
  SymbolOptions names = session.names();
  const TraceSource* source = session.source();
  if (source == nullptr || source->symbols() == nullptr || !names.mapping_path.empty()) return;
  if (memory.folder_mapping.empty()) return;
  names.mapping_path = memory.folder_mapping;
  session.rename(std::move(names));
}

}  // namespace

void App::restore_memory(Tab& tab) {
  TabViewState& memory = tab.memory;
  Session& session = *tab.session;
  TimelineState& state = session.state();
  memory.settled = true;
  restore_names(session, memory);
  keep_mapping(tab);
  if (memory.recalled) {
    restore(*memory.recalled, session.timeline(), state);
    if (state.scroll_px == 0) state.scroll_px = memory.recalled->scroll_px;
    if (memory.recalled->view && session.shows_whole()) {
      const TimeRange& view = *memory.recalled->view;
      const Viewport shown = showing(view.begin_ns, view.end_ns, state.view.width_px);
      session.view_was_moved();
      state.view = clamped(shown, session.limits());
    }
    memory.recalled.reset();
    draw_again();
  }
  memory.kept_hash = text_hash(memory_json(memory.path, {}, memory_of(session)));
}

void App::remember(Tab& tab) {
  TabViewState& memory = tab.memory;
  const Session& session = *tab.session;
  if (!store_ || !memory.settled || !memory.identity || !session.has_trace()) return;
  if (!tab.merged_files.empty()) return;  // its times and threads are those of no file alone
  SavedViewState now = memory_of(session);
  const std::uint64_t hash = text_hash(memory_json(memory.path, {}, now));
  if (hash == memory.kept_hash) return;
  memory.kept_hash = hash;
  store_->remember(memory.path, *memory.identity, std::move(now));
}

void App::keep_everything() {
  if (!store_) return;
  for (const auto& tab : tabs_) remember(*tab);
  settings_.maximised = window_.maximised();
  const WindowSize size = window_.size();
  if (!settings_.maximised && !window_.minimised()) {
    const auto at_scale_1 = [this](int px) {
      return static_cast<int>(std::lround(static_cast<float>(px) / window_.scale()));
    };
    settings_.window_width = at_scale_1(size.width_px);
    settings_.window_height = at_scale_1(size.height_px);
  }
  store_->save(settings_);
  store_.reset();
}

std::string App::run_store_command(const Command& command, std::string_view argument) {
  if (command.id == CommandId::hand_over) {
    const auto on = switched(argument, settings_.hand_over);
    if (!on) return "It can be on or off.";
    settings_.hand_over = *on;
    settings_changed();
    say(settings_.hand_over ? "files of a second start open in this window"
                            : "a second start opens a window of its own");
    return {};
  }
  std::erase_if(settings_.recent, [argument](const RecentFile& file) {
    return argument.empty() || file.path == argument;
  });
  if (store_) store_->forget_recent(std::string(argument));
  return {};
}

// With what is known of the files by now; asks for the rest once for each list that is shown.
std::vector<RecentRow> App::recent_rows() {
  std::vector<RecentRow> rows;
  std::vector<std::string> paths;
  for (const RecentFile& file : settings_.recent) {
    RecentRow row{file.path, file.size_bytes, file.opened_s};
    if (const auto facts = file_facts_.find(file.path); facts != file_facts_.end()) {
      row.missing = !facts->second.there;
      if (facts->second.there) row.size_bytes = facts->second.size_bytes;
    }
    paths.push_back(file.path);
    rows.push_back(std::move(row));
  }
  if (paths != checked_paths_) {
    checked_paths_ = paths;
    file_check_.ask(std::move(paths));
  }
  return rows;
}

// Digits open a recent file at once, the arrows go to one that Enter opens and Delete forgets.
bool App::take_start_key(const KeyChord& chord) {
  const std::size_t count = settings_.recent.size();
  if (chord.ctrl || chord.alt || chord.shift || count == 0) return false;
  const auto path_of = [this](std::size_t file) { return settings_.recent[file].path; };
  if (chord.key >= Key::d1 && chord.key <= Key::d9) {
    const auto file = static_cast<std::size_t>(chord.key) - static_cast<std::size_t>(Key::d1);
    if (file < count) open(path_of(file));
    return true;
  }
  const bool chosen = recent_chosen_ && *recent_chosen_ < count;
  switch (chord.key) {
    case Key::down:
      recent_chosen_ = chosen ? std::min(*recent_chosen_ + 1, count - 1) : 0;
      break;
    case Key::up:
      recent_chosen_ = chosen && *recent_chosen_ > 0 ? *recent_chosen_ - 1 : 0;
      break;
    case Key::enter:
      if (!chosen) return false;
      open(path_of(*recent_chosen_));
      recent_chosen_.reset();
      break;
    case Key::del:
      if (!chosen) return false;
      run_store_command(command(CommandId::forget_recent), path_of(*recent_chosen_));
      break;
    case Key::escape:
      recent_chosen_.reset();
      break;
    default:
      return false;
  }
  draw_again();
  return true;
}

}  // namespace cinderscope
