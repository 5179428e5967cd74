#include "app/desktop/user_folders.h"

#include <fmt/format.h>

#include <cstdlib>

namespace cinderscope {
namespace {

std::string folder_of(const char* variable, const char* below_home, bool scripted) {
  const char* named = std::getenv(variable);
  if (named != nullptr && named[0] == '/') return std::string(named) + "/cinderscope";
  const char* home = std::getenv("HOME");
  if (scripted || home == nullptr || home[0] != '/') return {};
  return fmt::format("{}/{}/cinderscope", home, below_home);
}

}  // namespace

UserFolders user_folders(bool scripted) {
  return {.config = folder_of("XDG_CONFIG_HOME", ".config", scripted),
          .state = folder_of("XDG_STATE_HOME", ".local/state", scripted)};
}

std::string prepared_folder(bool scripted) {
  const std::string cache = folder_of("XDG_CACHE_HOME", ".cache", scripted);
  return cache.empty() ? cache : cache + "/prepared";
}

std::string home_folder() {
  const char* home = std::getenv("HOME");
  return home == nullptr ? std::string() : home;
}

std::string recordings_folder() {
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && data[0] == '/') return std::string(data) + "/cinderscope/collected";
  const char* home = std::getenv("HOME");
  return std::string(home == nullptr ? "." : home) + "/.local/share/cinderscope/collected";
}

}  // namespace cinderscope
