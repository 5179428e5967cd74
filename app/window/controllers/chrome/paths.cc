#include "app/window/controllers/chrome/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "app/commands/arguments.h"
#include "app/commands/path_rows.h"
#include "app/desktop/display_keys.h"
#include "app/desktop/user_folders.h"
#include "app/store/settings.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/controllers/chrome/palette.h"
#include "app/window/controllers/chrome/start.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/merge.h"
#include "app/window/controllers/tabs.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "render/base/actions.h"
#include "render/text/file_name.h"

namespace cinderscope {

PathsController::PathsController(AppContext& app)
    : app_(app), list_([] { Window::wake(); }), file_check_([] { Window::wake(); }) {}

std::vector<PaletteRow> PathsController::rows(const Command& command, std::string_view typed,
                                              std::string_view before) {
  const std::string home = home_folder();
  const std::string folder = typed_path(typed, home).folder;
  if (!typed.empty() && list_.is_due(folder)) {
    list_.ask(folder, [folder](const BackgroundQuestion<FolderList>& asked) {
      return list_folder_aside(folder, asked.cancelled).value_or(FolderList{});
    });
  }
  const bool is_known = list_.answer() != nullptr && list_.answered() == folder;
  const std::vector<std::string> folders = likely_folders();
  unknown_.clear();
  std::vector<PaletteRow> rows =
      path_rows({.command = command,
                 .home = home,
                 .before = before,
                 .list = is_known ? list_.answer() : nullptr,
                 .facts = [this](const std::string& path) { return facts_of(path); },
                 .recent = app_.settings().recent,
                 .folders = folders,
                 .sample = app_.controllers().start->sample_path(),
                 .has_dialog = has_dialog(),
                 .now_s = std::time(nullptr)},
                typed);
  // The last is asked first.
  std::ranges::reverse(unknown_);
  if (!unknown_.empty()) file_check_.ask(std::exchange(unknown_, {}));
  return rows;
}

const FileFacts* PathsController::facts_of(const std::string& path) {
  const auto known = facts_.find(path);
  if (known != facts_.end()) return &known->second;
  unknown_.push_back(path);
  return nullptr;
}

// Those of the shown trace and of the user.
std::vector<std::string> PathsController::likely_folders() const {
  std::vector<std::string> folders;
  const Tab* tab = app_.tabs().shown();
  if (tab != nullptr && tab->session->path() != "-" && tab->merged_files.empty()) {
    std::string folder(folder_above_name(absolute_path(tab->session->path())));
    folders.push_back(folder.ends_with('/') ? folder : folder + '/');
  }
  folders.emplace_back("~/");
  folders.emplace_back("./");
  return folders;
}

std::string PathsController::folder_above(std::string_view typed) const {
  return cinderscope::folder_above(typed, home_folder());
}

std::string PathsController::offered(const Command& command) const {
  if (!writes_path(command) || command.choices == nullptr) return {};
  const std::vector<std::string> paths = command.choices(app_);
  return paths.empty() ? std::string() : paths.front();
}

void PathsController::forget() {
  list_.forget();
  facts_.clear();
}

Status PathsController::browse(const Command& command) {
  if (dialog_.open()) return ok();
  if (dialog_.ask({.title = std::string(command.help),
                   .path = offered(command),
                   .window = window_for_dialogs()})) {
    dialog_command_ = &command;
  } else {
    app_.controllers().palette->ask(&command);
  }
  return ok();
}

void PathsController::poll() {
  bool changed = list_.poll();
  for (auto& [path, facts] : file_check_.take()) {
    facts_[path] = facts;
    changed = true;
  }
  if (changed) app_.controllers().palette->list_again();
  take_chosen_files();
}

// A file that is there the dialog has asked about itself.
void PathsController::take_chosen_files() {
  const std::optional<FileAnswer> answer = dialog_.take();
  if (!answer || dialog_command_ == nullptr) return;
  const Command& command = *dialog_command_;
  if (!answer->asked) return app_.controllers().palette->ask(&command);
  const std::vector<std::string>& paths = answer->paths;
  if (paths.empty()) return;
  if (command.name == "open") return app_.controllers().tabs->open_all(paths);
  if (command.name == "merge") return app_.controllers().merge->add_dropped(paths);
  app_.ask_command(command.name,
                   quoted_argument(paths.front()) + (writes_path(command) ? " force" : ""));
}

namespace {

Status browse(AppContext& app, const CommandArguments& arguments) {
  const std::string name = arguments.empty() ? "open" : arguments.text();
  const Command* command = app.commands().named(name);
  if (command == nullptr || !takes_path(*command)) {
    return refused(fmt::format("\"{}\" is no command that takes a path.", name));
  }
  if (!enabled(*command, app.command_state())) {
    return refused(fmt::format("\"{}\" can do nothing now.", name));
  }
  return app.controllers().paths->browse(*command);
}

constexpr Command kPathsCommands[] = {
    {"browse", "[COMMAND]", "", "Open in the desktop's file dialog", CommandGroup::file,
     CommandNeeds::nothing, browse},
};

}  // namespace

std::span<const Command> path_commands() {
  return kPathsCommands;
}

}  // namespace cinderscope
