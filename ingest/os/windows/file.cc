#include "ingest/os/file.h"

#include <fcntl.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>

#include "ingest/os/windows/handles.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;

std::uint64_t joined(DWORD high, DWORD low) {
  return std::uint64_t{high} << 32 | low;
}

// From 100 ns since 1601.
std::int64_t ns_from(const LARGE_INTEGER& time) {
  constexpr std::int64_t kFrom1601To1970 = 116'444'736'000'000'000;
  return (time.QuadPart - kFrom1601To1970) * 100;
}

FileKind kind_of(HANDLE file) {
  DWORD mode = 0;
  switch (GetFileType(file)) {
    case FILE_TYPE_DISK:
      return FileKind::regular;
    case FILE_TYPE_CHAR:
      return GetConsoleMode(file, &mode) != 0 ? FileKind::terminal : FileKind::device;
    default:
      return FileKind::stream;
  }
}

OVERLAPPED place_of(std::uint64_t offset) {
  OVERLAPPED place{};
  place.Offset = static_cast<DWORD>(offset);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return place;
}

// Reading and writing at a place moves the file's position, unlike pread and pwrite.
class KeptPosition {
 public:
  explicit KeptPosition(HANDLE file) : file_(file) {
    SetFilePointerEx(file_, {}, &position_, FILE_CURRENT);
  }
  ~KeptPosition() { SetFilePointerEx(file_, position_, nullptr, FILE_BEGIN); }
  KeptPosition(const KeptPosition&) = delete;
  KeptPosition& operator=(const KeptPosition&) = delete;

 private:
  HANDLE file_;
  LARGE_INTEGER position_{};
};

// Repeats `step(done, most, moved)` until all bytes are moved, none are left, or it fails.
template <class Step>
std::size_t move_all(std::size_t bytes, std::error_code& error, Step step) {
  error.clear();
  std::size_t done = 0;
  while (done < bytes) {
    DWORD moved = 0;
    const auto most = static_cast<DWORD>(std::min(bytes - done, kMostAtOnce));
    if (!step(done, most, moved)) {
      const DWORD code = GetLastError();
      if (code != ERROR_HANDLE_EOF && code != ERROR_BROKEN_PIPE) error = windows_error(code);
      break;
    }
    if (moved == 0) break;
    done += moved;
  }
  return done;
}

void expect_all(std::size_t done, std::size_t bytes, std::error_code& error) {
  if (done < bytes && !error) error = std::make_error_code(std::errc::no_space_on_device);
}

}  // namespace

std::error_code last_error() {
  return last_windows_error();
}

UniqueFd open_to_read(const std::filesystem::path& path, std::error_code& error) {
  // With backup semantics folders can be opened as well.
  UniqueFd file = descriptor_of(CreateFileW(path.c_str(), GENERIC_READ, kSharedWithAll, nullptr,
                                            OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr),
                                _O_RDONLY | _O_BINARY | _O_NOINHERIT);
  error = file ? std::error_code() : last_windows_error();
  return file;
}

UniqueFd open_standard_input(std::error_code& error) {
  HANDLE copy = nullptr;
  const HANDLE self = GetCurrentProcess(), input = GetStdHandle(STD_INPUT_HANDLE);
  const bool copied =
      DuplicateHandle(self, input, self, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS) != 0;
  UniqueFd file = descriptor_of(copied ? copy : nullptr, _O_RDONLY | _O_BINARY | _O_NOINHERIT);
  error = file ? std::error_code() : last_windows_error();
  return file;
}

UniqueFd second_descriptor(const UniqueFd& file, std::error_code& error) {
  error.clear();
  UniqueFd second(_dup(file.get()));
  if (!second) error = last_error();
  return second;
}

