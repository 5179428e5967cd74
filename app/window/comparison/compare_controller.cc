#include "app/window/comparison/compare_controller.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "app/session/open_source.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/tabs.h"
#include "app/window/controllers/view.h"
#include "app/window/panels/compare/compare_panels.h"
#include "app/window/sessions/session_traces.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"

namespace cinderscope {

namespace {

bool exists(const std::string& path) {
  std::error_code ignored;
  return path == "-" || std::filesystem::exists(path_of(path), ignored);
}

// Stands for a saved side where a trace would be: its lane says that there is no timeline.
std::unique_ptr<Session> numbers_only(const std::string& path) {
  const auto nothing = [](LoadContext& /*control*/) -> Result<OpenedSource> {
    return Error{.code = ErrorCode::cannot_read,
                 .text = "Only the numbers of this side are known: there are no calls to show.",
                 .expected = "Timelines and flame graph need the trace."};
  };
  return std::make_unique<Session>(path, nothing, SessionOptions{.wake = [] { Window::wake(); }});
}

}  // namespace

CompareController::CompareController(AppContext& app)
    : app_(app), measure_([] { Window::wake(); }) {}

Status CompareController::check(std::string_view a, std::string_view b) {
  for (const std::string_view text : {a, b}) {
    if (const Result<SideText> side = parse_side(text, exists); !side) return side.error();
  }
  return ok();
}

Status CompareController::start(std::string_view a, std::string_view b, std::string_view pair_by) {
  start({look_for(std::string(a)), look_for(std::string(b))},
        [by = std::string(pair_by)](Tab* tab) {
          if (tab != nullptr) tab->comparison->set_pair_by(by);
        });
  return ok();
}

void CompareController::start(SideText a, SideText b, std::function<void(Tab*)> opened) {
  start({look_for(std::move(a)), look_for(std::move(b))}, std::move(opened));
}

void CompareController::start(OfSides<std::future<LookedUp>> looking,
                              std::function<void(Tab*)> opened) {
  Pending& pending = pending_.emplace_back();
  pending.opened = std::move(opened);
  pending.looking = std::move(looking);
  app_.draw_again();
}

bool CompareController::take_found(Pending& pending) {
  for (const Side side : {side_a, side_b}) {
    if (pending.found[side]) continue;
    if (!is_ready(pending.looking[side])) return false;
    LookedUp looked_up = pending.looking[side].get();
    if (looked_up.is_misspelt) failed_ = looked_up.runs.error().text;
    pending.sides[side] = std::move(looked_up.side);
    pending.found[side] = std::move(looked_up.runs);
  }
  return true;
}

// What exists decides how a SIDE is read.
std::future<CompareController::LookedUp> CompareController::look_for(std::string typed_side) {
  return in_background([typed = std::move(typed_side)] {
    Result<SideText> side = parse_side(typed, exists);
    LookedUp looked_up{.side = {}, .runs = std::vector<CompareRun>()};
    if (side) {
      looked_up = {.side = *side, .runs = runs_of(side->paths)};
    } else {
      looked_up = {.side = {}, .runs = side.error(), .is_misspelt = true};
    }
    Window::wake();
    return looked_up;
  });
}

// Of the tab that shows it, which is opened behind if there is none.
Session& CompareController::trace_of(const std::string& path) {
  const std::string whole = absolute_path(path);
  for (const auto& tab : app_.tabs().all) {
    const bool is_it = !is_lane(*tab) && (tab->session->path() == path ||
                                          absolute_path(tab->session->path()) == whole);
    if (is_it) return *tab->session;
  }
  TabsController& tabs = *app_.controllers().tabs;
  const auto opener = [path](LoadContext& control) { return open_source(path, control); };
  return *tabs.add(path, opener, tabs.asked_now()).session;
}

void CompareController::open(const Pending& pending) {
  for (const Side side : {side_a, side_b}) {
    if (*pending.found[side]) continue;
    if (pending.opened) pending.opened(nullptr);
    return app_.say(pending.found[side]->error().text);
  }
  OfSides<CompareSource> sources;
  for (const Side side : {side_a, side_b}) {
    const ComparedPart& part = pending.sides[side].part;
    sources[side].runs = **pending.found[side];
    sources[side].part = part;
    const bool is_part = part.from || part.to || !part.threads.empty();
    // What was measured for this comparison was measured in its part.
    if (pending.numbers_only) {
      sources[side].part_text = words_of(part);
      sources[side].part = {};
    }
    if (is_part && sources[side].has_saved() && !pending.numbers_only) {
      if (pending.opened) pending.opened(nullptr);
      return app_.say("A saved side has no calls of which a part could be taken.");
    }
  }
  std::unique_ptr<Tab> tab = tab_of(std::move(sources));
  TabList& tabs = app_.tabs();
  tabs.all.push_back(std::move(tab));
  app_.controllers().tabs->show(tabs.all.size() - 1);
  if (pending.opened) pending.opened(tabs.all.back().get());
}

std::unique_ptr<Tab> CompareController::tab_of(OfSides<CompareSource> sources) {
  OfSides<std::unique_ptr<Session>> own;
  OfSides<Session*> shown{};
  for (const Side side : {side_a, side_b}) {
    const CompareRun& first = sources[side].runs.front();
    if (first.saved != nullptr) own[side] = numbers_only(first.path);
    shown[side] = own[side] ? own[side].get() : &trace_of(first.path);
  }
  auto page = std::make_unique<ComparePage>(*shown[side_a], *shown[side_b], std::move(own));
  page->answers.sources() = std::move(sources);
  // What commands are about has calls, if any has.
  if (page->answers.numbers_only(side_a)) page->act_on(side_b, true);
  auto tab = std::make_unique<Tab>(page->first_session());
  page->set_first(*tab);
  tab->panels = make_compare_panels(*page);
  tab->comparison = std::move(page);
  tab->asked = std::chrono::steady_clock::now();
  app_.controllers().tabs->apply_settings(*tab);
  app_.controllers().tabs->apply_settings(tab->comparison->lane(side_b));
  return tab;
}

ComparePage* CompareController::shown() const {
  const Tab* page = app_.tabs().page();
  return page == nullptr ? nullptr : page->comparison.get();
}

bool CompareController::comparing() const {
  if (!pending_.empty() || !adding_.empty() || measuring()) return true;
  return std::ranges::any_of(app_.tabs().all, [](const auto& tab) {
    if (tab->comparison == nullptr) return false;
    const ComparePage& page = *tab->comparison;
    const auto failed = [&](Side side) {
      return page.session(side).phase() == SessionPhase::failed && !stand_in(page, side);
    };
    if (page.held()) return false;
    return page.busy() || (!page.answers.whole() && !failed(side_a) && !failed(side_b));
  });
}

void CompareController::poll() {
  for (std::size_t i = 0; i < pending_.size();) {
    Pending& waiting = pending_[i];
    const bool found = take_found(waiting);
    if (found && !waiting.fitting.valid()) ask_whether_they_fit(waiting);
    const bool asks_another = too_large_ && waiting.fitting.valid();
    if (!found || asks_another || (waiting.fitting.valid() && !is_ready(waiting.fitting))) {
      ++i;
      continue;
    }
    const std::optional<Error> error =
        waiting.fitting.valid() ? waiting.fitting.get() : std::nullopt;
    Pending pending = std::move(waiting);
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
    if (error) {
      too_large_ = TooLarge{std::move(pending), error->text};
      app_.draw_again();
    } else {
      open(pending);
    }
  }
  take_measured();
  take_added();
  replace_unreadable();
  for (const auto& tab : app_.tabs().all) {
    if (tab->comparison == nullptr || tab->comparison->held()) continue;
    if (tab->comparison->poll()) app_.draw_again();
    std::string message = tab->comparison->take_message();
    if (!message.empty()) app_.say_of(*tab, std::move(message));
  }
}

Status CompareController::swap() {
  ComparePage& page = *shown();
  TabList& tabs = app_.tabs();
  page.swap(tabs.all[tabs.shown_index]);
  app_.controllers().view->stop();
  return ok();
}

std::size_t CompareController::users_of(const Session& trace) const {
  return static_cast<std::size_t>(std::ranges::count_if(app_.tabs().all, [&](const auto& tab) {
    return tab->comparison != nullptr && tab->comparison->shows(trace);
  }));
}

bool CompareController::asks_before_closing(std::size_t tab) {
  const Tab& closed = *app_.tabs().all[tab];
  const bool asked = asked_to_close_ == tab;
  asked_to_close_.reset();
  if (is_lane(closed) || asked || users_of(*closed.session) == 0) return false;
  asked_to_close_ = tab;
  app_.controllers().tabs->show(tab);
  return true;
}

bool CompareController::stop_asking() {
  if (std::exchange(asked_to_close_, std::nullopt)) return true;
  return static_cast<bool>(answer_too_large(TooLargeAnswer::cancel));
}

void CompareController::close_users_of(const Session& trace) {
  TabList& tabs = app_.tabs();
  for (std::size_t i = tabs.all.size(); i-- > 0;) {
    const ComparePage* page = tabs.all[i]->comparison.get();
    if (page != nullptr && page->shows(trace)) app_.controllers().tabs->close(i);
  }
}

CompareController& compare_of(AppContext& app) {
  return *app.controllers().compare;
}

ComparePage& page_of(AppContext& app) {
  return *compare_of(app).shown();
}

}  // namespace cinderscope
