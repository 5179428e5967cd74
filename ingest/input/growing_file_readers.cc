// Who reads what a GrowingFile holds: pins, and what may be dropped behind readers in order.
#include <algorithm>
#include <utility>

#include "ingest/input/growing_file.h"

namespace cinderscope {

// False where so many more bytes do not fit into the ring although somebody waits for them.
bool GrowingFile::wait_for_reader(std::uint64_t more_bytes) {
  std::unique_lock lock(mutex_);
  const std::uint64_t size_bytes = size_bytes_;
  const auto fits = [&] {
    return !ring_ || size_bytes + more_bytes + kPaddingBytes <= dropped_to_ + ring_->size_bytes();
  };
  room_.wait(lock, [&] {
    if (size_bytes < wanted_bytes_) return true;
    return fits() && (!in_order_ || size_bytes < let_go_ + kReaderAheadBytes);
  });
  return fits();
}

void GrowingFile::let_go(std::uint64_t offset) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_ && let_go_ == UINT64_MAX) return;
    if (offset <= let_go_ && in_order_) return;
    in_order_ = wanted_bytes_ != UINT64_MAX;
    let_go_ = std::max(let_go_, offset);
  }
  if (closed_ || in_ring_) drop_what_may_go();
  room_.notify_all();
}

void GrowingFile::wait_for_nobody() {
  {
    const std::lock_guard lock(mutex_);
    in_order_ = false;
    wanted_bytes_ = UINT64_MAX;
  }
  room_.notify_all();
}

void GrowingFile::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  wait_for_nobody();
}

void GrowingFile::note_droppable(std::uint64_t offset) {
  {
    const std::lock_guard lock(mutex_);
    droppable_to_ = offset;
  }
  drop_what_may_go();
}

struct GrowingFile::Held {
  const GrowingFile* file = nullptr;
  std::shared_ptr<const RingMemory> ring;  // where the bytes lie, if not in the file
  std::multiset<std::uint64_t>::iterator begin;

  Held() = default;
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    if (file == nullptr) return;
    {
      const std::lock_guard lock(file->mutex_);
      file->held_begins_.erase(begin);
    }
    if (file->closed_ || file->in_ring_) file->drop_what_may_go();
  }
};

std::shared_ptr<const GrowingFile::Held> GrowingFile::hold(std::uint64_t begin) const {
  auto held = std::make_shared<Held>();
  const std::lock_guard lock(mutex_);
  if (begin < dropped_to_) return nullptr;
  held->begin = held_begins_.insert(begin);
  held->file = this;
  held->ring = ring_;
  return held;
}

// Under the mutex.
std::uint64_t GrowingFile::may_drop_to() const {
  std::uint64_t end = std::min({let_go_, droppable_to_, size_bytes_.load()});
  if (!held_begins_.empty()) end = std::min(end, *held_begins_.begin());
  return end;
}

void GrowingFile::drop_what_may_go() const {
  {
    const std::lock_guard lock(mutex_);
    if (ring_) {
      const std::uint64_t end = may_drop_to();
      const bool is_all = closed_ && end == size_bytes_;
      dropped_to_ = std::max(dropped_to_.load(), is_all ? end : end - end % kDropStepBytes);
      if (is_all) ring_.reset();
      room_.notify_all();
    }
    if (in_ring_) return;
  }
  drop_of_file();
}

// By the writer while there is one: it takes some tenths of a millisecond, and readers have better
// to do.
void GrowingFile::drop_of_file() const {
  if (!may_drop_) return;
  std::uint64_t begin = 0, end = 0;
  const std::unique_lock dropping(drop_mutex_, std::try_to_lock);
  if (!dropping) return;  // whoever does will come again
  {
    const std::lock_guard lock(mutex_);
    begin = dropped_to_;
    end = may_drop_to();
    end -= end % kDropStepBytes;
    if (end <= begin) return;
    dropped_to_ = end;
  }
  if (file_) {
    may_drop_ = file_->drop(begin, end);
    return;
  }
  const std::lock_guard lock(mutex_);
  blocks_.drop_to(end);
}

std::optional<Pin> GrowingFile::pin(std::uint64_t offset, std::uint64_t length) const {
  if (!file_) {
    const std::lock_guard lock(mutex_);
    if (offset < dropped_to_) return std::nullopt;
    return blocks_.pin(offset, length, !closed_);
  }
  std::shared_ptr<const Held> held = hold(offset);
  if (!held) return std::nullopt;
  const std::byte* const data = held->ring ? held->ring->at(offset) : file_->data() + offset;
  const std::span<const std::byte> bytes(data, static_cast<std::size_t>(length));
  return Pin(offset, bytes, std::move(held));
}

std::span<const std::byte> GrowingFile::wait_for(std::uint64_t wanted_bytes) const {
  return {file_->data(), static_cast<std::size_t>(wait_for_size(wanted_bytes))};
}

std::uint64_t GrowingFile::wait_for_size(std::uint64_t wanted_bytes) const {
  // What a reader may look at behind a pin is not written to any more.
  if (in_ring_ && wanted_bytes > 0 && wanted_bytes <= UINT64_MAX - kPaddingBytes) {
    wanted_bytes += kPaddingBytes;
  }
  if (size_bytes_ < wanted_bytes && !closed_) {
    std::unique_lock lock(mutex_);
    wanted_bytes_ = std::max(wanted_bytes_, wanted_bytes);
    room_.notify_all();
    grown_.wait(lock, [&] { return size_bytes_ >= wanted_bytes || closed_; });
  }
  return size_bytes_;
}

}  // namespace cinderscope
