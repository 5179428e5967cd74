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
#include "app/window/places/open_items.h"
#include "app/window/sessions/layouts.h"
#include "app/window/sessions/replacing.h"
#include "app/window/sessions/session_part.h"
#include "app/window/sql/sql_controller.h"
#include "app/window/tab.h"
#include "app/window/window.h"

namespace cinderscope {

namespace {

using Clock = std::chrono::steady_clock;

// Changes come in bursts: what is written waits for their end, or for this long.
constexpr std::chrono::milliseconds kSettingsDelay{400}, kStateDelay{2000};

}  // namespace

void StoreController::keep(UserFolders places, StoredSettings stored) {
  app_.settings() = std::move(stored.settings);
  if (!places.config.empty()) app_.controllers().layouts->look_in(places.config + "/layouts");
  app_.controllers().sql->keep(places);
  if (!places.config.empty()) settings_path_ = settings_file(places);
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

void StoreController::hold_session(const std::string& path) {
  if (listener_) listener_->hold_session(path);
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
  for (const std::vector<std::string>& items : listener_->take()) {
    open_items(app_, items);
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
    TabViewState& saved = tab->saved;
    if (saved.path != recalled.path) continue;
    saved.identity = recalled.identity;
    if (saved.settled) continue;
    saved.recalled = recalled.saved;
    saved.folder_mapping = recalled.folder_mapping;
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
  if (keeps && !state_due_) state_due_ = Clock::now() + kStateDelay;
}

// Asks what is remembered as a load begins, puts it back once it has ended. Input that came
// meanwhile goes before.
void StoreController::poll(Tab& tab) {
  TabViewState& saved = tab.saved;
  Session& session = *tab.session;
  if (is_lane(tab) || tab.of_session != nullptr) return;  // a session keeps its own
  // A small trace may be loaded before the first poll.
  const bool begins = saved.path.empty() || (session.loading() && !saved.asked);
  if (begins && session.path() != "-" && tab.merged_files.empty()) {
    saved.asked = true;
    saved.path = absolute_path(session.path());
    store_->recall(saved.path);
  }
  if (session.loading()) return;
  if (!saved.asked || !saved.identity) return;
  saved.asked = false;  // for the next reload
  if (!session.has_trace() || session.phase() == SessionPhase::failed) return;
  const bool is_known = std::ranges::find(app_.settings().recent, saved.path, &RecentFile::path) !=
                        app_.settings().recent.end();
  if (saved.path != app_.controllers().start->sample_path()) {
    add_recent(saved.path, saved.identity->size_bytes);
  }
  if (saved.settled) return;
  const bool is_new = !is_known && !saved.recalled;
  restore_state(tab);
  if (is_new && tab.replaced == nullptr) app_.controllers().layouts->apply_default(tab);
}

bool StoreController::has_put_back(const Tab& tab) const {
  const bool keeps = store_ && store_->keeps_state() && tab.merged_files.empty() &&
                     tab.session->path() != "-" && !is_lane(tab);
  if (tab.of_session != nullptr) return tab.of_session->restored;
  return !keeps || tab.saved.settled || tab.session->phase() == SessionPhase::failed;
}

namespace {

SavedViewState saved_view_state(const Session& session) {
  return saved_view_state(session.timeline(), session.state(), session.shows_whole());
}

// A mapping that was given now goes before the one that was given in the folder last; one that is
// gone is said to be.
void restore_names(Session& session, const TabViewState& saved) {
  SymbolOptions names = session.names();
  const TraceSource* source = session.source();
  if (source == nullptr || source->symbols() == nullptr || !names.mapping_path.empty()) return;
  if (saved.folder_mapping.empty()) return;
  names.mapping_path = saved.folder_mapping;
  session.rename(std::move(names));
}

}  // namespace

void StoreController::restore_state(Tab& tab) {
  TabViewState& saved = tab.saved;
  Session& session = *tab.session;
  TimelineState& state = session.state();
  saved.settled = true;
  restore_names(session, saved);
  app_.controllers().symbols->keep_mapping(tab);
  if (saved.recalled) {
    restore(*saved.recalled, session.timeline(), state);
    if (state.scroll_px == 0) state.scroll_px = saved.recalled->scroll_px;
    if (saved.recalled->view && session.shows_whole()) {
      const TimeRange& view = *saved.recalled->view;
      const Viewport shown = showing(view.begin_ns, view.end_ns, state.view.width_px);
      session.view_was_moved();
      state.view = clamped(shown, session.limits());
    }
    saved.recalled.reset();
    app_.draw_again();
  }
  saved.kept = saved_view_state(session);
}

void StoreController::remember(Tab& tab) {
  TabViewState& saved = tab.saved;
  const Session& session = *tab.session;
  if (!store_ || !saved.settled || !saved.identity || !session.has_trace()) return;
  if (tab.of_session != nullptr) return;
  if (!tab.merged_files.empty()) return;  // its times and threads are those of no file alone
  SavedViewState now = saved_view_state(session);
  const bool changed =
      view_state_json(saved.path, {}, now) != view_state_json(saved.path, {}, saved.kept);
  if (!std::exchange(saved.keeps_unchanged, false) && !changed) return;
  store_->remember(saved.path, *saved.identity, std::exchange(saved.kept, now), now);
}

void StoreController::keep_everything(const WindowPlacement& window) {
  listener_.reset();  // files that came from now on would be lost
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

void StoreController::add_recent(const std::string& path, std::uint64_t size_bytes) {
  const RecentFile file{path, size_bytes, std::time(nullptr)};
  cinderscope::add_recent(app_.settings().recent, file);
  if (store_) store_->add_recent(file);
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

constexpr Command kStoreCommands[] = {
    {"hand-over", "[on|off]", "", "A second start opens its file in this window",
     CommandGroup::window, CommandNeeds::nothing, hand_over_files},
    {"forget-recent", "[PATH]", "", "Forget the recent files", CommandGroup::window,
     CommandNeeds::nothing, forget_recent},
};

}  // namespace

std::span<const Command> store_commands() {
  return kStoreCommands;
}

}  // namespace cinderscope
