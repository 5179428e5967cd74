// The runs of a comparison: which there are, which are added, which of them the lanes show.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/compare/side_file.h"
#include "app/session/find_traces.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/tabs.h"
#include "app/window/sessions/session_part.h"
#include "app/window/sessions/session_traces.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"

namespace cinderscope {

namespace {

constexpr std::size_t kMostRuns = 1000;

}  // namespace

// An Error: that of the first one, where none can be read. Else the first one is shown, so it has
// calls if any has.
CompareController::Found CompareController::usable(std::vector<CompareRun> runs) {
  const auto is_read = [](const CompareRun& run) { return run.problem.empty(); };
  const auto is_shown = [](const CompareRun& run) {
    return run.problem.empty() && run.saved == nullptr;
  };
  if (runs.empty()) return refused("This side has no runs.");
  auto first = std::ranges::find_if(runs, is_shown);
  if (first == runs.end()) first = std::ranges::find_if(runs, is_read);
  if (first == runs.end()) return refused(runs.front().path + ": " + runs.front().problem);
  std::rotate(runs.begin(), first, first + 1);
  return runs;
}

// Any thread. What cannot be read as a trace is told once it is read.
CompareController::Found CompareController::runs_of(const std::vector<std::string>& paths) {
  std::vector<CompareRun> runs;
  for (const std::string& path : paths) {
    if (is_saved_side(path)) {
      Result<SideRuns> side = read_side_file(path);
      if (!side) runs.push_back({.path = path, .saved = {}, .problem = side.error().text});
      for (std::size_t i = 0; side && i < side->runs.size(); ++i) {
        runs.push_back({.path = path, .saved = std::move(side->runs[i]), .problem = {}});
      }
      continue;
    }
    const Result<std::vector<std::string>> found = traces_of(path);
    if (!found) runs.push_back({.path = path, .saved = {}, .problem = found.error().text});
    for (std::size_t i = 0; found && i < found->size(); ++i) {
      runs.push_back({.path = (*found)[i], .saved = {}, .problem = {}});
    }
  }
  if (runs.size() > kMostRuns) {
    return refused(fmt::format("A side has {} runs at most.", kMostRuns));
  }
  return usable(std::move(runs));
}

// Which files of a folder are traces is told by reading their heads: not on this thread.
std::future<CompareController::LookedUp> CompareController::look_for(SideText side) {
  return in_background([side = std::move(side)] {
    LookedUp looked_up{.side = side, .runs = runs_of(side.paths)};
    Window::wake();
    return looked_up;
  });
}

Status CompareController::show_run(Side side, std::size_t run) {
  const std::vector<CompareRun>& runs = shown()->answers.sources()[side].runs;
  if (run >= runs.size()) return refused("There is no such run.");
  if (run == 0) return refused("The lane shows this run.");
  if (runs[run].saved != nullptr) return refused("Only the numbers of this run are known.");
  if (!runs[run].problem.empty()) return refused(runs[run].problem);
  make_first(app_.tabs().shown_index, side, run);
  return ok();
}

// Lanes, and what was measured of the run that they show, belong to one trace: so it is a new page,
// to which all that was chosen moves.
void CompareController::make_first(std::size_t place, Side side, std::size_t run) {
  TabList& tabs = app_.tabs();
  Tab& replaced = *tabs.all[place];
  const Tab* seen = tabs.page();
  ComparePage& old = *replaced.comparison;
  OfSides<CompareSource> sources = old.answers.sources();
  const auto first = sources[side].runs.begin();
  std::rotate(first, first + static_cast<std::ptrdiff_t>(run),
              first + static_cast<std::ptrdiff_t>(run) + 1);
  std::unique_ptr<Tab> tab = tab_of(std::move(sources));  // shows what it opens
  ComparePage& page = *tab->comparison;
  page.choice = old.choice;
  page.answers.set_rules(old.answers.rules());
  page.answers.set_ignored(old.answers.ignored());
  static_cast<void>(page.answers.set_options(old.answers.options()));  // nothing is compared yet
  tab->of_session = std::move(replaced.of_session);
  tab->session_origin = replaced.session_origin;
  if (seen == &replaced) seen = tab.get();
  tabs.all.insert(tabs.all.begin() + static_cast<std::ptrdiff_t>(place) + 1, std::move(tab));
  app_.controllers().tabs->close(place);
  const auto at = std::ranges::find(tabs.all, seen, &std::unique_ptr<Tab>::get);
  app_.controllers().tabs->show(static_cast<std::size_t>(at - tabs.all.begin()));
}

// Where the first run of several cannot be read: another one that can stand in for it.
std::optional<std::size_t> CompareController::stand_in(const ComparePage& page, Side side) {
  if (page.session(side).phase() != SessionPhase::failed) return std::nullopt;
  const std::vector<CompareRun>& runs = page.answers.sources()[side].runs;
  if (runs.front().saved != nullptr) return std::nullopt;
  std::optional<std::size_t> found;
  for (std::size_t run = runs.size(); run-- > 1;) {
    if (!runs[run].problem.empty() || runs[run].left_out) continue;
    if (runs[run].saved == nullptr || !found) found = run;
  }
  return found;
}

void CompareController::replace_unreadable() {
  for (std::size_t i = 0; i < app_.tabs().all.size(); ++i) {
    ComparePage* page = app_.tabs().all[i]->comparison.get();
    if (page == nullptr || page->held()) continue;
    for (const Side side : {side_a, side_b}) {
      const auto run = stand_in(*page, side);
      if (!run) continue;
      page->answers.sources()[side].runs.front().problem = page->session(side).error().text;
      make_first(i, side, *run);
      break;  // the other side's turn comes with the next frame
    }
  }
}

// Any thread. All of them are there, and can be measured as the others are.
CompareController::Found CompareController::runs_to_add(const std::vector<std::string>& paths,
                                                        bool is_part) {
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!std::filesystem::exists(path_of(path), ignored)) {
      return refused(fmt::format("There is no file {}.", path));
    }
    if (is_part && is_saved_side(path)) {
      return refused("A saved side has no calls of which a part could be taken.");
    }
  }
  return runs_of(paths);
}

