#include "app/desktop/single_instance.h"

#include <fmt/format.h>
#include <pthread.h>
#include <windows.h>
// After windows.h, which it needs.
#include <sddl.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <random>
#include <string_view>
#include <thread>
#include <utility>

#include "app/desktop/windows/wide_text.h"
#include "ingest/base/parallel.h"
#include "ingest/base/text_hash.h"

namespace cinderscope {
namespace {

// A message is the greeting, then each path, place or option with a zero byte behind it. It goes
// through a pipe of messages, so it comes whole or not at all.
constexpr std::string_view kGreeting = "cinderscope 1\n", kTaken = "taken\n";
constexpr std::string_view kAsksSession = "cinderscope session 1\n";
constexpr std::string_view kPlace = "cinderscope:", kOption = "--";
constexpr DWORD kMostBytes = 1 << 20, kPatienceMs = 2000;
constexpr std::size_t kMostPaths = 1000, kLongestPath = 32'768, kMostWindows = 64;
constexpr const wchar_t* kPipes = L"\\\\.\\pipe\\";

bool is_absolute(std::string_view path) {
  const bool drive = path.size() > 2 && path[1] == ':' && (path[2] == '/' || path[2] == '\\');
  return drive || path.starts_with("//") || path.starts_with("\\\\");
}

// All or nothing: a message with one odd item is no message of ours.
std::optional<std::vector<std::string>> paths_in(std::string_view message) {
  if (!message.starts_with(kGreeting)) return std::nullopt;
  message.remove_prefix(kGreeting.size());
  std::vector<std::string> paths;
  while (!message.empty()) {
    const std::size_t end = message.find('\0');
    const bool known =
        is_absolute(message) || message.starts_with(kPlace) || message.starts_with(kOption);
    if (end == std::string_view::npos || end > kLongestPath || !known ||
        paths.size() >= kMostPaths) {
      return std::nullopt;
    }
    paths.emplace_back(message.substr(0, end));
    message.remove_prefix(end + 1);
  }
  return paths;
}

std::string prefix_of(const std::string& folder, const std::string& screen) {
  return fmt::format("{}{:08x}-", folder, text_hash(screen) & 0xffffffff);
}

std::vector<std::string> windows_that_begin(const std::string& prefix) {
  std::vector<std::string> names;
  WIN32_FIND_DATAW found{};
  const HANDLE search = FindFirstFileW((std::wstring(kPipes) + L"*").c_str(), &found);
  if (search == INVALID_HANDLE_VALUE) return names;
  do {
    std::string name = narrow(static_cast<const wchar_t*>(found.cFileName));
    if (name.starts_with(prefix)) names.push_back(std::move(name));
  } while (names.size() < kMostWindows && FindNextFileW(search, &found) != 0);
  FindClose(search);
  return names;
}

// The window with that pipe has taken the message. Nobody can act in our name by it.
bool is_taken(const std::string& window, const std::string& message) {
  const std::wstring name = kPipes + wide(window);
  if (WaitNamedPipeW(name.c_str(), kPatienceMs) == 0) return false;
  const HANDLE pipe =
      CreateFileW(name.c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, OPEN_EXISTING,
                  SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION, nullptr);
  if (pipe == INVALID_HANDLE_VALUE) return false;
  DWORD mode = PIPE_READMODE_MESSAGE, got = 0;
  std::string answer(kTaken.size(), '\0');
  const bool asked =
      SetNamedPipeHandleState(pipe, &mode, nullptr, nullptr) != 0 &&
      TransactNamedPipe(pipe, const_cast<char*>(message.data()), static_cast<DWORD>(message.size()),
                        answer.data(), static_cast<DWORD>(answer.size()), &got, nullptr) != 0;
  CloseHandle(pipe);
  return asked && std::string_view(answer).substr(0, got) == kTaken;
}

// Only who made it may open it, and only on this machine.
HANDLE new_pipe(const std::string& name) {
  SECURITY_ATTRIBUTES rights{
      .nLength = sizeof rights, .lpSecurityDescriptor = nullptr, .bInheritHandle = FALSE};
  if (ConvertStringSecurityDescriptorToSecurityDescriptorW(
          L"D:P(A;;GA;;;OW)", SDDL_REVISION_1, &rights.lpSecurityDescriptor, nullptr) == 0) {
    return INVALID_HANDLE_VALUE;
  }
  const HANDLE pipe = CreateNamedPipeW(
      (kPipes + wide(name)).c_str(), PIPE_ACCESS_DUPLEX | FILE_FLAG_FIRST_PIPE_INSTANCE,
      PIPE_TYPE_MESSAGE | PIPE_READMODE_MESSAGE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS, 1,
      kMostBytes, kMostBytes, kPatienceMs, &rights);
  LocalFree(rights.lpSecurityDescriptor);
  return pipe;
}

}  // namespace

// Of a pipe's name, since pipes lie in no folder: of this user alone.
std::string hand_over_folder() {
  wchar_t user[256] = L"";
  DWORD length = 256;
  GetUserNameW(user, &length);
  return fmt::format("cinderscope-{:016x}-", text_hash(narrow(static_cast<const wchar_t*>(user))));
}

// Sessions of a terminal server have desktops of their own.
std::string this_screen() {
  DWORD session = 0;
  ProcessIdToSessionId(GetCurrentProcessId(), &session);
  return fmt::format("session {}", session);
}

bool hand_over(const std::string& folder, const std::string& screen,
               const std::vector<std::string>& items) {
  if (folder.empty()) return false;
  std::string message(kGreeting);
  for (const std::string& item : items) {
    message += item;
    message += '\0';
  }
  if (message.size() > kMostBytes || !paths_in(message)) return false;
  return std::ranges::any_of(windows_that_begin(prefix_of(folder, screen)),
                             [&](const std::string& window) { return is_taken(window, message); });
}

bool session_is_open(const std::string& folder, const std::string& path, const std::string& own) {
  if (folder.empty() || path.size() > kLongestPath) return false;
  const std::string message = std::string(kAsksSession) + path;
  return std::ranges::any_of(windows_that_begin(folder), [&](const std::string& window) {
    return window != own && is_taken(window, message);
  });
}

struct SingleInstanceListener::Impl {
  std::string path;
  HANDLE pipe = INVALID_HANDLE_VALUE;
  std::atomic<bool> stop{false};
  std::function<void()> wake;
  std::mutex mutex;
  std::vector<std::vector<std::string>> taken;
  std::string session;
  std::thread thread;

