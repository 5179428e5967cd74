#include "ingest/os/new_file.h"

#include <fcntl.h>
#include <windows.h>

#include <array>
#include <random>

#include "ingest/os/windows/handles.h"

namespace cinderscope {
namespace {

constexpr DWORD kShare = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
constexpr int kMostTries = 100;

std::wstring six_letters() {
  constexpr std::wstring_view kLetters = L"abcdefghijklmnopqrstuvwxyz0123456789";
  thread_local std::minstd_rand numbers{std::random_device()()};
  static_assert(std::is_trivially_destructible_v<decltype(numbers)>);
  std::wstring letters;
  for (int i = 0; i < 6; ++i) letters += kLetters[numbers() / 64 % kLetters.size()];
  return letters;
}

}  // namespace

// A user's folders are the user's alone: files in them inherit that.
UniqueFd create_unique(std::filesystem::path& name, FileAccess, std::error_code& error) {
  for (int i = 0; i < kMostTries; ++i) {
    std::filesystem::path tried = name;
    tried += six_letters();
    UniqueFd file = descriptor_of(CreateFileW(tried.c_str(), GENERIC_READ | GENERIC_WRITE, kShare,
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
  UniqueFd file = descriptor_of(CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE, kShare,
                                            nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr),
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
}

}  // namespace cinderscope
