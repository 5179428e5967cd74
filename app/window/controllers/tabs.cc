#include "app/window/controllers/tabs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "app/session/find_traces.h"
#include "app/session/open_source.h"
#include "app/session/open_trace.h"
#include "app/session_file/session_path.h"
#include "app/store/settings.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/chrome/palette.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/disk.h"
#include "app/window/controllers/found_traces.h"
#include "app/window/controllers/merge.h"
#include "app/window/controllers/store.h"
#include "app/window/controllers/view.h"
#include "app/window/places/shows.h"
#include "app/window/sessions/sessions.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "ingest/base/self_trace.h"
#include "ingest/os/process_age.h"
#include "render/text/file_name.h"
#include "render/text/fuzzy_match.h"
#include "render/text/label.h"

namespace cinderscope {

namespace {

constexpr std::size_t kMostNoteBytes = 400;

SourceOpener opener_for(std::string path, const std::shared_ptr<std::atomic<bool>>& is_session) {
  return [path = std::move(path), is_session](LoadContext& control) -> Result<OpenedSource> {
    if (is_session_file(path)) {
      is_session->store(true);
      return refused("A session.");  // the window opens it as such
    }
    return open_source(path, control);
  };
}

}  // namespace

TabsController::~TabsController() = default;

void TabsController::open(const std::string& path) {
  std::error_code ignored;
  if (path != "-" && std::filesystem::is_directory(path_of(path), ignored)) {
    // Which files of a folder are traces is told by reading their heads: not on this thread.
    const auto left_out = std::make_shared<std::string>();
    auto traces = in_background([path, left_out] {
      Result<std::vector<std::string>> found = traces_of(path, left_out.get());
      Window::wake();
      return found;
    });
    expanding_.push_back({path, std::move(traces), left_out, asked_now()});
    return;
  }
  open_file(path, asked_now());
}

void TabsController::open_file(const std::string& path, SteadyTime asked) {
  const auto is_session = std::make_shared<std::atomic<bool>>(false);
  add(path, opener_for(path, is_session), asked).is_session = is_session;
}

void TabsController::open_all(const std::vector<std::string>& paths) {
  if (paths.size() >= kManyTraces) return app_.controllers().found_traces->ask({}, paths);
  for (const std::string& path : paths) open(path);
}

TabsController::SteadyTime TabsController::asked_now() const {
  return window_is_open_ ? std::chrono::steady_clock::now() : process_start();
}

Tab& TabsController::add(const std::string& path, SourceOpener opener, SteadyTime asked,
                         bool held) {
  DiskController& disk = *app_.controllers().disk;
  auto session = std::make_unique<Session>(
      path, std::move(opener),
      SessionOptions{.load = disk.load_options(), .held = held, .wake = [] { Window::wake(); }});
  TabList& tabs = app_.tabs();
  Tab& tab = *tabs.all.emplace_back(std::make_unique<Tab>(std::move(session)));
  tab.asked = asked;
  apply_settings(tab);
  disk.share_memory();
  tabs.shown_index = tabs.all.size() - 1;
  app_.controllers().shows->note_added(tab);
  app_.draw_again();
  return tab;
}

void TabsController::show(std::size_t tab) {
  app_.tabs().shown_index = tab;
  app_.controllers().view->stop();
  app_.draw_again();
}

void TabsController::close(std::size_t tab) {
  TabList& tabs = app_.tabs();
  const Tab* closed = tabs.all[tab].get();
  if (!is_lane(*closed)) {
    app_.controllers().compare->close_users_of(*closed->session);
    const auto still = std::ranges::find(tabs.all, closed, &std::unique_ptr<Tab>::get);
    tab = static_cast<std::size_t>(still - tabs.all.begin());
  }
  app_.controllers().store->remember(*tabs.all[tab]);
  // What else shows the trace lets go of it first, so that the session's loader frees it.
  closing_.push_back(std::move(tabs.all[tab]->session));
  tabs.all.erase(tabs.all.begin() + static_cast<std::ptrdiff_t>(tab));
  closing_.back()->close();
  std::size_t& shown = tabs.shown_index;
  if (shown > tab || shown >= tabs.all.size()) shown = shown == 0 ? 0 : shown - 1;
  app_.controllers().view->stop();
  app_.controllers().disk->share_memory();
}

void TabsController::apply_settings() {
  for (Tab* tab : app_.tabs().with_lanes()) apply_settings(*tab);
}

void TabsController::apply_settings(Tab& tab) const {
  const Settings& settings = app_.settings();
  TimelineState& state = tab.session->state();
  state.wheel_scrolls = settings.wheel_scrolls;
  state.fit_rows = settings.fit_rows;
  state.reduced_motion = settings.reduced_motion;
  state.time_shown = settings.time_shown;
  if (settings.gutter_px > 0) state.gutter_px = settings.gutter_px;
}

bool TabsController::loading() const {
  const bool any = std::ranges::any_of(app_.tabs().all, [](const auto& tab) {
    return tab->session->loading() || tab->session->renaming() || tab->symbols != nullptr;
  });
  return any || !expanding_.empty();
}

void TabsController::show_progress(Tab& tab) {
  constexpr std::chrono::milliseconds kStep{100};
  const SteadyTime now = std::chrono::steady_clock::now();
  if (now - tab.progress.taken < kStep) return;
  const Session& session = *tab.session;
  const double seconds = std::max(1e-3, session.loading_seconds());
  tab.progress = {
      .taken = now,
      .fraction = session.load_fraction(),
      .bytes_per_second = static_cast<double>(session.done_bytes()) / seconds,
      .unpacked_bytes = session.source() ? session.source()->input().unpacked_bytes() : 0};
  app_.draw_again(1);
}

void TabsController::poll() {
  const SelfTraceMark mark("take loads");
  poll_expansions();
  for (const auto& tab : app_.tabs().all) {
    if (!is_lane(*tab)) poll(*tab);
  }
  open_sessions();
  // After those that they follow.
  for (Tab* tab : app_.tabs().with_lanes()) {
    if (is_lane(*tab) && tab->session->poll()) app_.draw_again();
  }
  std::erase_if(closing_, [](const auto& session) { return session->idle(); });
}

// A file that turned out to be a session makes way for its tabs.
void TabsController::open_sessions() {
  for (std::size_t i = 0; i < app_.tabs().all.size(); ++i) {
    Tab& tab = *app_.tabs().all[i];
    if (tab.is_session == nullptr || !*tab.is_session || tab.session->loading()) continue;
    const std::string path = tab.session->path();
    const SteadyTime asked = tab.asked;
    if (tab.to_show) app_.controllers().shows->expect(*tab.to_show);
    close(i);
    return app_.controllers().sessions->open(path, asked);
  }
}

void TabsController::poll(Tab& tab) {
  Session& session = *tab.session;
  if (session.poll()) app_.draw_again();
  if (session.loading()) show_progress(tab);
  const bool stands_for_other =
      tab.missing != nullptr || (tab.is_session != nullptr && *tab.is_session);
  if (session.phase() == SessionPhase::failed && !tab.told_error && !stands_for_other) {
    tab.told_error = true;
    fmt::print(stderr, "{}\n", message_of(session.path(), session.error()));
  }
  if (session.loading()) tab.told_error = false;
}

void TabsController::poll_expansions() {
  for (std::size_t i = 0; i < expanding_.size();) {
    if (expanding_[i].traces.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
      ++i;
      continue;
    }
    Expansion folder = std::move(expanding_[i]);
    expanding_.erase(expanding_.begin() + static_cast<std::ptrdiff_t>(i));
    const Result<std::vector<std::string>> traces = folder.traces.get();
    if (!folder.left_out->empty()) app_.say(*folder.left_out);
    add_traces_of(folder, traces);
    app_.draw_again();
  }
}

void TabsController::add_traces_of(const Expansion& folder,
                                   const Result<std::vector<std::string>>& traces) {
  const bool has_several = traces && (traces->size() > 1 || traces->front() != folder.path);
  if (has_several && traces->size() > 1 && are_folders(*traces)) {  // they belong together
    std::vector<MergeFile> parts;
    for (const std::string& inside : *traces) parts.push_back({inside, {}});
    app_.controllers().merge->add_tab(parts);
  } else if (has_several && traces->size() >= kManyTraces) {
    app_.controllers().found_traces->ask(folder.path, *traces);
  } else if (has_several) {
    for (const std::string& inside : *traces) open_file(inside, folder.asked);
  } else if (traces) {
    open_file(folder.path, folder.asked);
  } else {
    // It is no trace: a tab of its own says what is wrong with it.
    add(
        folder.path,
        [error = traces.error()](LoadContext&) -> Result<OpenedSource> { return error; },
        folder.asked);
  }
}

void TabsController::list() const {
  const auto list = [this](std::string_view typed) {
    std::vector<NamedPath> names;
    const TabList& tabs = app_.tabs();
    std::vector<std::string> compared(tabs.all.size());
    for (std::size_t i = 0; i < tabs.all.size(); ++i) {
      const Tab& tab = *tabs.all[i];
      if (tab.comparison != nullptr) compared[i] = tab.comparison->title();
      names.push_back(
          {compared[i].empty() ? tab.session->title() : compared[i], tab.session->path()});
    }
    const std::vector<TabTitle> titles = tab_titles(names);
    std::vector<RankedRow> found;
    for (std::size_t i = 0; i < titles.size(); ++i) {
      auto match = fuzzy_match(typed, titles[i].text);
      if (!match) continue;
      const bool shown = i == tabs.shown_index;
      found.push_back({.row = {.text = titles[i].text,
                               .offsets = std::move(match->offsets),
                               .note = drawable(names[i].path.substr(0, kMostNoteBytes)),
                               .keys = shown ? "shown" : "",
                               .command = "tab",
                               .argument = fmt::format("{}", i + 1)},
                       .score = match->score});
    }
    return best_rows(std::move(found));
  };
  app_.controllers().palette->show({.prompt = "Tabs",
                                    .hint = "Type some of a name",
                                    .rows = list,
                                    .chosen = app_.tabs().shown_index});
}

}  // namespace cinderscope
