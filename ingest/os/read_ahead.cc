#include "ingest/os/read_ahead.h"

#include <algorithm>

#include "ingest/base/parallel.h"
#include "ingest/base/steady_clock.h"
#include "ingest/os/page_cache.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostWanted = 1024;  // of what a view wanted long ago nobody needs the rest
constexpr std::size_t kAroundBytes = std::size_t{2} << 20;  // on either side

// A quarter of a second, in 16 bits.
std::uint64_t tick_now() {
  return static_cast<std::uint64_t>(steady_now_ms() >> 8) & 0xffff;
}

std::uint64_t known_entry(std::uint64_t window) {
  return window << 16 | tick_now();
}

std::span<const std::byte> within(std::span<const std::byte> all, std::size_t from,
                                  std::size_t bytes) {
  from = std::min(from, all.size());
  return all.subspan(from, std::min(bytes, all.size() - from));
}

}  // namespace

ReadAhead::~ReadAhead() {
  end();
}

void ReadAhead::end() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool ReadAhead::in_memory(std::span<const std::byte> bytes) const {
  return pages_are_in_memory(bytes);
}

// The system may take its time with what it was asked for; who touches pages knows.
void ReadAhead::read(std::span<const std::byte> bytes) const {
  ask_for_pages(bytes);
  constexpr std::size_t kSmallestPage = 4096;
  for (std::size_t at = 0; at < bytes.size(); at += kSmallestPage) {
    static_cast<void>(*const_cast<const volatile std::byte*>(&bytes[at]));
  }
}

bool ReadAhead::is_known(std::uint64_t window) const {
  return known_[window % kKnown].load(std::memory_order_relaxed) == known_entry(window + 1);
}

void ReadAhead::note_known(std::uint64_t window) {
  known_[window % kKnown].store(known_entry(window + 1), std::memory_order_relaxed);
}

bool ReadAhead::at_hand(std::span<const std::byte> bytes, std::span<const std::byte> all) {
  const auto at = static_cast<std::size_t>(bytes.data() - all.data());
  const std::uint64_t first = at / kWindowBytes;
  const std::uint64_t last = (at + std::max<std::size_t>(bytes.size(), 1) - 1) / kWindowBytes;
  bool known = true;
  for (std::uint64_t window = first; window <= last && known; ++window) {
    if (is_known(window)) continue;
    known = in_memory(within(all, window * kWindowBytes, kWindowBytes));
    if (known) note_known(window);
  }
  if (known || in_memory(bytes)) return true;
  const std::size_t around_at = at - std::min(at, kAroundBytes);
  ask(bytes, within(all, around_at, at - around_at + bytes.size() + kAroundBytes));
  return false;
}

void ReadAhead::ask(std::span<const std::byte> bytes, std::span<const std::byte> around) {
  const std::lock_guard lock(mutex_);
  if (stop_) return;
  const auto same = std::ranges::find_if(
      wanted_, [&](const Wanted& each) { return each.bytes.data() == bytes.data(); });
  if (same != wanted_.end()) wanted_.erase(same);
  if (wanted_.size() == kMostWanted) wanted_.erase(wanted_.begin());
  wanted_.push_back({bytes, around});
  if (!thread_.joinable()) thread_ = started_thread([this] { run(); });
  // Without a thread whoever asked waits, as it would have to anyway.
  if (!thread_.joinable()) ask_for_pages(around);
  changed_.notify_all();
}

void ReadAhead::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stop_ || !wanted_.empty(); });
    if (stop_) return;
    const Wanted wanted = wanted_.back();
    wanted_.pop_back();
    lock.unlock();
    read(wanted.bytes);
    ask_for_pages(wanted.around);
    lock.lock();
  }
}

}  // namespace cinderscope
