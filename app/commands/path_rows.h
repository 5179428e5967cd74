// Paths as arguments of commands: what fits what was typed of one, from the folder it leads to.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"
#include "app/questions/folder_list.h"
#include "app/store/file_check.h"
#include "app/store/settings.h"
#include "render/text/palette_row.h"

namespace cinderscope {

// "~/traces/ab": the folder that is listed, and the begin of a name in it.
struct TypedPath {
  std::string folder;       // "/home/me/traces/"; "./" where none was typed
  std::string_view before;  // "~/traces/", as it was typed
  std::string_view begin;   // "ab"
};
TypedPath typed_path(std::string_view typed, std::string_view home);
// With the home folder in the place of "~".
std::string without_tilde(std::string_view typed, std::string_view home);
// "/a/" for "/a/b/", the folder above the one that was typed.
std::string folder_above(std::string_view typed, std::string_view home);
// It begins as no command does: "/", "~/", "./" or "../".
bool looks_like_path(std::string_view typed);

// Whether a command takes a path, and whether it is one to write to.
bool takes_path(const Command& command);
bool writes_path(const Command& command);

struct PathSource {
  const Command& command;
  std::string_view home;
  std::string_view before = {};      // of the path, in the field: "open "
  const FolderList* list = nullptr;  // of the typed path's folder; null: it is not known yet
  std::function<const FileFacts*(const std::string& path)> facts = {};  // null: not known yet
  std::span<const RecentFile> recent = {};                              // newest first
  std::span<const std::string> folders = {};  // where traces are likely to lie
  std::string sample = {};                    // empty: there is none
  bool has_dialog = false;                    // of the desktop
  std::int64_t now_s = 0;                     // since 1970, for dates
};

// With nothing typed: recent files, the sample, folders to go to, the desktop's dialog; else what
// was typed, where it may be meant as it stands, and what the folder has of that begin. A file that
// would be replaced has to be chosen to be.
std::vector<PaletteRow> path_rows(const PathSource& source, std::string_view typed);

inline constexpr std::size_t kMostPathRows = 500;

}  // namespace cinderscope
