#include "app/store/state_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <span>

#include "ingest/base/path_text.h"
#include "ingest/os/atomic_file.h"
#include "ingest/os/file.h"
#include "ingest/os/folder.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

Error cannot_read(const std::string& path, std::error_code error) {
  return {.code = ErrorCode::cannot_read,
          .text = fmt::format("\"{}\" cannot be read: {}.", path, error.message())};
}

// Files that a window did not finish before it was killed; young ones may still be written where
// the file system has no locks.
void clear_left_over(const fs::path& folder) {
  constexpr std::chrono::minutes kAge{1};
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end;
       each.increment(error)) {
    if (utf8_of(each->path().filename()).find(kPartEnding) == std::string::npos) continue;
    std::error_code ignored;
    const auto written = each->last_write_time(ignored);
    if (!ignored && fs::file_time_type::clock::now() - written > kAge) {
      fs::remove(each->path(), ignored);
    }
  }
}

}  // namespace

std::string absolute_path(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path_of(path), error);
  if (error) return path;
  // What ".." means behind a symbolic link only the file system knows.
  const bool steps_back = std::ranges::find(whole, path_of("..")) != whole.end();
  return steps_back ? utf8_of(whole) : utf8_of(whole.lexically_normal());
}

Result<std::string> read_small_file(const std::string& path, std::size_t most_bytes) {
  std::error_code error;
  const UniqueFd file = open_to_read(path_of(path), error);
  if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) {
    return std::string();
  }
  if (error) return cannot_read(path, error);
  const auto status = file_status(file, error);
  if (!status) return cannot_read(path, error);
  if (status->kind != FileKind::regular) {
    return Error{.code = ErrorCode::cannot_read, .text = path + " is not a file."};
  }
  if (status->size_bytes > most_bytes) {
    return Error{.code = ErrorCode::damaged, .text = path + " is too large."};
  }
  std::string text(static_cast<std::size_t>(status->size_bytes), '\0');
  text.resize(read_all(file, std::as_writable_bytes(std::span(text)), error));
  if (error) return cannot_read(path, error);
  return text;
}

Status write_small_file(const std::string& path, std::string_view text) {
  make_private_folders(path_of(path).parent_path());
  clear_left_over(path_of(path).parent_path());
  return replace_file(path_of(path), text, FileAccess::owner_only);
}

}  // namespace cinderscope
