// Opens, reads and writes files and streams, without a type of the system in sight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>

#include "ingest/os/unique_fd.h"

namespace cinderscope {

enum class FileKind : std::uint8_t { regular, folder, stream, terminal, device };

struct FileStatus {
  FileKind kind = FileKind::regular;
  std::uint64_t size_bytes = 0;
  std::int64_t modified_ns = 0;  // since 1970
  // When anything about it was changed last: its content, name, rights, or the time above.
  std::int64_t touched_ns = 0;
  std::uint64_t device = 0, inode = 0;  // the same as long as it is the same file

  bool operator==(const FileStatus&) const = default;
};

// What went wrong in the last call of the system on this thread.
std::error_code last_error();

// As in std::filesystem, `error` is what went wrong, or cleared. All take up again what a signal
// interrupted.

// A file, a folder or a pipe; opening a pipe does not wait for its writer. None if it failed.
UniqueFd open_to_read(const std::filesystem::path& path, std::error_code& error);
UniqueFd open_standard_input(std::error_code& error);

// Another descriptor of the same open file: for readers at a place of their own (`read_at`).
UniqueFd second_descriptor(const UniqueFd& file, std::error_code& error);

std::optional<FileStatus> file_status(const UniqueFd& file, std::error_code& error);
std::optional<FileStatus> file_status(const std::filesystem::path& path);  // follows links

// Another process holds its lock (flock), as a recorder does while it writes.
bool locked_by_other(const UniqueFd& file);

// Whether reading begins at the first byte of a file that can be read at any place.
bool stands_at_begin(const UniqueFd& file);

// Reading goes on at `offset`; an error where that is not possible, as in a pipe.
void go_to(const UniqueFd& file, std::uint64_t offset, std::error_code& error);

// How many bytes were read: fewer than asked for only at the end or on an error.
std::size_t read_all(const UniqueFd& file, std::span<std::byte> bytes, std::error_code& error);
std::size_t read_at(const UniqueFd& file, std::uint64_t offset, std::span<std::byte> bytes,
                    std::error_code& error);

// Whether the system refuses to read a file that was opened if it is not any more what it was, as
// browsers do. Else bytes that changed are read as they are now.
bool refuses_changed(const UniqueFd& file);

// How many bytes were written: all of them unless there is an error.
std::size_t write_all(const UniqueFd& file, std::span<const std::byte> bytes,
                      std::error_code& error);
std::size_t write_at(const UniqueFd& file, std::uint64_t offset, std::span<const std::byte> bytes,
                     std::error_code& error);

// Adds to the end of a file that was opened for that, all of it or nothing.
void append_to_file(const UniqueFd& file, std::span<const std::byte> bytes, std::error_code& error);

}  // namespace cinderscope
