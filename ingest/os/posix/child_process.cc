#include "ingest/os/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <system_error>

extern char** environ;

namespace cinderscope {
namespace {

constexpr int kLookMs = 50;  // at whether it was cancelled
constexpr std::size_t kReadBytes = std::size_t{64} * 1024;

Error failed(const std::string& program, int error) {
  return {ErrorCode::cannot_read,
          fmt::format("\"{}\" cannot be started: {}.", program,
                      std::error_code(error, std::generic_category()).message()),
          {}};
}

std::string_view name_of(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

std::vector<std::string> changed_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> all;
  for (char** each = environ; *each != nullptr; ++each) {
    const bool changed = std::ranges::any_of(
        changes, [&](const std::string& change) { return name_of(change) == name_of(*each); });
    if (!changed) all.emplace_back(*each);
  }
  for (const std::string& change : changes) {
    if (change.find('=') != std::string::npos) all.push_back(change);
  }
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Signals are as usual in it, whatever this process made of them.
class SpawnSettings {
 public:
  explicit SpawnSettings(int helper_stream) {
    posix_spawn_file_actions_init(&files_);
    posix_spawnattr_init(&attributes_);
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (const int each : {SIGINT, SIGQUIT, SIGTERM, SIGHUP}) sigaddset(&usual, each);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (helper_stream >= 0) {
      posix_spawn_file_actions_adddup2(&files_, helper_stream, STDIN_FILENO);
      posix_spawn_file_actions_adddup2(&files_, helper_stream, STDOUT_FILENO);
      posix_spawnattr_setpgroup(&attributes_, 0);  // Ctrl+C is ours to understand
      flags |= POSIX_SPAWN_SETPGROUP;
    }
    posix_spawnattr_setflags(&attributes_, static_cast<short>(flags));
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  int start(pid_t& id, const std::string& program, std::vector<std::string> arguments,
            std::vector<std::string> environment) const {
    return posix_spawnp(&id, program.c_str(), &files_, &attributes_, pointers_to(arguments).data(),
                        pointers_to(environment).data());
  }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

int shell_status(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

std::string own_program() {
  return "/proc/self/exe";
}

std::filesystem::path own_program_path() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored);
}

Result<ChildProcess> ChildProcess::start(const ChildOptions& options) {
  UniqueFd ours, theirs;
  if (options.helper) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
      return failed(options.program, errno);
    }
    ours = UniqueFd(pair[0]);
    theirs = UniqueFd(pair[1]);
    fcntl(ours.get(), F_SETFL, O_NONBLOCK);
  }
  pid_t id = 0;
  const int error =
      SpawnSettings(theirs.get())
          .start(id, options.program, options.arguments, changed_environment(options.environment));
  if (error != 0) return failed(options.program, error);
  return ChildProcess(id, std::move(ours));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : id_(std::exchange(other.id_, 0)),
      stream_(std::move(other.stream_)),
      status_(std::exchange(other.status_, std::nullopt)) {}

ChildProcess::~ChildProcess() {
  if (id_ != 0 && stream_) end();
}

void ChildProcess::end() {
  // With what it started itself: a helper has a group of its own.
  if (!status()) kill(-static_cast<pid_t>(id_), SIGKILL);
  wait();
}

std::optional<int> ChildProcess::status() {
  if (status_ || id_ == 0) return status_;
  int status = 0;
  const pid_t done = waitpid(static_cast<pid_t>(id_), &status, WNOHANG);
  if (done == id_) status_ = shell_status(status);
  return status_;
}

int ChildProcess::wait() {
  while (!status_) {
    int status = 0;
    const pid_t done = waitpid(static_cast<pid_t>(id_), &status, 0);
    if (done == id_) status_ = shell_status(status);
    if (done < 0 && errno != EINTR) status_ = 1;  // somebody else has taken it
  }
  return *status_;
}

Result<std::string> ChildProcess::talk(std::string_view question, std::uint64_t most_bytes,
                                       const std::atomic<bool>& cancelled) {
  std::string answer;
  bool asked = false;
  while (true) {
    if (cancelled) {
      end();
      return Error{ErrorCode::cancelled, "It was cancelled.", {}};
    }
    if (question.empty() && !std::exchange(asked, true)) shutdown(stream_.get(), SHUT_WR);
    pollfd look{.fd = stream_.get(), .events = POLLIN, .revents = 0};
    if (!asked) look.events |= POLLOUT;
    if (poll(&look, 1, kLookMs) <= 0) continue;
    if (!asked && (look.revents & POLLOUT) != 0) {
      const ssize_t sent = send(stream_.get(), question.data(), question.size(), MSG_NOSIGNAL);
      if (sent > 0) question.remove_prefix(static_cast<std::size_t>(sent));
      if (sent < 0 && errno != EAGAIN && errno != EINTR) question = {};  // it wants no more
    }
    if ((look.revents & (POLLIN | POLLHUP | POLLERR)) == 0) continue;
    const std::size_t before = answer.size();
    answer.resize(before + kReadBytes);
    const ssize_t got = recv(stream_.get(), answer.data() + before, kReadBytes, 0);
    const int error = errno;
    answer.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (answer.size() > most_bytes) {
      end();
      return Error{ErrorCode::too_large, "It answers too much.", {}};
    }
    const bool later = got < 0 && (error == EAGAIN || error == EINTR);
    if (got > 0 || later) continue;
    return answer;
  }
}

void limit_this_process(std::uint64_t memory_bytes, std::uint64_t cpu_seconds) {
  const auto limit = [](auto what, std::uint64_t most) {
    rlimit now{};
    if (getrlimit(what, &now) != 0) return;
    now.rlim_cur = std::min<rlim_t>(most, now.rlim_max);
    setrlimit(what, &now);
  };
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // these reserve terabytes
  limit(RLIMIT_AS, memory_bytes);
#else
  static_cast<void>(memory_bytes);
#endif
  limit(RLIMIT_CPU, cpu_seconds);
  limit(RLIMIT_CORE, 0);
}

}  // namespace cinderscope
