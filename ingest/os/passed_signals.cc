#include "ingest/os/passed_signals.h"

#include <signal.h>

#include <atomic>

namespace cinderscope {
namespace {

constexpr int kPassed[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

std::atomic<pid_t> g_process{0};
static_assert(std::atomic<pid_t>::is_always_lock_free);

void pass(int signal, siginfo_t* info, void*) {
  const pid_t process = g_process.load(std::memory_order_relaxed);
  const bool from_process = info->si_code <= 0;  // not of the terminal
  if (process > 0 && from_process) kill(process, signal);
}

}  // namespace

PassedSignals::PassedSignals(std::int64_t process) {
  g_process = static_cast<pid_t>(process);
  struct sigaction passing {};
  passing.sa_sigaction = pass;
  passing.sa_flags = SA_SIGINFO | SA_RESTART;
  for (const int signal : kPassed) {
    struct sigaction before {};
    // Who was started to ignore them goes on doing so (nohup).
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    sigaction(signal, &passing, nullptr);
  }
}

void PassedSignals::end() {
  if (g_process.exchange(0) == 0) return;
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  for (const int signal : kPassed) {
    struct sigaction now {};
    const bool passing = sigaction(signal, nullptr, &now) == 0 &&
                         (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == pass;
    if (passing) sigaction(signal, &usual, nullptr);
  }
}

}  // namespace cinderscope
