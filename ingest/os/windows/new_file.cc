#include "ingest/os/new_file.h"

#include <fcntl.h>
#include <windows.h>

#include <array>
#include <cstring>
#include <random>
#include <vector>

#include "ingest/os/windows/handles.h"

namespace cinderscope {
namespace {

constexpr int kMostTries = 100;
// FileRenameInfoEx, which the headers name only for who asks for newer ones than Windows 10 itself.
constexpr auto kRenameInfoEx = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);

std::wstring six_letters() {
  constexpr std::wstring_view kLetters = L"abcdefghijklmnopqrstuvwxyz0123456789";
  thread_local std::minstd_rand numbers{std::random_device()()};
  static_assert(std::is_trivially_destructible_v<decltype(numbers)>);
  std::wstring letters;
  for (int i = 0; i < 6; ++i) letters += kLetters[numbers() / 64 % kLetters.size()];
  return letters;
}

// As elsewhere: whoever has the file open that is replaced goes on reading it. Windows 10 on NTFS.
bool take_its_name(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code error;
  const std::wstring name = std::filesystem::absolute(to, error).native();
  if (error || name.size() > 32'767) return false;
  const HANDLE file = CreateFileW(from.c_str(), DELETE | SYNCHRONIZE, kSharedWithAll, nullptr,
                                  OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return false;
  const std::size_t name_bytes = name.size() * sizeof(wchar_t);
  std::vector<std::byte> room(sizeof(FILE_RENAME_INFO) + name_bytes);  // its zeros end the name
  auto* const wish = reinterpret_cast<FILE_RENAME_INFO*>(room.data());
  wish->Flags = FILE_RENAME_FLAG_REPLACE_IF_EXISTS | FILE_RENAME_FLAG_POSIX_SEMANTICS;
  wish->FileNameLength = static_cast<DWORD>(name_bytes);
  std::memcpy(&wish->FileName[0], name.data(), name_bytes);
  const bool renamed = SetFileInformationByHandle(file, kRenameInfoEx, room.data(),
                                                  static_cast<DWORD>(room.size())) != 0;
  CloseHandle(file);
  return renamed;
}

// Where that is not to be had: the one that is open gives its name up first, and goes when its
// readers have gone.
bool put_in_its_place(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::filesystem::path aside = to;
  aside += L".part-" + six_letters();
  if (MoveFileExW(to.c_str(), aside.c_str(), 0) == 0) return false;
  const bool moved = MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_WRITE_THROUGH) != 0;
  if (moved) {
    DeleteFileW(aside.c_str());
  } else {
    MoveFileExW(aside.c_str(), to.c_str(), 0);
  }
  return moved;
}

}  // namespace

// A user's folders are the user's alone: files in them inherit that.
UniqueFd create_unique(std::filesystem::path& name, FileAccess, std::error_code& error) {
  for (int i = 0; i < kMostTries; ++i) {
    std::filesystem::path tried = name;
    tried += six_letters();
    UniqueFd file =
        descriptor_of(CreateFileW(tried.c_str(), GENERIC_READ | GENERIC_WRITE, kSharedWithAll,
                                  nullptr, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr),
                      _O_RDWR | _O_BINARY | _O_NOINHERIT);
    error = file ? std::error_code() : last_windows_error();
    if (file) name = std::move(tried);
    if (error != std::errc::file_exists) return file;
  }
  return {};
}

// Flushing wants the right to write.
UniqueFd open_to_sync(const std::filesystem::path& path, std::error_code& error) {
  UniqueFd file =
      descriptor_of(CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE, kSharedWithAll, nullptr,
                                OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr),
                    _O_RDWR | _O_BINARY | _O_NOINHERIT);
  error = file ? std::error_code() : last_windows_error();
  return file;
}

void sync_file(const UniqueFd& file, std::error_code& error) {
  error = FlushFileBuffers(handle_of(file)) != 0 ? std::error_code() : last_windows_error();
}

void sync_folder(const std::filesystem::path&) {}  // renaming is written through

// std::rename() does not replace.
void replace_by_renaming(const std::filesystem::path& from, const std::filesystem::path& to,
                         std::error_code& error) {
  const bool renamed = MoveFileExW(from.c_str(), to.c_str(),
                                   MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0;
  error = renamed ? std::error_code() : last_windows_error();
  // It refuses to replace what is open, even where deleting it is shared.
  if (error == std::errc::permission_denied &&
      (take_its_name(from, to) || put_in_its_place(from, to))) {
    error.clear();
  }
}

}  // namespace cinderscope
