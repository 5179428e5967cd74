// A file that appears under its name only once it is whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/os/new_file.h"
#include "ingest/os/unique_fd.h"

namespace cinderscope {

// What follows the name of a file while it is written; then six letters that tell writers apart.
// One that a kill left behind is of no use.
inline constexpr std::string_view kPartEnding = ".part-";

// Written beside its place under another name, then renamed. Without commit() nothing is left, and
// an older file is as it was. Where the path is a symbolic link, the file that it names is
// replaced.
class AtomicFile {
 public:
  static Result<AtomicFile> create(const std::filesystem::path& path,
                                   FileAccess access = FileAccess::as_usual);
  AtomicFile(AtomicFile&&) noexcept = default;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  void append(std::span<const std::byte> bytes);  // trouble is kept for commit()
  void append(std::string_view text) { append(std::as_bytes(std::span(text))); }
  // In place of as many that were appended.
  void patch(std::uint64_t offset, std::span<const std::byte> bytes);
  bool ok() const { return !error_; }
  // Returns when the disk has it; an older file of that name is replaced. Without `waits` a crash
  // of the system may still lose it: for many small files that can be made again.
  Status commit(bool waits = true);
  const std::filesystem::path& path() const { return path_; }
  // The file beside its place, for somebody who writes it by its name and removes it, or has it
  // take_place().
  std::filesystem::path keep_aside();

 private:
  AtomicFile(UniqueFd file, std::filesystem::path path, std::filesystem::path target,
             std::filesystem::path temporary)
      : file_(std::move(file)),
        path_(std::move(path)),
        target_(std::move(target)),
        temporary_(std::move(temporary)) {}
  void flush();

  UniqueFd file_;
  std::filesystem::path path_, target_;
  std::filesystem::path temporary_;  // empty once it is renamed
  std::vector<std::byte> pending_;
  std::error_code error_;
};

// What was kept aside appears as `path`, once the disk has it.
Status take_place(const std::filesystem::path& aside, const std::filesystem::path& path);

Status replace_file(const std::filesystem::path& path, std::string_view text,
                    FileAccess access = FileAccess::as_usual);

}  // namespace cinderscope
