#include "app/desktop/single_instance.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>
#include <random>
#include <string_view>
#include <thread>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "ingest/base/text_hash.h"
#include "ingest/os/unique_fd.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// A message is the greeting, then each path, place or option with a zero byte behind it, then the
// end of the stream.
constexpr std::string_view kGreeting = "cinderscope 1\n", kTaken = "taken\n";
// Of a window that asks about a session, with its path behind; the answers are kTaken and nothing.
constexpr std::string_view kAsksSession = "cinderscope session 1\n";
constexpr std::string_view kPlace = "cinderscope:", kOption = "--";
constexpr std::size_t kMostBytes = 1 << 20, kMostPaths = 1000, kLongestPath = 4096;
constexpr std::chrono::milliseconds kPatience{2000};
constexpr std::size_t kMostWindows = 64;

bool private_folder(const std::string& folder) {
  if (mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) return false;
  struct stat facts {};
  return lstat(folder.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) &&
         facts.st_uid == geteuid() && (facts.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

std::optional<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return std::nullopt;
  path.copy(address.sun_path, path.size());
  return address;
}

std::string prefix_of(const std::string& screen) {
  return fmt::format("{:08x}-", text_hash(screen) & 0xffffffff);
}

// False once `until` has passed or the other side has gone.
bool await(int fd, short events, Clock::time_point until) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return false;
    pollfd wanted{.fd = fd, .events = events, .revents = 0};
    const int ready = poll(&wanted, 1, static_cast<int>(left.count()));
    if (ready > 0) return (wanted.revents & (events | POLLHUP)) != 0;
    if (ready == 0 || errno != EINTR) return false;
  }
}

bool send_all(int fd, std::string_view text, Clock::time_point until) {
  while (!text.empty()) {
    if (!await(fd, POLLOUT, until)) return false;
    const ssize_t sent = send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

// What the other side says until it stops; nullopt if it says too much or takes too long.
std::optional<std::string> receive_all(int fd, Clock::time_point until) {
  std::string text;
  std::array<char, 4096> piece{};
  for (;;) {
    if (!await(fd, POLLIN, until)) return std::nullopt;
    const ssize_t got = recv(fd, piece.data(), piece.size(), 0);
    if (got == 0) return text;
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) return std::nullopt;
    text.append(piece.data(), static_cast<std::size_t>(got));
    if (text.size() > kMostBytes) return std::nullopt;
  }
}

// All or nothing: a message with one odd item is no message of ours.
std::optional<std::vector<std::string>> paths_in(std::string_view message) {
  if (!message.starts_with(kGreeting)) return std::nullopt;
  message.remove_prefix(kGreeting.size());
  std::vector<std::string> paths;
  while (!message.empty()) {
    const std::size_t end = message.find('\0');
    const bool known =
        message.starts_with('/') || message.starts_with(kPlace) || message.starts_with(kOption);
    if (end == std::string_view::npos || end > kLongestPath || !known ||
        paths.size() >= kMostPaths) {
      return std::nullopt;
    }
    paths.emplace_back(message.substr(0, end));
    message.remove_prefix(end + 1);
  }
  return paths;
}

bool same_user(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

// Sockets of windows whose names begin so, the newest first.
std::vector<std::string> windows_in(const std::string& folder, const std::string& prefix) {
  std::vector<std::pair<fs::file_time_type, std::string>> found;
  std::error_code error;
  for (fs::directory_iterator each(path_of(folder), error), end; !error && each != end;
       each.increment(error)) {
    if (!utf8_of(each->path().filename()).starts_with(prefix)) continue;
    std::error_code ignored;
    found.emplace_back(each->last_write_time(ignored), utf8_of(each->path()));
    if (found.size() >= kMostWindows) break;
  }
  std::ranges::sort(found, std::greater());
  std::vector<std::string> paths;
  paths.reserve(found.size());
  for (auto& [time, path] : found) paths.push_back(std::move(path));
  return paths;
}

// The window with that socket has taken the message.
bool is_taken(const std::string& window, std::string_view message, Clock::time_point until) {
  const auto address = address_of(window);
  const UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!address || !fd) return false;
  if (connect(fd.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0) {
    if (errno == ECONNREFUSED) unlink(window.c_str());
    return false;
  }
  if (!same_user(fd.get()) || !send_all(fd.get(), message, until)) return false;
  shutdown(fd.get(), SHUT_WR);
  return receive_all(fd.get(), until) == kTaken;
}

}  // namespace

std::string hand_over_folder() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const std::string folder = runtime != nullptr && runtime[0] == '/'
                                 ? std::string(runtime) + "/cinderscope"
                                 : fmt::format("/tmp/cinderscope-{}", geteuid());
  return private_folder(folder) ? folder : std::string();
}

