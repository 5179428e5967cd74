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

}  // namespace cinderscope
