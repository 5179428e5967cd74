#include "app/window/controllers/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <utility>

#include "app/commands/arguments.h"
#include "app/window/app_context.h"
#include "app/window/controllers/chrome/start.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/panels.h"
#include "app/window/controllers/symbols.h"
#include "app/window/controllers/tabs.h"
#include "app/window/tab.h"
#include "app/window/window.h"

namespace cinderscope {

namespace {

using Clock = std::chrono::steady_clock;

// Changes come in bursts: what is written waits for their end, or for this long.
constexpr std::chrono::milliseconds kSettingsDelay{400}, kMemoryDelay{2000};

}  // namespace

void StoreController::keep(UserFolders places, StoredSettings stored) {
  app_.settings() = std::move(stored.settings);
  store_ = std::make_unique<SettingsStore>(std::move(places), std::move(stored.members),
                                           [] { Window::wake(); });
  tell(stored.problems);
  app_.controllers().apply_settings();
}

void StoreController::tell(const std::vector<std::string>& problems) {
  for (const std::string& problem : problems) {
    fmt::print(stderr, "{}\n", problem);
    app_.say(problem);
  }
}

void StoreController::save_soon() {
  if (store_ && !settings_due_) settings_due_ = Clock::now() + kSettingsDelay;
}

void StoreController::listen_for_files() {
  listener_ = std::make_unique<SingleInstanceListener>(hand_over_folder(), this_screen(),
                                                       [] { Window::wake(); });
}

// Sizes become settings.
void StoreController::note_what_was_dragged() {
  Settings& settings = app_.settings();
  const Tab* tab = app_.tabs().shown();
  const std::optional<float> panel_px = app_.controllers().panels->dragged_height_px();
  const float gutter_px = settings.gutter_px > 0 ? settings.gutter_px : TimelineState().gutter_px;
  const bool gutter = tab != nullptr && tab->session->state().gutter_px != gutter_px;
  const bool panel = panel_px && *panel_px != settings.panel_px;
  if (gutter) settings.gutter_px = tab->session->state().gutter_px;
  if (panel) settings.panel_px = *panel_px;
  if (gutter || panel) app_.settings_changed();
}

std::optional<double> StoreController::seconds_to_save() const {
  std::optional<Clock::time_point> due = settings_due_;
  if (state_due_ && (!due || *state_due_ < *due)) due = state_due_;
  if (!due) return std::nullopt;
  return std::max(0.0, std::chrono::duration<double>(*due - Clock::now()).count());
}

void StoreController::poll_listener() {
  if (!listener_) return;
  for (const std::vector<std::string>& paths : listener_->take()) {
    for (const std::string& path : paths) app_.controllers().tabs->open(path);
    files_came_ = true;
    app_.draw_again();
  }
}

void StoreController::poll() {
  poll_listener();
  if (!store_) return;
  StoreNews news = store_->take();
  tell(news.problems);
  if (news.recent) {
    app_.settings().recent = std::move(*news.recent);
    if (app_.tabs().shown() == nullptr) app_.draw_again();
  }
  for (const Recalled& recalled : news.recalled) take(recalled);
  for (const auto& tab : app_.tabs().all) poll(*tab);
  note_what_was_dragged();
  save_what_is_due();
}

void StoreController::take(const Recalled& recalled) {
  for (const auto& tab : app_.tabs().all) {
    TabViewState& memory = tab->memory;
    if (memory.path != recalled.path) continue;
    memory.identity = recalled.identity;
    if (memory.settled) continue;
    memory.recalled = recalled.memory;
    memory.folder_mapping = recalled.folder_mapping;
  }
}

void StoreController::save_what_is_due() {
  const Clock::time_point now = Clock::now();
  if (settings_due_ && now >= *settings_due_) {
    settings_due_.reset();
    store_->save(app_.settings());
  }
  if (state_due_ && now >= *state_due_) {
    state_due_.reset();
    if (Tab* tab = app_.tabs().shown()) remember(*tab);
  }
}

void StoreController::note_input() {
  const bool keeps = store_ && store_->keeps_state() && app_.tabs().shown() != nullptr;
  if (keeps && !state_due_) state_due_ = Clock::now() + kMemoryDelay;
}

// Asks what is remembered as a load begins, puts it back once it has ended. Input that came
// meanwhile goes before.
void StoreController::poll(Tab& tab) {
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
  if (memory.path != app_.controllers().start->sample_path()) {
    const RecentFile file{memory.path, memory.identity->size_bytes, std::time(nullptr)};
    add_recent(app_.settings().recent, file);
    store_->add_recent(file);
  }
  if (!memory.settled) restore_state(tab);
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

void StoreController::restore_state(Tab& tab) {
  TabViewState& memory = tab.memory;
  Session& session = *tab.session;
  TimelineState& state = session.state();
  memory.settled = true;
  restore_names(session, memory);
  app_.controllers().symbols->keep_mapping(tab);
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
    app_.draw_again();
  }
  memory.kept = memory_of(session);
}

void StoreController::remember(Tab& tab) {
  TabViewState& memory = tab.memory;
  const Session& session = *tab.session;
  if (!store_ || !memory.settled || !memory.identity || !session.has_trace()) return;
  if (!tab.merged_files.empty()) return;  // its times and threads are those of no file alone
  SavedViewState now = memory_of(session);
  if (memory_json(memory.path, {}, now) == memory_json(memory.path, {}, memory.kept)) return;
  store_->remember(memory.path, *memory.identity, std::exchange(memory.kept, now), now);
}

void StoreController::keep_everything(const WindowPlacement& window) {
  if (!store_) return;
  for (const auto& tab : app_.tabs().all) remember(*tab);
  Settings& settings = app_.settings();
  settings.maximised = window.maximised;
  if (!window.maximised && !window.minimised) {
    settings.window_width = window.width;
    settings.window_height = window.height;
  }
  store_->save(settings);
  store_.reset();
}

void StoreController::remember_mapping(const std::string& trace, const std::string& mapping) {
  if (store_) store_->remember_mapping(trace, mapping);
}

void StoreController::forget_recent(const std::string& path) {
  std::erase_if(app_.settings().recent,
                [&path](const RecentFile& file) { return path.empty() || file.path == path; });
  if (store_) store_->forget_recent(path);
}

namespace {

Status hand_over_files(AppContext& app, const CommandArguments& arguments) {
  bool& hands_over = app.settings().hand_over;
  hands_over = arguments.switched(hands_over);
  app.settings_changed();
  app.say(hands_over ? "files of a second start open in this window"
                     : "a second start opens a window of its own");
  return ok();
}

Status forget_recent(AppContext& app, const CommandArguments& arguments) {
  app.controllers().store->forget_recent(arguments.text());
  return ok();
}

constexpr Command kCommands[] = {
    {"hand-over", "[on|off]", "", "A second start opens its file in this window",
     CommandGroup::window, CommandNeeds::nothing, hand_over_files},
    {"forget-recent", "[PATH]", "", "Forget the recent files", CommandGroup::window,
     CommandNeeds::nothing, forget_recent},
};

}  // namespace

std::span<const Command> store_commands() {
  return kCommands;
}

}  // namespace cinderscope
