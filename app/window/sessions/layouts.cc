#include "app/window/sessions/layouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "app/commands/arguments.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/store.h"
#include "app/window/sessions/session_traces.h"
#include "app/window/sessions/tab_state.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "ingest/format/format.h"
#include "render/text/label.h"

namespace cinderscope {

namespace {

constexpr std::chrono::seconds kProblemShown{12};
constexpr std::size_t kMostProcesses = 10'000, kMostNamesTold = 12;

std::string layout_name(const std::string& path) {
  return drawable(utf8_of(path_of(path).filename()));
}

LayoutSubject subject_of(const Session& session) {
  LayoutSubject subject;
  if (session.format() != nullptr) subject.format = session.format()->name();
  const Timeline& timeline = session.timeline();
  for (const Process& process : timeline.processes) {
    if (subject.processes.size() >= kMostProcesses) break;
    subject.processes.emplace_back(timeline.text(process.name));
  }
  return subject;
}

}  // namespace

void LayoutsController::apply(Tab& tab, const std::string& path) {
  reading_.push_back({.tab = &tab,
                      .generation = tab.session->generation(),
                      .layout = in_background([path]() -> std::optional<Result<SessionLayout>> {
                        Result<SessionLayout> layout = read_layout(path);
                        Window::wake();
                        return layout;
                      })});
  app_.draw_again();
}

void LayoutsController::apply_default(Tab& tab) {
  if (folder_.empty()) return;
  reading_.push_back({.tab = &tab,
                      .generation = tab.session->generation(),
                      .by_itself = true,
                      .layout = in_background([folder = folder_, of = subject_of(*tab.session)]()
                                                  -> std::optional<Result<SessionLayout>> {
                        std::optional<SessionLayout> layout = default_layout(folder, of);
                        Window::wake();
                        if (!layout) return std::nullopt;
                        return std::move(*layout);
                      })});
}

// Whether a default one is for the tab is known once it is known what is remembered of its trace.
bool LayoutsController::busy() const {
  const Tab* page = app_.tabs().page();
  const bool comes = !folder_.empty() && page != nullptr && page->session->has_trace() &&
                     !page->session->loading() && !app_.controllers().store->has_put_back(*page);
  return comes || !reading_.empty();
}

bool LayoutsController::busy(const Tab& tab) const {
  return std::ranges::any_of(reading_, [&tab](const Reading& each) { return each.tab == &tab; });
}

// Threads that a layout names may be still to come.
bool LayoutsController::waits_for_trace(const Reading& read) const {
  const auto& all = app_.tabs().all;
  const auto tab = std::ranges::find(all, read.tab, &std::unique_ptr<Tab>::get);
  return !read.by_itself && tab != all.end() && (*tab)->session->loading();
}

void LayoutsController::poll() {
  for (std::size_t i = 0; i < reading_.size();) {
    if (!is_ready(reading_[i].layout) || waits_for_trace(reading_[i])) {
      ++i;
      continue;
    }
    Reading read = std::move(reading_[i]);
    reading_.erase(reading_.begin() + static_cast<std::ptrdiff_t>(i));
    const std::optional<Result<SessionLayout>> layout = read.layout.get();
    const auto& all = app_.tabs().all;
    const auto tab = std::ranges::find(all, read.tab, &std::unique_ptr<Tab>::get);
    if (!layout || tab == all.end()) continue;
    if (read.by_itself && (*tab)->session->generation() != read.generation) continue;
    if (*layout) {
      put_on(**tab, **layout, read.by_itself);
    } else {
      fmt::print(stderr, "{}\n", layout->error().text);
      app_.say_of(**tab, drawable(layout->error().text), kProblemShown);
    }
  }
}

void LayoutsController::put_on(Tab& tab, const SessionLayout& layout, bool by_itself) {
  auto applied = std::make_unique<AppliedLayout>();
  applied->name = layout_name(layout.path);
  applied->before = tab_state(app_, tab);
  applied->lost = lost_threads(tab.session->timeline(), layout.tab, true);
  applied->told = by_itself || !applied->lost.empty();
  apply_layout(app_, layout.tab, tab, true);
  if (!applied->told) app_.say_of(tab, fmt::format("layout {} applied", applied->name));
  if (by_itself) tab.saved.keeps_unchanged = true;
  tab.layout = std::move(applied);
  app_.draw_again();
}

Status LayoutsController::undo() {
  Tab& tab = *app_.tabs().shown();
  if (tab.layout == nullptr) return refused("No layout was applied here.");
  apply_layout(app_, tab.layout->before, tab, false);
  tab.layout.reset();
  app_.draw_again();
  return ok();
}

std::string LayoutsController::notice(const Tab& tab) {
  if (tab.layout == nullptr || !tab.layout->told) return {};
  std::string text = fmt::format("The layout {} was applied.", tab.layout->name);
  if (!tab.layout->lost.empty()) text += " Not here: " + names_text(tab.layout->lost) + '.';
  return text;
}

std::string names_text(const std::vector<std::string>& names) {
  const std::size_t told = std::min(names.size(), kMostNamesTold);
  std::string text;
  for (std::size_t i = 0; i < told; ++i) text += (i == 0 ? "" : ", ") + drawable(names[i]);
  if (names.size() > told) text += fmt::format(" and {} more", names.size() - told);
  return text;
}

namespace {

Status apply_layout(AppContext& app, const CommandArguments& arguments) {
  app.controllers().layouts->apply(*app.tabs().shown(), absolute_path(arguments.text()));
  return ok();
}

Status undo_layout(AppContext& app, const CommandArguments& /*arguments*/) {
  return app.controllers().layouts->undo();
}

constexpr Command kLayoutsCommands[] = {
    {"apply-layout", "PATH", "", "Threads, search and panel as in a session's first tab",
     CommandGroup::file, CommandNeeds::single_trace, apply_layout},
    {"undo-layout", "", "", "Take the applied layout back", CommandGroup::file,
     CommandNeeds::single_trace, undo_layout},
};

}  // namespace

std::span<const Command> layout_commands() {
  return kLayoutsCommands;
}

}  // namespace cinderscope