std::optional<FileStatus> file_status(const UniqueFd& file, std::error_code& error) {
  const HANDLE handle = handle_of(file);
  error.clear();
  FileStatus status{.kind = kind_of(handle)};
  if (status.kind != FileKind::regular) return status;
  BY_HANDLE_FILE_INFORMATION facts{};
  FILE_BASIC_INFO times{};
  if (GetFileInformationByHandle(handle, &facts) == 0 ||
      GetFileInformationByHandleEx(handle, FileBasicInfo, &times, sizeof times) == 0) {
    error = last_windows_error();
    return std::nullopt;
  }
  if ((facts.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) status.kind = FileKind::folder;
  status.size_bytes = joined(facts.nFileSizeHigh, facts.nFileSizeLow);
  status.modified_ns = ns_from(times.LastWriteTime);
  status.touched_ns = ns_from(times.ChangeTime);
  status.device = facts.dwVolumeSerialNumber;
  status.inode = joined(facts.nFileIndexHigh, facts.nFileIndexLow);
  return status;
}

std::optional<FileStatus> file_status(const std::filesystem::path& path) {
  // Without access to the content: only what is known about it.
  const UniqueFd file =
      descriptor_of(CreateFileW(path.c_str(), FILE_READ_ATTRIBUTES, kSharedWithAll, nullptr,
                                OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr),
                    _O_RDONLY | _O_BINARY | _O_NOINHERIT);
  std::error_code ignored;
  return file ? file_status(file, ignored) : std::nullopt;
}

// The recorder, which holds such a lock, does not run on Windows.
bool locked_by_other(const UniqueFd&) {
  return false;
}

bool stands_at_begin(const UniqueFd& file) {
  LARGE_INTEGER position{};
  const HANDLE handle = handle_of(file);
  return GetFileType(handle) == FILE_TYPE_DISK &&
         SetFilePointerEx(handle, {}, &position, FILE_CURRENT) != 0 && position.QuadPart == 0;
}

void go_to(const UniqueFd& file, std::uint64_t offset, std::error_code& error) {
  error.clear();
  LARGE_INTEGER to{};
  to.QuadPart = static_cast<LONGLONG>(offset);
  if (SetFilePointerEx(handle_of(file), to, nullptr, FILE_BEGIN) == 0) error = last_windows_error();
}

std::size_t read_all(const UniqueFd& file, std::span<std::byte> bytes, std::error_code& error) {
  const HANDLE handle = handle_of(file);
  return move_all(bytes.size(), error, [&](std::size_t done, DWORD most, DWORD& moved) {
    return ReadFile(handle, bytes.data() + done, most, &moved, nullptr) != 0;
  });
}

std::size_t read_at(const UniqueFd& file, std::uint64_t offset, std::span<std::byte> bytes,
                    std::error_code& error) {
  const HANDLE handle = handle_of(file);
  const KeptPosition position(handle);
  return move_all(bytes.size(), error, [&](std::size_t done, DWORD most, DWORD& moved) {
    OVERLAPPED place = place_of(offset + done);
    return ReadFile(handle, bytes.data() + done, most, &moved, &place) != 0;
  });
}

bool refuses_changed(const UniqueFd&) {
  return false;
}

std::size_t write_all(const UniqueFd& file, std::span<const std::byte> bytes,
                      std::error_code& error) {
  const HANDLE handle = handle_of(file);
  const std::size_t written =
      move_all(bytes.size(), error, [&](std::size_t done, DWORD most, DWORD& moved) {
        return WriteFile(handle, bytes.data() + done, most, &moved, nullptr) != 0;
      });
  expect_all(written, bytes.size(), error);
  return written;
}

std::size_t write_at(const UniqueFd& file, std::uint64_t offset, std::span<const std::byte> bytes,
                     std::error_code& error) {
  const HANDLE handle = handle_of(file);
  const KeptPosition position(handle);
  const std::size_t written =
      move_all(bytes.size(), error, [&](std::size_t done, DWORD most, DWORD& moved) {
        OVERLAPPED place = place_of(offset + done);
        return WriteFile(handle, bytes.data() + done, most, &moved, &place) != 0;
      });
  expect_all(written, bytes.size(), error);
  return written;
}

void append_to_file(const UniqueFd& file, std::span<const std::byte> bytes,
                    std::error_code& error) {
  const HANDLE handle = handle_of(file);
  LARGE_INTEGER before{};
  const bool known = SetFilePointerEx(handle, {}, &before, FILE_END) != 0;
  write_all(file, bytes, error);
  if (!error || !known) return;
  if (SetFilePointerEx(handle, before, nullptr, FILE_BEGIN) == 0 || SetEndOfFile(handle) == 0) {
    error = std::make_error_code(std::errc::io_error);
  }
}

}  // namespace cinderscope
