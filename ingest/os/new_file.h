// The steps by which a file of ours comes into being; `atomic_file.h` puts them together.
#pragma once

#include <cstdint>
#include <filesystem>
#include <system_error>

#include "ingest/os/unique_fd.h"

namespace cinderscope {

enum class FileAccess : std::uint8_t { as_usual, owner_only };

// As in std::filesystem, `error` is what went wrong, or cleared.

// Makes a file that was not there before, to write and to read. Its name is `name` and six letters,
// which are appended to it.
UniqueFd create_unique(std::filesystem::path& name, FileAccess access, std::error_code& error);

// An existing file, for sync_file() only.
UniqueFd open_to_sync(const std::filesystem::path& path, std::error_code& error);

// Returns once the disk has what was written.
void sync_file(const UniqueFd& file, std::error_code& error);
// A new name in a folder is safe once the folder is. The empty path is the current folder.
void sync_folder(const std::filesystem::path& folder);

// Another file of the new name is replaced in one step: who opens it finds the old or the new one.
void replace_by_renaming(const std::filesystem::path& from, const std::filesystem::path& to,
                         std::error_code& error);

}  // namespace cinderscope
