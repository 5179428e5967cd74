#include "app/session/open_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <new>
#include <thread>
#include <utility>

#include "app/session/load_estimate.h"
#include "app/session/memory_watch.h"
#include "formats/all_formats.h"
#include "ingest/base/self_trace.h"
#include "ingest/os/memory.h"

namespace cinderscope {

Result<Input> input_named(const std::string& path) {
  return path == "-" ? Input::from_stdin() : Input::from_path(path);
}

bool await_head(const Input& input, const LoadContext& control) {
  constexpr std::size_t kHeadBytes = 4096;
  while (!input.complete() && input.wait_for(0) < kHeadBytes) {
    if (control.cancelled()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return !control.cancelled();
}

Result<RecognisedTrace> recognise(Input input) {
  Result<const Format*> format = detect(all_formats(), input);
  if (!format) return format.error();
  Result<std::unique_ptr<TraceSource>> source = (*format)->open(std::move(input));
  if (!source) return source.error();
  return RecognisedTrace{*format, std::move(*source)};
}

namespace {

// Files of the folder that some format claims.
std::vector<std::string> traces_in(const Input& folder) {
  std::vector<std::string> found;
  for (const std::string& file : folder.files()) {
    const std::string inside = (folder.path() / file).string();
    const Result<Input> input = Input::from_path(inside);
    if (input && !input->is_folder() && detect(all_formats(), *input)) found.push_back(inside);
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
      left_out = fmt::format("There are more than {} traces in it; the others were left out.",
                             limits.traces);
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
      found.push_back(next.path.string());
    } else {
      const std::vector<std::string> inside = traces_in(*folder);
      found.insert(found.end(), inside.begin(), inside.end());
      if (inside.empty()) descend(next.path, next.level);
    }
  }
  return found;
}

}  // namespace

Result<std::vector<std::string>> traces_of(const std::string& path, std::string* left_out,
                                           const FolderLimits& limits) {
  std::error_code ignored;
  if (path == "-" || !std::filesystem::is_directory(path, ignored)) {
    return std::vector<std::string>{path};
  }
  Result<Input> folder = input_named(path);
  if (!folder) return folder.error();
  if (detect(all_formats(), *folder)) return std::vector<std::string>{path};
  std::vector<std::string> found = traces_in(*folder);
  std::string note;
  if (found.empty()) found = traces_below(path, limits, note);
  if (found.empty()) {
    const std::size_t count = folder->files().size();
    return Error{
        ErrorCode::not_recognised,
        count == 0 ? "The folder is empty."
                   : fmt::format("None of the {} files in the folder is a trace.", count),
        note.empty() ? "Expected a folder with traces, or the folder of one trace." : note};
  }
  if (left_out != nullptr && !note.empty()) *left_out = fmt::format("{}: {}", path, note);
  return found;
}

bool are_folders(const std::vector<std::string>& paths) {
  std::error_code ignored;
  return std::ranges::all_of(
      paths, [&](const std::string& path) { return std::filesystem::is_directory(path, ignored); });
}

Result<RecognisedTrace> recognise_path(const std::string& path) {
  Result<Input> input = input_named(path);
  if (!input) return input.error();
  return recognise(std::move(*input));
}

Result<OpenedTrace> load_recognised(const std::string& path, RecognisedTrace recognised,
                                    LoadOptions options) {
  const SelfTraceMark mark("load");
  const auto started = std::chrono::steady_clock::now();
  try {
    OpenedTrace opened{
        .path = path, .format = recognised.format, .source = std::move(recognised.source)};
    LoadContext control(options);
    opened.jobs = control.jobs();
    MemoryWatch memory;
    Result<Timeline> timeline = opened.source->read(control);
    if (!timeline) return timeline.error();
    opened.timeline = std::move(*timeline);
    opened.peak_bytes = memory.stop();
    opened.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return opened;
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::no_memory, "There is not enough memory to load this trace.",
                 "Close other programs, or open a shorter recording."};
  }
}

Result<OpenedTrace> open_trace(const std::string& path, LoadOptions options) {
  const auto started = std::chrono::steady_clock::now();
  Result<RecognisedTrace> recognised = recognise_path(path);
  if (!recognised) return recognised.error();
  if (auto error = too_large(*recognised->format, recognised->source->input(), options,
                             free_memory_bytes())) {
    return *error;
  }
  Result<OpenedTrace> opened = load_recognised(path, std::move(*recognised), options);
  if (opened) {
    opened->seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  }
  return opened;
}

std::string message_of(const std::string& path, const Error& error) {
  std::string message = fmt::format("{}: {}", path == "-" ? "standard input" : path, error.text);
  if (error.offset_bytes != kNoOffset) message += fmt::format(" (byte {})", error.offset_bytes);
  if (!error.expected.empty()) message += " " + error.expected;
  return message;
}

}  // namespace cinderscope
