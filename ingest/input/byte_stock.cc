#include "ingest/input/byte_stock.h"

#include <new>
#include <utility>

namespace cinderscope {
namespace {

// A longer stretch is no waste if it is not much longer.
constexpr std::size_t kMostTimesLonger = 2;

}  // namespace

std::shared_ptr<std::byte[]> ByteStock::take(std::size_t bytes) {
  Stretch found = waiting_->find(bytes);
  if (!found.memory) found = {std::make_unique_for_overwrite<std::byte[]>(bytes), bytes};
  const std::size_t length = found.bytes;
  // Should there be no memory for the owner's own facts, the stretch is freed with it.
  const auto give_back = [waiting = std::weak_ptr(waiting_), length](std::byte* memory) {
    Stretch stretch{std::unique_ptr<std::byte[]>(memory), length};
    if (const std::shared_ptr<Waiting> kept = waiting.lock()) kept->keep(std::move(stretch));
  };
  return {found.memory.release(), give_back};
}

void ByteStock::clear() {
  const std::lock_guard lock(waiting_->mutex);
  waiting_->stretches.clear();
  waiting_->bytes = 0;
}

std::size_t ByteStock::waiting_bytes() const {
  const std::lock_guard lock(waiting_->mutex);
  return waiting_->bytes;
}

// The shortest that is long enough.
ByteStock::Stretch ByteStock::Waiting::find(std::size_t wanted) {
  const std::lock_guard lock(mutex);
  auto best = stretches.end();
  for (auto each = stretches.begin(); each != stretches.end(); ++each) {
    const bool fits = each->bytes >= wanted && each->bytes / kMostTimesLonger <= wanted;
    if (fits && (best == stretches.end() || each->bytes < best->bytes)) best = each;
  }
  if (best == stretches.end()) return {};
  Stretch found = std::move(*best);
  stretches.erase(best);
  bytes -= found.bytes;
  return found;
}

void ByteStock::Waiting::keep(Stretch stretch) try {
  if (stretch.bytes > kMostWaitingBytes) return;
  const std::lock_guard lock(mutex);
  const std::size_t more = stretch.bytes;
  stretches.push_back(std::move(stretch));
  bytes += more;
  while (bytes > kMostWaitingBytes) {
    bytes -= stretches.front().bytes;
    stretches.pop_front();
  }
} catch (const std::bad_alloc&) {
  return;  // it is freed
}

}  // namespace cinderscope
