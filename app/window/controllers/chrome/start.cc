#include "app/window/controllers/chrome/start.h"

#include <algorithm>

#include "app/desktop/sample_file.h"
#include "app/store/settings.h"
#include "app/window/app_context.h"
#include "app/window/controllers/chrome/keys.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/store.h"
#include "app/window/controllers/tabs.h"
#include "app/window/tab.h"
#include "app/window/window.h"

namespace cinderscope {

StartController::StartController(AppContext& app)
    : app_(app), sample_path_(find_sample_file()), file_check_([] { Window::wake(); }) {}

void StartController::poll() {
  for (const auto& [path, facts] : file_check_.take()) {
    file_facts_[path] = facts;
    if (app_.tabs().shown() == nullptr) app_.draw_again();
  }
}

void StartController::draw(const Rect& area, Actions& actions) {
  const std::vector<RecentRow> recent = recent_rows();
  draw_start({.theme = app_.theme(),
              .area = area,
              .sample_path = sample_path_,
              .keys = app_.controllers().keys->help(),
              .recent = recent,
              .chosen = chosen_},
             actions);
}

// With what is known of the files by now; asks for the rest once for each list that is shown.
std::vector<RecentRow> StartController::recent_rows() {
  std::vector<RecentRow> rows;
  std::vector<std::string> paths;
  for (const RecentFile& file : app_.settings().recent) {
    RecentRow row{file.path, file.size_bytes, file.opened_s};
    if (const auto facts = file_facts_.find(file.path); facts != file_facts_.end()) {
      row.missing = !facts->second.there;
      row.is_folder = facts->second.is_folder;
      if (facts->second.there) row.size_bytes = facts->second.size_bytes;
    }
    paths.push_back(file.path);
    rows.push_back(std::move(row));
  }
  if (paths != checked_paths_) {
    checked_paths_ = paths;
    file_check_.ask(std::move(paths));
  }
  return rows;
}

bool StartController::take_key(const KeyChord& chord) {
  const std::size_t count = app_.settings().recent.size();
  if (chord.ctrl || chord.alt || chord.shift || count == 0) return false;
  const auto path_of = [this](std::size_t file) { return app_.settings().recent[file].path; };
  if (chord.key >= Key::d1 && chord.key <= Key::d9) {
    const auto file = static_cast<std::size_t>(chord.key) - static_cast<std::size_t>(Key::d1);
    if (file < count) app_.controllers().tabs->open(path_of(file));
    return true;
  }
  const bool chosen = chosen_ && *chosen_ < count;
  switch (chord.key) {
    case Key::down:
      chosen_ = chosen ? std::min(*chosen_ + 1, count - 1) : 0;
      break;
    case Key::up:
      chosen_ = chosen && *chosen_ > 0 ? *chosen_ - 1 : 0;
      break;
    case Key::enter:
      if (!chosen) return false;
      app_.controllers().tabs->open(path_of(*chosen_));
      chosen_.reset();
      break;
    case Key::del:
      if (!chosen) return false;
      app_.controllers().store->forget_recent(path_of(*chosen_));
      break;
    case Key::escape:
      chosen_.reset();
      break;
    default:
      return false;
  }
  app_.draw_again();
  return true;
}

}  // namespace cinderscope
