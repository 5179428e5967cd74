#include <atomic>

#include "ingest/base/self_trace.h"
#include "ingest/os/memory.h"

namespace cinderscope {

void self_trace_memory() {
  if (!self_trace::recording.load(std::memory_order_relaxed)) return;
  constexpr std::int64_t kEveryNs = 10'000'000;
  static std::atomic<std::int64_t> counted_at_ns{0};
  const std::int64_t now_ns = self_trace::now_ns();
  std::int64_t last_ns = counted_at_ns.load(std::memory_order_relaxed);
  if (now_ns - last_ns < kEveryNs ||
      !counted_at_ns.compare_exchange_strong(last_ns, now_ns, std::memory_order_relaxed)) {
    return;
  }
  self_trace::count("memory in MB", static_cast<double>(own_memory_bytes()) / 1e6);
}

}  // namespace cinderscope
