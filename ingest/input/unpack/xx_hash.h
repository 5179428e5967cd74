// XXH3 of bytes that come piece by piece.
#pragma once

#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

namespace cinderscope {

class XxHash {
 public:
  XxHash() {
    if (state_ == nullptr) throw std::bad_alloc();
    XXH3_64bits_reset(state_);
  }
  ~XxHash() { XXH3_freeState(state_); }
  XxHash(const XxHash&) = delete;
  XxHash& operator=(const XxHash&) = delete;

  void add(std::span<const std::byte> bytes) {
    XXH3_64bits_update(state_, bytes.data(), bytes.size());
  }
  // Of all bytes since the last call.
  std::uint64_t take() {
    const std::uint64_t sum = XXH3_64bits_digest(state_);
    XXH3_64bits_reset(state_);
    return sum;
  }

 private:
  XXH3_state_t* state_ = XXH3_createState();
};

}  // namespace cinderscope
