#include "ingest/os/passed_signals.h"

#include <signal.h>

#include <atomic>

namespace cinderscope {
namespace {

constexpr int kPassed[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

std::atomic<pid_t> g_process{0};
std::atomic<int> g_waiting{0};  // the signal that came before there was a process; 0: none
static_assert(std::atomic<pid_t>::is_always_lock_free);

void pass(int signal, siginfo_t* info, void*) {
  if (info->si_code > 0) return;  // of the terminal
  g_waiting = signal;
  const pid_t process = g_process;
  if (process > 0 && g_waiting.exchange(0) != 0) kill(process, signal);
}

}  // namespace

PassedSignals::PassedSignals() {
  g_waiting = 0;
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

void PassedSignals::pass_to(std::int64_t process) {
  g_process = static_cast<pid_t>(process);
  if (const int signal = g_waiting.exchange(0)) kill(static_cast<pid_t>(process), signal);
}

void PassedSignals::end() {
  g_process = 0;
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
