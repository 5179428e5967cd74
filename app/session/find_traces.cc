#include "app/session/find_traces.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/session_file/locate.h"
#include "app/session_file/session_path.h"
#include "app/store/state_files.h"
#include "formats/all_formats.h"
#include "ingest/base/path_text.h"

namespace cinderscope {
namespace {

std::string too_many(const FolderLimits& limits) {
  return fmt::format("There are more than {} traces in it; the others were left out.",
                     limits.traces);
}

// Files of the folder that some format claims; `more` if there are more than that.
std::vector<std::string> traces_in(const Input& folder, std::size_t most, bool& more) {
  std::vector<std::string> found;
  for (const std::string& file : folder.files()) {
    const std::string inside = utf8_of(folder.path() / path_of(file));
    const Result<Input> input = Input::from_path(path_of(inside));
    if (!input || input->is_folder() || !detect(all_formats(), *input)) continue;
    more = found.size() == most;
    if (more) break;
    found.push_back(inside);
  }
  return found;
}

// The folders in a folder, sorted; without links, which might lead in a circle.
std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> folders;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  while (!error && entry != std::filesystem::directory_iterator()) {
    std::error_code unknown;
    const bool is_link = entry->is_symlink(unknown);
    if (!is_link && entry->is_directory(unknown)) folders.push_back(entry->path());
    entry.increment(error);
  }
  std::ranges::sort(folders);
  return folders;
}

// The traces in the folders below. A folder that is a trace, or holds some, is not searched deeper.
std::vector<std::string> traces_below(const std::filesystem::path& top, const FolderLimits& limits,
                                      std::string& left_out) {
  struct Folder {
    std::filesystem::path path;
    std::size_t level;
  };
  std::vector<Folder> to_do;
  const auto descend = [&](const std::filesystem::path& folder, std::size_t level) {
    std::vector<std::filesystem::path> folders = folders_in(folder);
    if (level >= limits.levels && !folders.empty()) {
      left_out =
          fmt::format("Folders more than {} levels down were not looked into.", limits.levels);
      return;
    }
    for (auto inner = folders.rbegin(); inner != folders.rend(); ++inner) {
      to_do.push_back({std::move(*inner), level + 1});
    }
  };
  std::vector<std::string> found;
  descend(top, 0);
  for (std::size_t seen = 0; !to_do.empty(); ++seen) {
    if (found.size() >= limits.traces) {
      left_out = too_many(limits);
      break;
    }
    if (seen == limits.folders) {
      left_out = fmt::format("It holds more than {} folders; the others were not looked into.",
                             limits.folders);
      break;
    }

    const Folder next = std::move(to_do.back());
    to_do.pop_back();
    const Result<Input> folder = Input::from_path(next.path);
    if (!folder || !folder->is_folder()) continue;
    if (detect(all_formats(), *folder)) {
      found.push_back(utf8_of(next.path));
    } else {
      bool more = false;
      const std::vector<std::string> inside =
          traces_in(*folder, limits.traces - found.size(), more);
      if (more) left_out = too_many(limits);
      found.insert(found.end(), inside.begin(), inside.end());
      if (inside.empty()) descend(next.path, next.level);
    }
  }
  return found;
}

Result<std::vector<std::string>> traces_of_session(const std::string& path, std::string* left_out) {
  const std::string absolute = absolute_path(path);
  const Result<ReadSession> read = read_session(absolute);
  if (!read) return read.error();
  const std::vector<LocatedTrace> located =
      locate_traces({.session_path = read->text_path, .traces = read->file.traces});
  std::vector<std::string> found;
  std::string missing;
  for (std::size_t i = 0; i < located.size(); ++i) {
    const bool there = !located[i].path.empty() && located[i].location != Location::another;
    if (there) found.push_back(located[i].path);
    if (!there) missing += (missing.empty() ? "" : ", ") + read->file.traces[i].path;
  }
  if (found.empty()) {
    return Error{ErrorCode::cannot_read,
                 missing.empty()
                     ? "The session has no traces."
                     : fmt::format("None of the session's traces is there: {}.", missing),
                 {}};
  }
  if (!missing.empty() && left_out != nullptr) {
    *left_out = fmt::format("{}: not found: {}", path, missing);
  }
  return found;
}

}  // namespace

Result<std::vector<std::string>> traces_of(const std::string& path, std::string* left_out,
                                           const FolderLimits& limits) {
  if (is_session_file(path)) return traces_of_session(path, left_out);
  std::error_code ignored;
  if (path == "-" || !std::filesystem::is_directory(path_of(path), ignored)) {
    return std::vector<std::string>{path};
  }
  const Result<Input> folder = Input::from_path(path_of(path));
  if (!folder) return folder.error();
  if (detect(all_formats(), *folder)) return std::vector<std::string>{path};
  bool more = false;
  std::vector<std::string> found = traces_in(*folder, limits.traces, more);
  std::string note = more ? too_many(limits) : std::string();
  if (found.empty()) found = traces_below(path_of(path), limits, note);
  if (found.empty()) {
    const std::size_t count = folder->files().size();
    std::string text = "The folder is empty.";
    if (count == 1) text = "The folder has 1 file, and it is not a trace.";
    if (count > 1) text = fmt::format("The folder has {} files, and none is a trace.", count);
    return Error{
        ErrorCode::not_recognised,
        count == 0 ? "The folder is empty." : fmt::format("The folder {}.", no_trace_among(count)),
        note.empty() ? "Expected a folder with traces, or the folder of one trace." : note};
  }
  if (left_out != nullptr && !note.empty()) *left_out = fmt::format("{}: {}", path, note);
  return found;
}

bool are_folders(const std::vector<std::string>& paths) {
  std::error_code ignored;
  return std::ranges::all_of(paths, [&](const std::string& path) {
    return std::filesystem::is_directory(path_of(path), ignored);
  });
}

}  // namespace cinderscope
