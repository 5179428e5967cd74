#include "app/window/sessions/replacing.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/commands/arguments.h"
#include "app/session/merge_offset.h"
#include "app/session/open_source.h"
#include "app/session_file/layout.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/sessions/layouts.h"
#include "app/window/sessions/missing.h"
#include "app/window/sessions/session_part.h"
#include "app/window/sessions/session_traces.h"
#include "app/window/sessions/sessions.h"
#include "app/window/sessions/tab_state.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "ingest/base/saturating.h"
#include "render/text/label.h"

namespace cinderscope {

void begin_replacing(Tab& tab, SessionPart& part, std::string before,
                     std::optional<std::int64_t> begin_ns) {
  tab.replaced = std::make_unique<ReplacedTrace>();
  tab.replaced->before = std::move(before);
  tab.replaced->bookmarks = std::exchange(part.saved.view.bookmarks, {});
  tab.replaced->begin_ns = part.shift_from_ns = begin_ns;
  part.is_change = true;
}

void move_inside(SessionTab& saved, std::int64_t began_ns, const Timeline& timeline) {
  const std::int64_t by_ns = saturating_difference(timeline.begin_ns, began_ns);
  const auto is_outside = [&timeline](std::int64_t begin_ns, std::int64_t end_ns) {
    return end_ns < timeline.begin_ns || begin_ns > timeline.end_ns;
  };
  for (std::optional<TimeRange>* range : {&saved.view.view, &saved.view.range}) {
    if (!*range || !is_outside((*range)->begin_ns, (*range)->end_ns)) continue;
    (*range)->begin_ns = saturating_sum((*range)->begin_ns, by_ns);
    (*range)->end_ns = saturating_sum((*range)->end_ns, by_ns);
  }
  if (!saved.selected) return;
  std::int64_t& begin_ns = saved.selected->begin_ns;
  if (is_outside(begin_ns, begin_ns)) begin_ns = saturating_sum(begin_ns, by_ns);
}

void end_replacing(Tab& tab, const SessionTab& saved) {
  if (tab.replaced == nullptr) return;
  tab.replaced->lost = lost_threads(tab.session->timeline(), saved, false);
  tab.replaced->told = true;
}

std::string replaced_notice(const Tab& tab) {
  const ReplacedTrace* of = tab.replaced.get();
  if (of == nullptr || !of->told || (of->lost.empty() && of->bookmarks.empty())) return {};
  std::string text = fmt::format("{} is shown in place of {}.", drawable(tab.session->title()),
                                 drawable(of->before));
  if (!of->lost.empty()) text += " Not here: " + names_text(of->lost) + '.';
  const std::size_t left = of->bookmarks.size();
  if (left > 0) text += fmt::format(" {} bookmark{} left.", left, left == 1 ? " was" : "s were");
  return text;
}

bool offers_bookmarks(const Tab& tab) {
  return tab.replaced != nullptr && tab.replaced->told && !tab.replaced->bookmarks.empty();
}

Status SessionsController::replace_trace(const std::string& path, std::size_t at) {
  Tab& tab = *app_.tabs().all[at];
  if (tab.missing != nullptr) return app_.controllers().missing->locate(path);
  if (tab.comparison != nullptr || !tab.merged_files.empty()) {
    return refused("Only a trace of its own can be replaced.");
  }
  Session& session = *tab.session;
  if (!session.can_reload() || !session.has_trace() || session.loading()) {
    return refused("The trace cannot be replaced now.");
  }
  if (replacing_) return refused("Another trace is being replaced.");
  replacing_ = Replacing{.session = &session,
                         .owner = {tab.number},
                         .path = absolute_path(path),
                         .looking = in_background([path] {
                           std::error_code ignored;
                           const bool there = std::filesystem::exists(path_of(path), ignored);
                           Window::wake();
                           return there;
                         })};
  app_.draw_again();
  return ok();
}

void SessionsController::take_replacing() {
  if (!replacing_ || !is_ready(replacing_->looking)) return;
  Replacing replacing = std::move(*replacing_);
  replacing_.reset();
  if (!replacing.looking.get()) {
    failed_ = fmt::format("There is no file {}.", drawable(replacing.path));
    return app_.say_of(replacing.owner, failed_);
  }
  const auto& tabs = app_.tabs().all;
  const auto tab = std::ranges::find_if(
      tabs, [&](const auto& each) { return each->session.get() == replacing.session; });
  // It may have been closed or read again meanwhile.
  if (tab == tabs.end() || !(*tab)->session->has_trace() || (*tab)->session->loading()) return;
  put_in_place(static_cast<std::size_t>(tab - tabs.begin()), replacing.path);
}

void SessionsController::put_in_place(std::size_t at, const std::string& absolute) {
  Tab& tab = *app_.tabs().all[at];
  Session& session = *tab.session;
  // Texts are looked up anew.
  auto part = std::make_unique<SessionPart>();
  part->saved = tab_state(app_, tab);
  if (tab.of_session != nullptr) part->key = tab.of_session->key;
  begin_replacing(tab, *part, session.title(), session.timeline().begin_ns);
  part->place = at;
  tab.of_session = std::move(part);
  // Comparisons go on with it.
  for (const auto& other : app_.tabs().all) {
    if (other->comparison == nullptr) continue;
    for (const Side side : {side_a, side_b}) {
      CompareAnswers& answers = other->comparison->answers;
      if (other->comparison->session(side).viewed() != &session) continue;
      answers.sources()[side].runs.front().path = absolute;
      answers.sources_changed();
    }
  }
  tab.saved = {};
  tab.layout.reset();
  session.state().bookmarks.clear();
  session.replace(absolute, shown_file_name(absolute),
                  [absolute](LoadContext& context) { return open_source(absolute, context); });
  if (!session_) session_.emplace();
  app_.draw_again();
}

namespace {

Status replace_trace(AppContext& app, const CommandArguments& arguments) {
  const TabList& tabs = app.tabs();
  const auto tab = static_cast<std::size_t>(
      arguments.number(1).value_or(static_cast<std::int64_t>(tabs.shown_index) + 1));
  if (tab < 1 || tab > tabs.all.size()) return refused("There is no such tab.");
  return app.controllers().sessions->replace_trace(arguments.text(), tab - 1);
}

Status take_bookmarks(AppContext& app, const CommandArguments& /*arguments*/) {
  Tab& tab = *app.tabs().shown();
  if (!offers_bookmarks(tab)) return refused("No bookmarks were left behind here.");
  const Session& session = *tab.session;
  const std::int64_t begin_ns = session.timeline().begin_ns;
  const std::int64_t by_ns =
      saturating_difference(begin_ns, tab.replaced->begin_ns.value_or(begin_ns));
  std::vector<Bookmark>& marks = tab.session->state().bookmarks;
  for (Bookmark& mark : std::exchange(tab.replaced->bookmarks, {})) {
    for (std::int64_t* time : {&mark.time_ns, &mark.begin_ns, &mark.end_ns}) {
      *time = saturating_sum(*time, by_ns);
    }
    if (mark.begin_ns < mark.end_ns) marks.push_back(std::move(mark));
  }
  std::ranges::stable_sort(marks, {}, &Bookmark::time_ns);
  app.draw_again();
  return ok();
}

constexpr Command kReplacingCommands[] = {
    {"replace-trace", "PATH [N]", "", "Another recording in place of this one", CommandGroup::file,
     CommandNeeds::tab, replace_trace},
    {"take-bookmarks", "", "", "Take the replaced recording's bookmarks along", CommandGroup::file,
     CommandNeeds::single_trace, take_bookmarks},
};

}  // namespace

std::span<const Command> replacing_commands() {
  return kReplacingCommands;
}

}  // namespace cinderscope
