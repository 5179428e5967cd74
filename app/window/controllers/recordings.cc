#include "app/window/controllers/recordings.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/arguments.h"
#include "app/desktop/user_folders.h"
#include "app/session/open_source.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/tabs.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/path_text.h"

namespace cinderscope {

Status RecordingsController::start(const std::string& address, const std::string& folder) {
  CollectOptions options;
  if (!address.empty()) options.listen = address;
  options.rules.folder = path_of(folder.empty() ? recordings_folder() : folder);
  const std::string shown = utf8_of(options.rules.folder);
  auto collecting = CollectorController::start(std::move(options), [] { Window::wake(); });
  if (!collecting) return collecting.error();
  collecting_ = std::move(*collecting);
  app_.say(
      fmt::format("waiting for agents on {}; recordings go to {}", collecting_->address(), shown));
  return ok();
}

void RecordingsController::end() {
  collecting_.reset();
  app_.say("collecting ended");
}

std::optional<double> RecordingsController::seconds_to_reload() const {
  return collecting_ == nullptr ? std::nullopt : collecting_->seconds_to_reload();
}

void RecordingsController::poll() {
  if (collecting_ == nullptr) return;
  for (const auto& [folder, first] : collecting_->due()) {
    const auto& tabs = app_.tabs().all;
    const auto tab = std::ranges::find_if(tabs, [path = folder](const auto& each) {
      return !is_lane(*each) && each->session->path() == path;
    });
    if (tab == tabs.end()) {
      // The user has closed its tab: the recording goes on without one.
      if (!first) continue;
      TabsController& opens = *app_.controllers().tabs;
      Tab& opened = opens.add(
          folder, [path = folder](LoadContext& control) { return open_source(path, control); },
          opens.asked_now());
      opened.notices.grew = std::chrono::steady_clock::now();
    } else if ((*tab)->session->loading()) {
      collecting_->again(folder);
    } else {
      collecting_->took(folder, (*tab)->session->load_seconds());
      (*tab)->notices.grew = std::chrono::steady_clock::now();
      (*tab)->session->read_on();
    }
    app_.draw_again();
  }
}

namespace {

// Starts, or ends what was started.
Status collect(AppContext& app, const CommandArguments& arguments) {
  RecordingsController& recordings = *app.controllers().recordings;
  const bool ends = recordings.collecting();
  if (ends) recordings.end();
  if (ends && arguments.empty()) return ok();
  return recordings.start(arguments.text(0), arguments.text(1));
}

constexpr Command kRecordingsCommands[] = {
    {"collect", "[ADDRESS [FOLDER]]", "", "Start or stop collecting from live Qubership agents",
     CommandGroup::file, CommandNeeds::nothing, collect},
};

}  // namespace

std::span<const Command> recording_commands() {
  return kRecordingsCommands;
}

}  // namespace cinderscope
