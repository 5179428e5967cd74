#include "ingest/os/folder.h"

#include <fcntl.h>
#include <windows.h>

#include <string>

#include "ingest/base/path_text.h"
#include "ingest/os/file.h"
#include "ingest/os/new_file.h"
#include "ingest/os/windows/handles.h"

namespace cinderscope {
namespace {

// Where what is open lies now.
std::filesystem::path place_of(const UniqueFd& folder) {
  std::wstring name(32'768, L'\0');
  const DWORD length =
      GetFinalPathNameByHandleW(handle_of(folder), name.data(), static_cast<DWORD>(name.size()), 0);
  name.resize(length < name.size() ? length : 0);
  return name;
}

// Not what a link or a junction leads to.
UniqueFd open_folder(const std::filesystem::path& path, DWORD further, std::error_code& error) {
  UniqueFd folder =
      descriptor_of(CreateFileW(path.c_str(), GENERIC_READ, kSharedWithAll, nullptr, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS | further, nullptr),
                    _O_RDONLY | _O_BINARY | _O_NOINHERIT);
  BY_HANDLE_FILE_INFORMATION facts{};
  if (!folder || GetFileInformationByHandle(handle_of(folder), &facts) == 0) {
    error = last_windows_error();
    return {};
  }
  const bool followed = (facts.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
  if (followed || (facts.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0) {
    error = std::make_error_code(std::errc::not_a_directory);
    return {};
  }
  error.clear();
  return folder;
}

}  // namespace

void make_private_folders(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
}

// The lock is one of a file of its own: a folder has no bytes to lock.
FolderLock::FolderLock(const std::filesystem::path& folder) {
  make_private_folders(folder);
  folder_ = descriptor_of(
      CreateFileW((folder / "lock").c_str(), GENERIC_READ | GENERIC_WRITE, kSharedWithAll, nullptr,
                  OPEN_ALWAYS, FILE_ATTRIBUTE_HIDDEN, nullptr),
      _O_RDWR | _O_BINARY | _O_NOINHERIT);
  OVERLAPPED place{};
  if (folder_) LockFileEx(handle_of(folder_), LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &place);
}

FolderBelow::FolderBelow(const std::filesystem::path& top, const std::filesystem::path& inner,
                         std::error_code& error) {
  folder_ = open_folder(top, 0, error);
  for (const std::filesystem::path& name : inner) {
    if (!folder_) break;
    const std::filesystem::path next = place_of(folder_) / name;
    CreateDirectoryW(next.c_str(), nullptr);
    folder_ = open_folder(next, FILE_FLAG_OPEN_REPARSE_POINT, error);
  }
}

UniqueFd FolderBelow::to_append(const std::string& file, std::error_code& error) const {
  UniqueFd to = descriptor_of(
      CreateFileW((place_of(folder_) / path_of(file)).c_str(), GENERIC_READ | GENERIC_WRITE,
                  kSharedWithAll, nullptr, OPEN_ALWAYS, FILE_FLAG_OPEN_REPARSE_POINT, nullptr),
      _O_RDWR | _O_BINARY | _O_NOINHERIT);
  error = to ? std::error_code() : last_windows_error();
  return to;
}

void FolderBelow::reserve(const std::string& file, std::uint64_t bytes,
                          std::error_code& error) const {
  const UniqueFd to = to_append(file, error);
  if (!to) return;
  LARGE_INTEGER end{};
  if (SetFilePointerEx(handle_of(to), {}, &end, FILE_END) == 0) return;
  FILE_ALLOCATION_INFO space{};
  space.AllocationSize.QuadPart = end.QuadPart + static_cast<LONGLONG>(bytes);
  if (SetFileInformationByHandle(handle_of(to), FileAllocationInfo, &space, sizeof space) == 0 &&
      GetLastError() == ERROR_DISK_FULL) {
    error = last_windows_error();
  }
}

void FolderBelow::append(const std::string& file, std::span<const std::byte> bytes,
                         std::error_code& error) const {
  const UniqueFd to = to_append(file, error);
  if (to) append_to_file(to, bytes, error);
}

void FolderBelow::remove(const std::string& file) const {
  DeleteFileW((place_of(folder_) / path_of(file)).c_str());
}

bool FolderBelow::make(const std::string& folder, std::error_code& error) const {
  error.clear();
  if (CreateDirectoryW((place_of(folder_) / path_of(folder)).c_str(), nullptr) != 0) return true;
  if (GetLastError() != ERROR_ALREADY_EXISTS) error = last_windows_error();
  return false;
}

ScratchFolder::ScratchFolder() {
  std::error_code error;
  std::filesystem::path name = std::filesystem::temp_directory_path(error) / "cinderscope-";
  if (error) return;
  // A file of a name that is free, in whose place the folder comes.
  UniqueFd file = create_unique(name, FileAccess::owner_only, error);
  if (error) return;
  file = UniqueFd();
  DeleteFileW(name.c_str());
  if (CreateDirectoryW(name.c_str(), nullptr) != 0) path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace cinderscope
