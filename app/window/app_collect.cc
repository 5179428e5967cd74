// The live collector in the window: recordings open as they come, and are read again as they grow.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/session/open_source.h"
#include "app/window/app.h"

namespace cinderscope {
namespace {

// Recordings are the user's, so they go where programs keep what belongs to people.
std::filesystem::path default_folder() {
  if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/') {
    return std::filesystem::path(data) / "cinderscope/collected";
  }
  const char* home = std::getenv("HOME");
  return std::filesystem::path(home == nullptr ? "." : home) / ".local/share/cinderscope/collected";
}

}  // namespace

// "[ADDRESS [FOLDER]]": starts, or ends what was started.
std::string App::collect(std::string_view argument) {
  if (collecting_ != nullptr) {
    collecting_.reset();
    say("collecting ended");
    if (argument.empty()) return {};
  }
  const CommandCall both = split_call(argument);
  CollectOptions options;
  if (!both.name.empty()) options.listen = both.name;
  options.rules.folder = both.argument.empty() ? default_folder() : both.argument;
  const std::string folder = options.rules.folder.string();
  auto collecting = CollectorController::start(std::move(options), [] { Window::wake(); });
  if (!collecting) return collecting.error().text;
  collecting_ = std::move(*collecting);
  say(fmt::format("waiting for agents on {}; recordings go to {}", collecting_->address(), folder));
  return {};
}

void App::poll_collector() {
  if (collecting_ == nullptr) return;
  for (const auto& [folder, first] : collecting_->due()) {
    const auto tab = std::find_if(tabs_.begin(), tabs_.end(), [&, path = folder](const auto& each) {
      return each->session->path() == path;
    });
    if (tab == tabs_.end()) {
      // Once somebody has closed its tab, a recording goes on unseen.
      if (!first) continue;
      add_tab(
          folder, [path = folder](LoadContext& control) { return open_source(path, control); },
          asked_now());
    } else if ((*tab)->session->loading()) {
      collecting_->again(folder);
    } else {
      collecting_->took(folder, (*tab)->session->load_seconds());
      (*tab)->session->reload();
    }
    draw_again();
  }
}

}  // namespace cinderscope
