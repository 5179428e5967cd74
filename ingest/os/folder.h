// Folders of this user: making them, and keeping others out of them for a while.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>

#include "ingest/os/unique_fd.h"

namespace cinderscope {

// The folder and those above it, as far as they are missing, for their owner alone, as the XDG base
// directory specification asks for. Folders that exist stay as they are.
void make_private_folders(const std::filesystem::path& folder);

// While it lives no other process that asks for the lock works on the folder's files, where the
// file system can lock. Makes the folder.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  UniqueFd folder_;
};

// A folder that was reached from another one without following links, nor are links in it followed:
// of a place where others can make some. Folders on the way are made where they are missing.
class FolderBelow {
 public:
  FolderBelow(const std::filesystem::path& top, const std::filesystem::path& inner,
              std::error_code& error);

  // Sets space of the disk aside for what will be added to a file, which is made where there is
  // none, as far as the file system can: an Error only if there is not so much.
  void reserve(const std::string& file, std::uint64_t bytes, std::error_code& error) const;
  // Adds to the end of a file, all of it or nothing; makes the file where there is none. What was
  // set aside for it and not used is given back.
  void append(const std::string& file, std::span<const std::byte> bytes,
              std::error_code& error) const;
  void remove(const std::string& file) const;
  // False if there is something of that name.
  bool make(const std::string& folder, std::error_code& error) const;

 private:
  UniqueFd to_append(const std::string& file, std::error_code& error) const;

  UniqueFd folder_;
};

// A folder for files of a moment, in the one for temporary files; goes with all that is in it. The
// path is empty where none could be made.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace cinderscope
