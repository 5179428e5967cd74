#include "ingest/os/mapping_guard.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>

namespace cinderscope {

// Ranges are reused, never freed: the signal handler walks the list without a lock.
struct GuardedRange {
  std::atomic<bool> taken{true};
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::size_t> size_bytes{0};  // 0: watches nothing
  std::atomic<bool> tripped{false};
  GuardedRange* next = nullptr;
};

namespace {

// A signal handler gets no argument of ours, so what it needs is static. All of it is safe to read
// at any moment: atomics, and values that are set before the handler is installed.
std::atomic<GuardedRange*> first_range{nullptr};
struct sigaction previous_action;
std::uintptr_t page_bytes = 4096;

bool put_zero_pages(std::uintptr_t address) {
  for (GuardedRange* range = first_range; range != nullptr; range = range->next) {
    const std::uintptr_t begin = range->begin;
    const std::size_t size_bytes = range->size_bytes;
    if (address < begin || address - begin >= size_bytes) continue;
    // The file ends before this page, so nothing after it can be read either.
    const std::uintptr_t page = address & ~(page_bytes - 1);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a fault's address comes as a number
    void* mapped = mmap(reinterpret_cast<void*>(page), begin + size_bytes - page, PROT_READ,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (mapped == MAP_FAILED) return false;
    range->tripped = true;
    return true;
  }
  return false;
}

void on_sigbus(int number, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  const bool handled = put_zero_pages(reinterpret_cast<std::uintptr_t>(info->si_addr));
  errno = saved_errno;
  if (handled) return;
  if ((previous_action.sa_flags & SA_SIGINFO) != 0 && previous_action.sa_sigaction != nullptr) {
    previous_action.sa_sigaction(number, info, context);
  } else if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
    previous_action.sa_handler(number);
  } else {
    // Returning runs the faulting instruction again, this time without us.
    sigaction(SIGBUS, &previous_action, nullptr);
  }
}

void install_handler() {
  page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  struct sigaction action = {};
  action.sa_sigaction = on_sigbus;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, nullptr, &previous_action);
  sigaction(SIGBUS, &action, nullptr);
}

GuardedRange* take_range() {
  for (GuardedRange* range = first_range; range != nullptr; range = range->next) {
    bool free = false;
    if (range->taken.compare_exchange_strong(free, true)) return range;
  }
  auto* range = new GuardedRange;
  range->next = first_range;
  while (!first_range.compare_exchange_weak(range->next, range)) {
  }
  return range;
}

}  // namespace

MappingGuard::MappingGuard(const void* data, std::size_t size_bytes) {
  static std::once_flag once;
  std::call_once(once, install_handler);
  range_ = take_range();
  range_->tripped = false;
  range_->begin = reinterpret_cast<std::uintptr_t>(data);
  range_->size_bytes = size_bytes;
}

MappingGuard::~MappingGuard() {
  range_->size_bytes = 0;
  range_->begin = 0;
  range_->taken = false;
}

bool MappingGuard::tripped() const {
  return range_->tripped;
}

}  // namespace cinderscope
