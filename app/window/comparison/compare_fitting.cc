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
    const bool is_trace = found && found->saved.front() == nullptr;
    if (is_trace && !is_open(found->paths.front())) paths.push_back(found->paths.front());
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

// The numbers of each run instead of its calls.
CompareController::Found CompareController::measured(FoundRuns runs, const ComparedPart& part) {
  const std::atomic<bool> cancelled{false};
  for (std::size_t i = 0; i < runs.paths.size(); ++i) {
    if (runs.saved[i] != nullptr) continue;
    auto run = measured_file(runs.paths[i], part, {}, cancelled);
    if (!run) return refused(message_of(runs.paths[i], run.error()));
    runs.saved[i] = std::move(*run);
  }
  Window::wake();
  return runs;
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
  for (const Side side : {side_a, side_b}) {
    pending.looking[side] =
        in_background([runs = **pending.found[side], part = pending.sides[side].part] {
          return measured(runs, part);
        });
    pending.found[side].reset();
  }
  pending_.push_back(std::move(pending));
  app_.draw_again();
  return ok();
}

}  // namespace cinderscope
