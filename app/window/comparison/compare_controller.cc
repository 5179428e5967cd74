#include "app/window/comparison/compare_controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "app/compare/side_file.h"
#include "app/session/find_traces.h"
#include "app/session/open_source.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/tabs.h"
#include "app/window/controllers/view.h"
#include "app/window/panels/compare/compare_panels.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/parallel.h"
#include "ingest/os/atomic_file.h"

namespace cinderscope {

namespace {

constexpr std::size_t kMostRuns = 1000;

bool exists(const std::string& path) {
  std::error_code ignored;
  return path == "-" || std::filesystem::exists(path, ignored);
}

// The runs that the paths of a side stand for. What cannot be read is told once it is.
Result<std::vector<std::string>> runs_of(const std::vector<std::string>& paths) {
  std::vector<std::string> runs;
  for (const std::string& path : paths) {
    if (is_saved_side(path)) {
      return refused(
          fmt::format("{} has only the numbers of a side: there are no calls to show. "
                      "\"cinderscope compare\" compares with it.",
                      path));
    }
    Result<std::vector<std::string>> found = traces_of(path);
    if (!found) return found.error();
    runs.insert(runs.end(), found->begin(), found->end());
  }
  if (runs.size() > kMostRuns) {
    return refused(fmt::format("A side has {} runs at most.", kMostRuns));
  }
  return runs;
}

template <class Value>
bool is_there(const std::future<Value>& future) {
  return future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

Status CompareController::start(std::string_view a, std::string_view b) {
  Result<SideText> of_a = parse_side(a, exists), of_b = parse_side(b, exists);
  if (!of_a || !of_b) return (of_a ? of_b : of_a).error();
  start(std::move(*of_a), std::move(*of_b));
  return ok();
}

void CompareController::start(SideText a, SideText b, std::function<void(Tab*)> opened) {
  Pending& pending = pending_.emplace_back();
  pending.sides = {std::move(a), std::move(b)};
  pending.opened = std::move(opened);
  for (const Side side : {side_a, side_b}) {
    // Which files of a folder are traces is told by reading their heads: not on this thread.
    pending.looking[side] = in_background([paths = pending.sides[side].paths] {
      Paths runs = runs_of(paths);
      Window::wake();
      return runs;
    });
  }
  app_.draw_again();
}

bool CompareController::take_found(Pending& pending) {
  for (const Side side : {side_a, side_b}) {
    if (pending.found[side]) continue;
    if (!is_there(pending.looking[side])) return false;
    pending.found[side] = pending.looking[side].get();
  }
  return true;
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
    sources[side].paths = **pending.found[side];
    sources[side].part = pending.sides[side].part;
  }
  std::unique_ptr<Tab> tab = tab_of(std::move(sources));
  TabList& tabs = app_.tabs();
  tabs.all.push_back(std::move(tab));
  app_.controllers().tabs->show(tabs.all.size() - 1);
  if (pending.opened) pending.opened(tabs.all.back().get());
}

std::unique_ptr<Tab> CompareController::tab_of(OfSides<CompareSource> sources) {
  Session &a = trace_of(sources[side_a].paths.front()),
          &b = trace_of(sources[side_b].paths.front());
  auto page = std::make_unique<ComparePage>(a, b);
  page->answers.sources() = std::move(sources);
  auto tab = std::make_unique<Tab>(page->first_session());
  page->set_first(*tab);
  tab->panels = make_compare_panels(*page);
  tab->comparison = std::move(page);
  tab->asked = std::chrono::steady_clock::now();
  app_.controllers().tabs->apply_settings(*tab);
  app_.controllers().tabs->apply_settings(tab->comparison->lane(side_b));
  return tab;
}

// Lanes, and what was measured of the run that they show, belong to one trace: so it is a new page,
// to which all that was chosen moves.
Status CompareController::show_run(Side side, std::size_t run) {
  const ComparePage& old = *shown();
  OfSides<CompareSource> sources = old.answers.sources();
  CompareSource& source = sources[side];
  if (run >= source.paths.size()) return refused("There is no such run.");
  if (run == 0) return refused("The lane shows this run.");
  source.left_out.resize(source.paths.size());
  const auto first = [run](auto& list) {
    const auto begin = list.begin() + static_cast<std::ptrdiff_t>(run);
    std::rotate(list.begin(), begin, begin + 1);
  };
  first(source.paths);
  first(source.left_out);
  const Tab* replaced = app_.tabs().page();
  std::unique_ptr<Tab> tab = tab_of(std::move(sources));  // shows what it opens
  ComparePage& page = *tab->comparison;
  page.choice = old.choice;
  page.answers.set_rules(old.answers.rules());
  page.answers.set_ignored(old.answers.ignored());
  if (const Status kept = page.answers.set_options(old.answers.options()); !kept) return kept;
  TabList& tabs = app_.tabs();
  const auto at = std::ranges::find(tabs.all, replaced, &std::unique_ptr<Tab>::get);
  const auto place = static_cast<std::size_t>(at - tabs.all.begin());
  tabs.all.insert(at + 1, std::move(tab));
  app_.controllers().tabs->close(place);
  app_.controllers().tabs->show(place);
  return ok();
}

ComparePage* CompareController::shown() const {
  const Tab* page = app_.tabs().page();
  return page == nullptr ? nullptr : page->comparison.get();
}

bool CompareController::comparing() const {
  if (!pending_.empty()) return true;
  return std::ranges::any_of(app_.tabs().all, [](const auto& tab) {
    if (tab->comparison == nullptr) return false;
    const ComparePage& page = *tab->comparison;
    const auto failed = [&](Side side) {
      return page.session(side).phase() == SessionPhase::failed;
    };
    return page.busy() || (!page.answers.whole() && !failed(side_a) && !failed(side_b));
  });
}

void CompareController::poll() {
  for (std::size_t i = 0; i < pending_.size();) {
    if (!take_found(pending_[i])) {
      ++i;
      continue;
    }
    const Pending pending = std::move(pending_[i]);
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
    open(pending);
  }
  for (const auto& tab : app_.tabs().all) {
    if (tab->comparison == nullptr) continue;
    if (tab->comparison->poll()) app_.draw_again();
    std::string message = tab->comparison->take_message();
    if (!message.empty()) app_.say_of(*tab, std::move(message));
  }
}

// As a SIDE of the shown trace.
std::string CompareController::side_of_range(std::int64_t begin_ns, std::int64_t end_ns) const {
  return fmt::format("{}@{}..{}", app_.tabs().shown()->session->path(), begin_ns, end_ns);
}

Status CompareController::keep_range() {
  const Session& session = *app_.tabs().shown()->session;
  const std::optional<TimeRange>& range = session.state().range;
  if (!range) return refused("No range is selected.");
  kept_range_ = KeptRange{side_of_range(range->begin_ns, range->end_ns), range};
  app_.say_of_shown("the range is A; select another one and \"Compare as B\"");
  return ok();
}

Status CompareController::compare_kept_range() {
  if (!kept_range_) return refused("No range was kept to be compared with.");
  const std::optional<TimeRange>& range = app_.tabs().shown()->session->state().range;
  if (!range) return refused("No range is selected.");
  const std::string a = std::exchange(kept_range_, std::nullopt)->side;
  return start(a, side_of_range(range->begin_ns, range->end_ns));
}

Status CompareController::compare_range_with_before() {
  const Session& session = *app_.tabs().shown()->session;
  const std::optional<TimeRange>& range = session.state().range;
  if (!range) return refused("No range is selected.");
  const std::int64_t length_ns = range->end_ns - range->begin_ns;
  const std::int64_t begin_ns = std::max(range->begin_ns - length_ns, session.timeline().begin_ns);
  if (begin_ns >= range->begin_ns) return refused("There is nothing before this range.");
  return start(side_of_range(begin_ns, range->begin_ns),
               side_of_range(range->begin_ns, range->end_ns));
}

// The rest is the longer of the two parts beside the range: a part is one range.
Status CompareController::compare_range_with_rest() {
  const Session& session = *app_.tabs().shown()->session;
  const std::optional<TimeRange>& range = session.state().range;
  if (!range) return refused("No range is selected.");
  const Timeline& timeline = session.timeline();
  const std::int64_t before_ns = range->begin_ns - timeline.begin_ns,
                     behind_ns = timeline.end_ns - range->end_ns;
  if (before_ns <= 0 && behind_ns <= 0) return refused("The range is the whole trace.");
  const std::string rest = before_ns >= behind_ns
                               ? side_of_range(timeline.begin_ns, range->begin_ns)
                               : side_of_range(range->end_ns, timeline.end_ns);
  if (before_ns > 0 && behind_ns > 0) {
    app_.say(before_ns >= behind_ns ? "compared with all that lies before the range"
                                    : "compared with all that lies behind the range");
  }
  return start(rest, side_of_range(range->begin_ns, range->end_ns));
}

Status CompareController::swap() {
  ComparePage& page = *shown();
  TabList& tabs = app_.tabs();
  page.swap(tabs.all[tabs.shown_index]);
  app_.controllers().view->stop();
  return ok();
}

Status CompareController::add_runs(Side side, const std::vector<std::string>& paths) {
  ComparePage& page = *shown();
  std::vector<std::string>& runs = page.answers.sources()[side].paths;
  for (const std::string& path : paths) {
    if (!exists(path)) return refused(fmt::format("There is no file {}.", path));
  }
  if (runs.size() + paths.size() > kMostRuns) {
    return refused(fmt::format("A side has {} runs at most.", kMostRuns));
  }
  runs.insert(runs.end(), paths.begin(), paths.end());
  page.answers.sources_changed();
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
  return std::exchange(asked_to_close_, std::nullopt).has_value();
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