Status CompareController::add_runs(Side side, const std::vector<std::string>& paths) {
  const ComparePage& page = *shown();
  const CompareSource& source = page.answers.sources()[side];
  if (!source.part_text.empty()) {
    return refused("Of this side a part was measured: start again with all of its runs.");
  }
  const bool is_part = source.part.from || source.part.to || !source.part.threads.empty();
  adding_.push_back({.page = &page, .side = side, .looking = in_background([paths, is_part] {
                                                    Found runs = runs_to_add(paths, is_part);
                                                    Window::wake();
                                                    return runs;
                                                  })});
  app_.draw_again();
  return ok();
}

void CompareController::take_added() {
  for (std::size_t i = 0; i < adding_.size();) {
    if (!is_ready(adding_[i].looking)) {
      ++i;
      continue;
    }
    Adding added = std::move(adding_[i]);
    adding_.erase(adding_.begin() + static_cast<std::ptrdiff_t>(i));
    const Found found = added.looking.get();
    const auto tab = std::ranges::find_if(
        app_.tabs().all, [&](const auto& each) { return each->comparison.get() == added.page; });
    if (tab == app_.tabs().all.end()) continue;
    if (!found) {
      failed_ = found.error().text;
      app_.say_of(**tab, failed_);
      continue;
    }
    CompareAnswers& answers = (*tab)->comparison->answers;
    CompareSource& source = answers.sources()[added.side];
    if (source.runs.size() + found->size() > kMostRuns) {
      app_.say_of(**tab, fmt::format("A side has {} runs at most.", kMostRuns));
      continue;
    }
    source.runs.insert(source.runs.end(), found->begin(), found->end());
    answers.sources_changed();
    app_.draw_again();
  }
}

}  // namespace cinderscope
