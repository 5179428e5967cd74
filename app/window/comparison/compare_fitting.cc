// Whether both traces of a comparison fit into memory, before they are loaded.
#include <algorithm>
#include <utility>

#include "app/session/open_source.h"
#include "app/session/open_trace.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/controllers/tabs.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/os/memory.h"

namespace cinderscope {

bool CompareController::is_open(const std::string& path) const {
  const std::string whole = absolute_path(path);
  return std::ranges::any_of(app_.tabs().all, [&](const auto& tab) {
    return !is_lane(*tab) && absolute_path(tab->session->path()) == whole;
  });
}

// Each trace by itself is looked at when it is opened.
void CompareController::ask_whether_they_fit(Pending& pending) {
  std::vector<std::string> paths;
  for (const Side side : {side_a, side_b}) {
    const Found& found = *pending.found[side];
    if (!found) continue;
    const CompareRun& first = found->front();
    if (first.saved == nullptr && !is_open(first.path)) paths.push_back(first.path);
  }
  if (paths.size() < 2 || absolute_path(paths[0]) == absolute_path(paths[1])) paths.clear();
  pending.fitting = in_background([paths, free_bytes = free_bytes_]() -> std::optional<Error> {
    std::optional<Error> error;
    if (!paths.empty()) {
      error = too_large_together(paths, free_bytes.value_or(free_memory_bytes()));
    }
    Window::wake();
    return error;
  });
}

// The numbers of each run instead of its calls: one after the other, since no two may fit.
CompareController::Measured CompareController::measured(
    const OfSides<std::vector<CompareRun>>& sides, const OfSides<ComparedPart>& parts,
    const BackgroundQuestion<Measured>& asked) {
  OfSides<std::vector<CompareRun>> runs = sides;
  const auto is_to_be_read = [](const CompareRun& run) {
    return run.saved == nullptr && run.problem.empty();
  };
  Measured now;
  for (const auto& side : runs) {
    now.runs += static_cast<std::size_t>(std::ranges::count_if(side, is_to_be_read));
  }
  for (const Side side : {side_a, side_b}) {
    for (CompareRun& run : runs[side]) {
      if (!is_to_be_read(run)) continue;
      ++now.run;
      now.path = run.path;
      asked.publish(now);
      auto read = measured_file(run.path, parts[side], {}, asked.cancelled);
      if (asked.cancelled) return now;
      if (read) {
        run.saved = std::move(*read);
      } else {
        run.problem = read.error().text;
      }
    }
  }
  now.sides = OfSides<Found>{usable(std::move(runs[side_a])), usable(std::move(runs[side_b]))};
  return now;
}

void CompareController::measure_next() {
  measured_ = {};
  if (to_measure_.empty()) return;
  const Pending& next = to_measure_.front();
  measure_.start(
      [sides = OfSides<std::vector<CompareRun>>{**next.found[side_a], **next.found[side_b]},
       parts = OfSides<ComparedPart>{next.sides[side_a].part, next.sides[side_b].part}](
          const BackgroundQuestion<Measured>& asked) { return measured(sides, parts, asked); });
}

void CompareController::take_measured() {
  if (to_measure_.empty()) return;
  const bool no_memory = measure_.take_out_of_memory();
  std::optional<Measured> measured = measure_.take();
  if (!measured && !no_memory) return;
  app_.draw_again();
  if (measured) measured_ = std::move(*measured);
  if (!no_memory && !measured_.sides) return;
  Pending pending = std::move(to_measure_.front());
  to_measure_.erase(to_measure_.begin());
  if (no_memory) {
    if (pending.opened) pending.opened(nullptr);
    app_.say("There is not enough memory to compare these traces.");
  } else {
    for (const Side side : {side_a, side_b}) pending.found[side] = (*measured_.sides)[side];
    open(pending);
  }
  measure_next();
}

bool CompareController::stop_measuring() {
  if (to_measure_.empty()) return false;
  measure_.cancel();
  const Pending stopped = std::move(to_measure_.front());
  to_measure_.erase(to_measure_.begin());
  if (stopped.opened) stopped.opened(nullptr);
  app_.say("comparing was cancelled");
  measure_next();
  return true;
}

Status CompareController::answer_too_large(TooLargeAnswer answer) {
  if (!too_large_) return refused("Nothing is asked about memory.");
  Pending pending = std::move(std::exchange(too_large_, std::nullopt)->pending);
  if (answer == TooLargeAnswer::cancel) {
    if (pending.opened) pending.opened(nullptr);
    return ok();
  }
  pending.fitting = {};
  if (answer == TooLargeAnswer::anyway) {
    open(pending);
    return ok();
  }
  pending.numbers_only = true;
  to_measure_.push_back(std::move(pending));
  if (to_measure_.size() == 1) measure_next();
  app_.draw_again();
  return ok();
}

}  // namespace cinderscope
