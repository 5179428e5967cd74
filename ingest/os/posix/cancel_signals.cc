#include "ingest/os/cancel_signals.h"

#include <signal.h>

#include <array>

namespace cinderscope {
namespace {

constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

std::atomic<std::atomic<bool>*> g_flag{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free);

void set_flag(int /*signal*/) {
  if (std::atomic<bool>* flag = g_flag.load(); flag != nullptr) flag->store(true);
}

}  // namespace

CancelSignals::CancelSignals(std::atomic<bool>& flag) {
  g_flag = &flag;
  struct sigaction action {};
  action.sa_handler = set_flag;
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  for (const int signal : kSignals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);  // nohup ignores some
  }
}

CancelSignals::~CancelSignals() {
  for (const int signal : kSignals) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler != set_flag) continue;
    now.sa_handler = SIG_DFL;
    now.sa_flags = 0;
    sigaction(signal, &now, nullptr);
  }
  g_flag = nullptr;
}

}  // namespace cinderscope
