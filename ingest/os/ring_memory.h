// Memory that begins again at its end: a stretch of bytes lies in one piece wherever it begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "ingest/os/unique_fd.h"

namespace cinderscope {

// The same pages are mapped twice, one behind the other. What passes through is written over what
// was there before: nothing is mapped, cleared or given back for it.
class RingMemory {
 public:
  // `bytes` are a multiple of 64 KiB. Null where the system cannot (Windows, a page).
  static std::shared_ptr<RingMemory> create(std::size_t bytes);
  ~RingMemory();
  RingMemory(const RingMemory&) = delete;
  RingMemory& operator=(const RingMemory&) = delete;

  std::size_t size_bytes() const { return size_bytes_; }
  // Sets memory aside for all bytes before `end` of what passes through; nothing may be written
  // beyond. False if the system has none: to write there would end the program. One thread.
  bool reach(std::uint64_t end);
  // As many bytes as the ring has lie behind it.
  std::byte* at(std::uint64_t offset) const { return data_ + offset % size_bytes_; }

 private:
  RingMemory(UniqueFd memory, std::byte* data, std::size_t size_bytes)
      : memory_(std::move(memory)), data_(data), size_bytes_(size_bytes) {}

  UniqueFd memory_;
  std::byte* data_;
  std::size_t size_bytes_;
  std::uint64_t reached_bytes_ = 0;
};

}  // namespace cinderscope
