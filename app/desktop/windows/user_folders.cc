#include "app/desktop/user_folders.h"

#include <windows.h>
// After windows.h, which it needs.
#include <knownfolders.h>
#include <shlobj.h>

#include <cstdlib>
#include <filesystem>

#include "ingest/base/path_text.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

// Empty: it is not known.
fs::path known_folder(const KNOWNFOLDERID& id) {
  wchar_t* name = nullptr;
  const bool known = SHGetKnownFolderPath(id, KF_FLAG_DONT_VERIFY, nullptr, &name) == S_OK;
  fs::path folder = known ? fs::path() / name : fs::path();
  CoTaskMemFree(name);
  return folder;
}

// The variables are those of other systems, for scripts and tests; else a known folder.
std::string folder_of(const wchar_t* variable, const KNOWNFOLDERID& id, bool scripted) {
  const wchar_t* named = _wgetenv(variable);
  const fs::path chosen = named == nullptr ? fs::path() : fs::path() / named;
  if (chosen.is_absolute()) return utf8_of(chosen / "cinderscope");
  const fs::path folder = scripted ? fs::path() : known_folder(id);
  return folder.empty() ? std::string() : utf8_of(folder / "Cinderscope");
}

}  // namespace

// Settings follow their user to other machines, views of traces stay.
UserFolders user_folders(bool scripted) {
  return {.config = folder_of(L"XDG_CONFIG_HOME", FOLDERID_RoamingAppData, scripted),
          .state = folder_of(L"XDG_STATE_HOME", FOLDERID_LocalAppData, scripted)};
}

std::string prepared_folder(bool scripted) {
  const std::string cache = folder_of(L"XDG_CACHE_HOME", FOLDERID_LocalAppData, scripted);
  return cache.empty() ? cache : cache + "/prepared";
}

std::string home_folder() {
  return utf8_of(known_folder(FOLDERID_Profile));
}

std::string recordings_folder() {
  const wchar_t* data = _wgetenv(L"XDG_DATA_HOME");
  const fs::path chosen = data == nullptr ? fs::path() : fs::path() / data;
  if (chosen.is_absolute()) return utf8_of(chosen / "cinderscope" / "collected");
  return utf8_of(known_folder(FOLDERID_LocalAppData) / "Cinderscope" / "collected");
}

}  // namespace cinderscope