  void run();
  bool takes(const std::string& message);
};

void SingleInstanceListener::Impl::run() {
  while (!stop) {
    const bool connected =
        ConnectNamedPipe(pipe, nullptr) != 0 || GetLastError() == ERROR_PIPE_CONNECTED;
    if (!connected || stop) break;
    std::string message(kMostBytes, '\0');
    DWORD got = 0, sent = 0;
    if (ReadFile(pipe, message.data(), kMostBytes, &got, nullptr) != 0) {
      message.resize(got);
      if (takes(message)) WriteFile(pipe, kTaken.data(), kTaken.size(), &sent, nullptr);
      FlushFileBuffers(pipe);
    }
    DisconnectNamedPipe(pipe);
  }
}

bool SingleInstanceListener::Impl::takes(const std::string& message) {
  if (message.starts_with(kAsksSession)) {
    const std::lock_guard lock(mutex);
    return !session.empty() && message.substr(kAsksSession.size()) == session;
  }
  auto paths = paths_in(message);
  if (!paths) return false;
  {
    const std::lock_guard lock(mutex);
    if (taken.size() >= kMostPaths) return false;
    taken.push_back(std::move(*paths));
  }
  wake();
  return true;
}

SingleInstanceListener::SingleInstanceListener(const std::string& folder, const std::string& screen,
                                               std::function<void()> wake) {
  if (folder.empty()) return;
  auto impl = std::make_unique<Impl>();
  impl->wake = std::move(wake);
  impl->path = fmt::format("{}{}-{:08x}", prefix_of(folder, screen), GetCurrentProcessId(),
                           std::random_device()());
  impl->pipe = new_pipe(impl->path);
  if (impl->pipe == INVALID_HANDLE_VALUE) return;
  impl_ = std::move(impl);
  impl_->thread = started_thread([this] { impl_->run(); });
}

SingleInstanceListener::~SingleInstanceListener() {
  if (!impl_) return;
  impl_->stop = true;
  // A connection of our own wakes the thread; where that fails, its wait is ended.
  const HANDLE end = CreateFileW((kPipes + wide(impl_->path)).c_str(), GENERIC_READ, 0, nullptr,
                                 OPEN_EXISTING, 0, nullptr);
  if (impl_->thread.joinable()) {
    CancelSynchronousIo(pthread_gethandle(impl_->thread.native_handle()));
    impl_->thread.join();
  }
  if (end != INVALID_HANDLE_VALUE) CloseHandle(end);
  CloseHandle(impl_->pipe);
}

bool SingleInstanceListener::listening() const {
  return impl_ != nullptr && impl_->thread.joinable();
}

const std::string& SingleInstanceListener::path() const {
  static const std::string kNone;
  return impl_ == nullptr ? kNone : impl_->path;
}

void SingleInstanceListener::hold_session(std::string path) {
  if (!impl_) return;
  const std::lock_guard lock(impl_->mutex);
  impl_->session = std::move(path);
}

std::vector<std::vector<std::string>> SingleInstanceListener::take() {
  if (!impl_) return {};
  const std::lock_guard lock(impl_->mutex);
  return std::exchange(impl_->taken, {});
}

}  // namespace cinderscope