std::string this_screen() {
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  const char* x11 = std::getenv("DISPLAY");
  return fmt::format("{} {}", wayland == nullptr ? "" : wayland, x11 == nullptr ? "" : x11);
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
  const Clock::time_point until = Clock::now() + kPatience;
  return std::ranges::any_of(windows_in(folder, prefix_of(screen)), [&](const std::string& window) {
    return is_taken(window, message, until);
  });
}

bool session_is_open(const std::string& folder, const std::string& path, const std::string& own) {
  if (folder.empty() || path.size() > kLongestPath) return false;
  const Clock::time_point until = Clock::now() + kPatience;
  const std::string message = std::string(kAsksSession) + path;
  return std::ranges::any_of(windows_in(folder, {}), [&](const std::string& window) {
    return window != own && is_taken(window, message, until);
  });
}

struct SingleInstanceListener::Impl {
  std::string path;
  UniqueFd listening, stop_read, stop_write;
  std::function<void()> wake;
  std::mutex mutex;
  std::vector<std::vector<std::string>> taken;
  std::string session;
  std::thread thread;

  bool start(const std::string& folder, const std::string& screen);
  void run();
  void hear(int fd);
};

bool SingleInstanceListener::Impl::start(const std::string& folder, const std::string& screen) {
  path = fmt::format("{}/{}{}-{:08x}", folder, prefix_of(screen), getpid(), std::random_device()());
  const auto address = address_of(path);
  listening = UniqueFd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  std::array<int, 2> ends{};
  if (!address || !listening || pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  stop_read = UniqueFd(ends[0]);
  stop_write = UniqueFd(ends[1]);
  return bind(listening.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) ==
             0 &&
         listen(listening.get(), 8) == 0;
}

void SingleInstanceListener::Impl::run() {
  for (;;) {
    std::array<pollfd, 2> wanted = {pollfd{.fd = listening.get(), .events = POLLIN, .revents = 0},
                                    pollfd{.fd = stop_read.get(), .events = POLLIN, .revents = 0}};
    if (poll(wanted.data(), wanted.size(), -1) < 0 && errno != EINTR) return;
    if (wanted[1].revents != 0) return;
    if (wanted[0].revents == 0) continue;
    const UniqueFd peer(accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (peer && same_user(peer.get())) hear(peer.get());
  }
}

void SingleInstanceListener::Impl::hear(int fd) {
  const Clock::time_point until = Clock::now() + kPatience;
  const auto message = receive_all(fd, until);
  if (!message) return;
  if (message->starts_with(kAsksSession)) {
    const std::lock_guard lock(mutex);
    if (!session.empty() && message->substr(kAsksSession.size()) == session) {
      send_all(fd, kTaken, until);
    }
    return;
  }
  auto paths = paths_in(*message);
  if (!paths) return;
  {
    const std::lock_guard lock(mutex);
    if (taken.size() >= kMostPaths) return;
    taken.push_back(std::move(*paths));
  }
  send_all(fd, kTaken, until);
  wake();
}

SingleInstanceListener::SingleInstanceListener(const std::string& folder, const std::string& screen,
                                               std::function<void()> wake) {
  if (folder.empty()) return;
  auto impl = std::make_unique<Impl>();
  impl->wake = std::move(wake);
  if (!impl->start(folder, screen)) return;
  impl_ = std::move(impl);
  impl_->thread = started_thread([this] { impl_->run(); });
}

SingleInstanceListener::~SingleInstanceListener() {
  if (!impl_) return;
  unlink(impl_->path.c_str());
  impl_->stop_write = UniqueFd();  // the other end wakes the thread
  if (impl_->thread.joinable()) impl_->thread.join();
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
