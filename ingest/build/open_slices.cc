#include "ingest/build/open_slices.h"

#include <algorithm>
#include <utility>

namespace cinderscope {

OpenSlices::OpenSlices(const OpenSlices& other)
    : size_(other.size_),
      room_(other.room_),
      live_(other.live_),
      indexed_(other.indexed_),
      positions_(other.positions_) {
  if (room_ == 0) return;
  stack_ = std::make_unique<Entry[]>(room_);
  std::copy_n(other.stack_.get(), size_, stack_.get());
}

void OpenSlices::close_indexed(StringId name, Closed& out) {
  if (!indexed_) index_names();
  const auto found = positions_.find(index(name));
  const bool named = name != kNoName && found != positions_.end() && !found->second.empty();
  if (!named || found->second.back() + 1 == size_) return pop(out);
  Entry& entry = stack_[found->second.back()];
  found->second.pop_back();
  entry.closed = true;
  --live_;
  out = {entry.slice, false};
}

void OpenSlices::pop(Closed& out) {
  out = {stack_[--size_].slice, true};
  positions_[index(out.slice.name)].pop_back();
  --live_;
  while (size_ != 0 && stack_[size_ - 1].closed) --size_;
}

void OpenSlices::index_names() {
  indexed_ = true;
  for (std::size_t i = 0; i < size_; ++i) {
    positions_[index(stack_[i].slice.name)].push_back(i);
  }
}

void OpenSlices::grow() {
  constexpr std::size_t kFirstRoom = 16;
  room_ = std::max(kFirstRoom, room_ * 2);
  auto larger = std::make_unique<Entry[]>(room_);
  std::copy_n(stack_.get(), size_, larger.get());
  stack_ = std::move(larger);
}

std::vector<OpenSlice> OpenSlices::all() const {
  std::vector<OpenSlice> slices;
  slices.reserve(live_);
  for (std::size_t i = 0; i < size_; ++i) {
    if (!stack_[i].closed) slices.push_back(stack_[i].slice);
  }
  return slices;
}

void OpenSlices::clear() {
  size_ = 0;
  live_ = 0;
  indexed_ = false;
  positions_.clear();
}

}  // namespace cinderscope
