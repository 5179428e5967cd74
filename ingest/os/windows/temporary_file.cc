#include "ingest/os/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <windows.h>

#include <algorithm>
#include <array>
#include <utility>

#include "ingest/os/file.h"
#include "ingest/os/new_file.h"
#include "ingest/os/windows/handles.h"

namespace cinderscope {
namespace {

// Views of neighbouring pieces of the file lie side by side, so that bytes never move. Each piece
// has a reservation of its own, in whose place its view comes: small ones first, since the file is
// lengthened by whole pieces. (One reservation could be split only by placeholders, which Wine and
// Windows before 1803 do not know.)
constexpr std::uint64_t kSmallBytes = std::uint64_t{1} << 20, kLargeBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kOfSmallOnes = kLargeBytes;  // that begin of the file has small pieces
constexpr std::uint64_t kMostReserved = std::uint64_t{64} << 30, kLeastReserved = kLargeBytes * 2;
constexpr int kMostReservings = 16;

std::uint64_t piece_at(std::uint64_t offset) {
  return offset < kOfSmallOnes ? kSmallBytes : kLargeBytes;
}

void give_back(std::byte* data, std::uint64_t from, std::uint64_t to) {
  for (; from < to; from += piece_at(from)) VirtualFree(data + from, 0, MEM_RELEASE);
}

// False where somebody else takes a place in between.
bool reserve_pieces(std::byte* data, std::uint64_t bytes) {
  for (std::uint64_t at = 0; at < bytes; at += piece_at(at)) {
    if (VirtualAlloc(data + at, piece_at(at), MEM_RESERVE, PAGE_NOACCESS) == nullptr) {
      give_back(data, 0, at);
      return false;
    }
  }
  return true;
}

std::byte* reserve(std::uint64_t bytes) {
  for (int i = 0; i < kMostReservings; ++i) {
    void* free = VirtualAlloc(nullptr, bytes, MEM_RESERVE, PAGE_NOACCESS);
    if (free == nullptr) return nullptr;
    VirtualFree(free, 0, MEM_RELEASE);
    if (reserve_pieces(static_cast<std::byte*>(free), bytes)) return static_cast<std::byte*>(free);
  }
  return nullptr;
}

// Where the last mapped piece of a file of that length ends.
std::uint64_t end_of_pieces(std::uint64_t size_bytes) {
  std::uint64_t end = 0;
  while (end < size_bytes) end += piece_at(end);
  return end;
}

UniqueFd file_that_goes(std::error_code& error) {
  std::filesystem::path name = std::filesystem::temp_directory_path(error) / "cinderscope-";
  if (error) return {};
  UniqueFd made = create_unique(name, FileAccess::owner_only, error);
  if (error) return {};
  made = UniqueFd();
  UniqueFd file = descriptor_of(
      CreateFileW(name.c_str(), GENERIC_READ | GENERIC_WRITE | DELETE, kSharedWithAll, nullptr,
                  OPEN_EXISTING, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr),
      _O_RDWR | _O_BINARY | _O_NOINHERIT);
  error = file ? std::error_code() : last_windows_error();
  return file;
}

}  // namespace

Result<std::unique_ptr<TemporaryFile>> TemporaryFile::create(std::uint64_t most_bytes) {
  std::error_code error;
  UniqueFd file = file_that_goes(error);
  if (!file) {
    return Error{
        ErrorCode::cannot_read,
        fmt::format("No temporary file can be made for the unpacked trace: {}.", error.message()),
        "Set TMP to a folder with free space."};
  }
  most_bytes = std::max(end_of_pieces(std::min(most_bytes, kMostReserved)), kLeastReserved);
  for (std::uint64_t bytes = most_bytes; bytes >= kLeastReserved; bytes = bytes / 2) {
    bytes = bytes / kLargeBytes * kLargeBytes;
    if (std::byte* data = reserve(bytes)) {
      return std::unique_ptr<TemporaryFile>(new TemporaryFile(std::move(file), data, bytes));
    }
  }
  return Error{
      ErrorCode::no_memory, "The address space left is too small to hold the unpacked trace.", {}};
}

std::filesystem::path TemporaryFile::folder() {
  std::error_code error;
  return std::filesystem::temp_directory_path(error);
}

bool TemporaryFile::is_on_heap() {
  return false;
}

TemporaryFile::~TemporaryFile() {
  const std::uint64_t mapped = end_of_pieces(size_bytes_);
  for (std::uint64_t at = 0; at < mapped; at += piece_at(at)) UnmapViewOfFile(data_ + at);
  give_back(data_, mapped, reserved_bytes_);
}

std::error_code TemporaryFile::lengthen(std::uint64_t size_bytes) {
  if (size_bytes <= size_bytes_) return {};
  const std::uint64_t mapped = end_of_pieces(size_bytes_), wanted = end_of_pieces(size_bytes);
  if (wanted > reserved_bytes_) return std::make_error_code(std::errc::not_enough_memory);
  LARGE_INTEGER end{};
  end.QuadPart = static_cast<LONGLONG>(wanted);
  const HANDLE file = handle_of(file_);
  if (SetFilePointerEx(file, end, nullptr, FILE_BEGIN) == 0 || SetEndOfFile(file) == 0) {
    return last_windows_error();
  }
  HANDLE section = CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr);
  if (section == nullptr) return last_windows_error();
  std::error_code error;
  for (std::uint64_t at = mapped; at < wanted && !error; at += piece_at(at)) {
    VirtualFree(data_ + at, 0, MEM_RELEASE);
    const void* view =
        MapViewOfFileEx(section, FILE_MAP_READ, static_cast<DWORD>(at >> 32),
                        static_cast<DWORD>(at), static_cast<std::size_t>(piece_at(at)), data_ + at);
    if (view == nullptr) {
      error = last_windows_error();
      // What follows stays reserved; what came before is mapped and counts.
      VirtualAlloc(data_ + at, piece_at(at), MEM_RESERVE, PAGE_NOACCESS);
      size_bytes_ = std::max(size_bytes_, at);
    }
  }
  CloseHandle(section);
  if (!error) size_bytes_ = size_bytes;
  return error;
}

// The file is not sparse: what was written stays until it is closed.
bool TemporaryFile::drop(std::uint64_t, std::uint64_t) {
  return false;
}

std::uint64_t TemporaryFile::free_bytes() const {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  ULARGE_INTEGER free{};
  if (error || GetDiskFreeSpaceExW(folder.c_str(), &free, nullptr, nullptr) == 0) return UINT64_MAX;
  return free.QuadPart;
}

std::size_t TemporaryFile::write(std::uint64_t offset, std::span<const std::byte> bytes,
                                 std::error_code& error) {
  return write_at(file_, offset, bytes, error);
}

}  // namespace cinderscope
